//! Hover on what is no name of the program: semantics, attributes, registers, root signatures, qualifiers, directives, subobjects.

use crate::client::{Client, find, settings, show};

fn session(name: &str, text: &str) -> Client {
    let mut c = Client::start(name, settings(false));
    c.open("a.hlsl", text);
    c.diagnostics("a.hlsl");
    c
}

/// The text of the hover at the `n`th occurrence of `what`, and its range.
fn hover(c: &mut Client, text: &str, what: &str, n: usize) -> (String, String) {
    let h = c.ask_at("textDocument/hover", "a.hlsl", find(text, what, n));
    let range = if h["range"].is_object() { show(&h["range"]) } else { String::new() };
    (h["contents"]["value"].as_str().unwrap_or("").to_owned(), range)
}

fn all(found: &(String, String), parts: &[&str]) {
    parts.iter().for_each(|p| assert!(found.0.contains(p), "`{p}` is in {found:?}"));
}

#[test]
fn semantics_and_attributes() {
    let text = "struct V { float4 p : SV_Position; float2 uv : TEXCOORD3; };\n[shader(\"pixel\")]\n[earlydepthstencil]\nfloat4 P(V v, bool f : SV_IsFrontFace) : SV_Target2\n\
        {\n  [unroll] for (int i = 0; i < 2; i++) {}\n  return v.p;\n}\n[[vk::binding(3, 1)]] Texture2D<float4> T;\n[numthreads(8, 8, 1)] [shader(\"compute\")] void C(uint3 i : SV_DispatchThreadID) {}\n";
    let mut c = session("hover-words", text);
    let position = hover(&mut c, text, "SV_Position", 0);
    all(
        &position,
        &[
            "system value `SV_Position`",
            "The position in clip space",
            "Type: `float4`",
            "* a pixel shader's input",
            "* a vertex shader's output",
        ],
    );
    assert_eq!(position.1, "0:22-0:33");
    all(&hover(&mut c, text, "TEXCOORD3", 0), &["semantic `TEXCOORD`, index 3", "same name"]);
    all(&hover(&mut c, text, "SV_IsFrontFace", 0), &["`bool` or an integer", "(the hardware makes it)"]);
    all(&hover(&mut c, text, "SV_Target2", 0), &["index 2", "a pixel shader's output"]);
    all(&hover(&mut c, text, "SV_DispatchThreadID", 0), &["a compute shader's input", "DXIL operation `ThreadId`"]);
    all(&hover(&mut c, text, "earlydepthstencil", 0), &["of a function", "Stages: pixel"]);
    all(&hover(&mut c, text, "unroll", 0), &["of a loop", "The loop is unrolled"]);
    all(&hover(&mut c, text, "numthreads", 0), &["The size of a thread group", "compute, mesh, amplification"]);
    all(&hover(&mut c, text, "pixel\"", 0), &["stage `pixel`", "Runs for each fragment"]);
    all(&hover(&mut c, text, "binding", 0), &["attribute `vk::binding`", "descriptor set"]);
    all(&hover(&mut c, text, "3, 1", 0), &["binding 3 of set 1", "3: `T`", "first free binding is 0"]);
    c.end();
}

#[test]
fn registers_say_what_else_is_there() {
    let text = "Texture2D<float4> A : register(t0);\nTexture2D<float4> B[3] : register(t2, space0);\nTexture2D<float4> C : register(t4);\nRWByteAddressBuffer Out : register(u0, space2);\ncbuffer K { float4 k : packoffset(c2.y); };\n";
    let mut c = session("hover-registers", text);
    let b = hover(&mut c, text, "t2", 0);
    all(
        &b,
        &[
            "`B` is in t2 to t4 of space 0",
            "Overlaps `C`",
            "* t0: `A`",
            "* t2 to t4: **`B`**",
            "first free register is t1",
            "Vulkan: binding 2 of set 0, as its register says",
        ],
    );
    all(&hover(&mut c, text, "register", 0), &["`A` is in t0"]);
    all(&hover(&mut c, text, "space2", 0), &["register space 2", "* u0: `Out`", "Spaces of the source: 0, 2"]);
    all(&hover(&mut c, text, "c2", 0), &["row 2 of the buffer: 32 bytes"]);
    c.end();
}

#[test]
fn root_signatures_and_subobjects() {
    let text = "#define PART \"SRV(t0), \"\n#define WHOLE \"RootConstants(num32BitConstants = 4, b0), \" \\\n  \"DescriptorTable(UAV(u0, numDescriptors = unbounded))\"\n\
        GlobalRootSignature Global = { \"RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED), \" PART \"StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_POINT)\" };\n\
        GlobalRootSignature Other = { WHOLE };\nRaytracingShaderConfig Config = { 32, 8 };\n\
        TriangleHitGroup Group = { \"\", \"Hit\" };\nstruct P { float a; };\n[shader(\"closesthit\")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes t) {}\n";
    let mut c = session("hover-root", text);
    let flag = hover(&mut c, text, "CBV_SRV", 0);
    all(&flag, &["Shaders index `ResourceDescriptorHeap`", "Root parameters: 1; they take 2 of 64 words"]);
    let srv = hover(&mut c, text, "SRV(t0", 0);
    all(&srv, &["`SRV`", "two of the 64 words", "Root parameter 0, `SRV`"]);
    assert_eq!(srv.1, "0:14-0:17");
    all(&hover(&mut c, text, "FILTER_MIN", 0), &["nearest where the texture shrinks", "nearest between levels"]);
    all(&hover(&mut c, text, "unbounded", 0), &["The range has no end", "Root parameter 1, `DescriptorTable`", "they take 5 of 64 words"]);
    all(&hover(&mut c, text, "u0", 0), &["register `u0`, of what is read and written"]);
    all(&hover(&mut c, text, "32, 8", 0), &["largest payload in bytes of `Config`"]);
    all(&hover(&mut c, text, "Hit\"", 0), &["closest-hit shader of `Group`", "void Hit("]);
    all(&hover(&mut c, text, "TriangleHitGroup", 0), &["TriangleHitGroup"]);
    c.end();
}

#[test]
fn payload_access_qualifiers() {
    let text = "struct [raypayload] P {\n  float a : read(caller, closesthit) : write(caller, miss);\n  float b : read(anyhit) : write(miss);\n};\n";
    let mut c = session("hover-paq", text);
    let read = hover(&mut c, text, "read", 0);
    all(
        &read,
        &["payload access qualifier `read`", "| caller | yes | yes |", "| closesthit | yes |  |", "caller → closesthit", "miss → caller"],
    );
    all(&hover(&mut c, text, "miss)", 0), &["`miss` writes the member", "The miss shader", "Member `a`"]);
    all(&hover(&mut c, text, "anyhit", 0), &["Member `b`", "No stage reads"]);
    all(&hover(&mut c, text, "raypayload", 0), &["attribute `raypayload` of a structure"]);
    c.end();
}

#[test]
fn conditions_and_includes() {
    let text = "#define LEVEL 3\n#if LEVEL * 2 > 4 && defined(OTHER) || LEVEL == 3\n#elif 1\n#endif\n#ifndef OTHER\n#include \"twice.hlsli\"\n#define AGAIN\n#include \"twice.hlsli\"\n#endif\n#if 0\n#if LEVEL\n#endif\n#endif\n#if LEVEL - 5\n#endif\n";
    let mut c = Client::start("hover-directives", settings(false));
    let header = "#ifdef AGAIN\nfloat second;\n#else\nfloat first;\n#endif\n";
    c.write("twice.hlsli", header);
    c.open("a.hlsl", text);
    assert_eq!(c.diagnostics("a.hlsl"), [""; 0]);
    all(&hover(&mut c, text, "#if LEVEL *", 0), &["The condition is 1: the group counts."]);
    all(&hover(&mut c, text, "LEVEL *", 0), &["#define LEVEL 3", "The condition is 1"]);
    all(&hover(&mut c, text, "elif", 0), &["not evaluated"]);
    all(&hover(&mut c, text, "ifndef", 0), &["There is no such macro: the group counts."]);
    all(&hover(&mut c, text, "#if 0", 0), &["The condition is 0: the group is skipped."]);
    all(&hover(&mut c, text, "#if LEVEL\n", 0), &["not evaluated"]);
    all(&hover(&mut c, text, "#if LEVEL - 5", 0), &["The condition is -2: the group counts."]);
    let include = hover(&mut c, text, "twice.hlsli", 0);
    all(&include, &["/twice.hlsli`", "5 lines", "read 2 times"]);
    // In the header the condition has two results.
    c.open("twice.hlsli", header);
    c.diagnostics("twice.hlsli");
    let h = c.ask_at("textDocument/hover", "twice.hlsli", (0, 2));
    let value = h["contents"]["value"].as_str().unwrap_or("");
    assert!(
        value.contains("several times") && value.contains("There is no such macro") && value.contains("There is such a macro"),
        "{value}"
    );
    c.end();
}

/// Positions everywhere in sources that are broken in many ways, with columns of UTF-16 and lines that end in CR LF.
#[test]
fn every_position_is_answered() {
    let text = "/* é𝒳 */ Texture2D T[2] : register(t1, space1);\r\nstruct [raypayload] P { float a : read(caller) : write( };\r\n[RootSignature(\"CBV(b0), é𝒳 SRV(\")]\r\n[[vk::binding(1, \r\n\
        GlobalRootSignature G = { \"UAV(u0\" \"), \r\n#if é\r\n#elif (\r\n#include \"nowhere\r\nfloat4 f(float4 p : SV_Position) : SV_\r\nTriangleHitGroup H = { , , \"\r\n";
    let mut c = session("hover-everywhere", text);
    for (line, content) in text.split("\r\n").enumerate() {
        for column in 0..content.encode_utf16().count() as u32 + 2 {
            c.ask_at("textDocument/hover", "a.hlsl", (line as u32, column));
        }
    }
    assert!(c.ask_at("textDocument/hover", "a.hlsl", (999, 999)).is_null());
    let t = hover(&mut c, text, "t1", 0);
    assert_eq!(t.1, "0:36-0:38", "{t:?}");
    c.end();
}
