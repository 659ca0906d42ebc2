//! Completion by place: registers, bindings, semantics, attributes, subobjects, root signatures, files, intrinsics of stages.

use crate::client::{Client, settings};
use serde_json::{Value, json};

/// The items at the `|` of a text.
fn items(c: &mut Client, text: &str) -> Vec<Value> {
    let at = text.find('|').unwrap_or_else(|| panic!("a cursor in `{text}`"));
    let (before, whole) = (&text[..at], text.replacen('|', "", 1));
    c.replace("a.hlsl", &whole);
    let lines = before.split("\r\n").flat_map(|l| l.split('\n')).collect::<Vec<_>>();
    let column = lines[lines.len() - 1].encode_utf16().count() as u32;
    let list = c.ask_at("textDocument/completion", "a.hlsl", (lines.len() as u32 - 1, column));
    list["items"].as_array().unwrap_or_else(|| panic!("items at `{text}`: {list}")).clone()
}

fn labels(c: &mut Client, text: &str) -> Vec<String> {
    items(c, text).iter().map(|i| i["label"].as_str().expect("a label").to_owned()).collect()
}

fn open() -> Client {
    let mut c = Client::start("completing", settings(false));
    c.open("a.hlsl", "");
    c
}

fn has(list: &[String], names: &[&str]) {
    names.iter().for_each(|n| assert!(list.iter().any(|l| l == n), "`{n}` is in {list:?}"));
}

fn lacks(list: &[String], names: &[&str]) {
    names.iter().for_each(|n| assert!(!list.iter().any(|l| l == n), "`{n}` is not in {list:?}"));
}

#[test]
fn registers_that_are_free() {
    let mut c = open();
    let start = "typedef Texture2D<float4> Tex;\nTexture2D<float4> A : register(t0);\nTexture2D<float4> B[3] : register(t2);\nRWByteAddressBuffer Out : register(u0, space1);\ncbuffer K : register(b0) { float k; };\n";
    let mut at = |rest: &str| labels(&mut c, &format!("{start}{rest}"));
    assert_eq!(at("Texture2D<float4> New : register(|);\n"), ["t1", "t5"]);
    assert_eq!(at("Texture2D<float4> New : register(t|);\n"), ["t1", "t5"]);
    // Arrays need a gap that is large enough, and a name of a type is as good as the type.
    assert_eq!(at("Tex New[2] : register(|);\n"), ["t5"]);
    assert_eq!(at("Texture2D<float4> New[] : register(|);\n"), ["t5"]);
    assert_eq!(at("Texture2D<float4> New : register(|, space7);\n"), ["t0"]);
    assert_eq!(at("RWByteAddressBuffer New : register(|);\n"), ["u0"]);
    assert_eq!(at("RWByteAddressBuffer New : register(|, space1);\n"), ["u1"]);
    assert_eq!(at("cbuffer New : register(|) { float n; };\n"), ["b1"]);
    assert_eq!(at("SamplerState New : register(|);\n"), ["s0"]);
    // Half-typed: nothing else of the file is lost.
    assert_eq!(at("Texture2D<float4> New : register(|\nTexture2D<float4> C : register(t1);\n"), ["t5"]);
    assert_eq!(at("Texture2D<float4> New : register(t|"), ["t1", "t5"]);
    assert_eq!(at("Texture2D<float4> New : register(|)\n[shader(\"miss\")] void M() {}\n"), ["t1", "t5"]);
    // Its own register counts as free.
    assert_eq!(at("Texture2D<float4> New : register(t1|);\n"), ["t1", "t5"]);
    // An unknown type: every class.
    has(&at("Unknown New : register(|);\n"), &["t1", "u0", "b1", "s0"]);
    assert_eq!(at("Texture2D<float4> New : register(t0, |);\n"), ["space0", "space1", "space2"]);
    c.end();
}

#[test]
fn vulkan_bindings_that_are_free() {
    let mut c = open();
    let start = "[[vk::binding(0)]] Texture2D<float4> A;\n[[vk::binding(2)]] Texture2D<float4> B;\n[[vk::binding(0, 1)]] RWStructuredBuffer<int> D;\nByteAddressBuffer R : register(t1);\n";
    let mut at = |rest: &str| labels(&mut c, &format!("{start}{rest}"));
    // Binding 1 is that of register t1.
    assert_eq!(at("[[vk::binding(|)]] SamplerState New;\n"), ["3"]);
    assert_eq!(at("[[vk::binding(|, 1)]] SamplerState New;\n"), ["1"]);
    assert_eq!(at("[[vk::binding(7, |)]] SamplerState New;\n"), ["0", "1", "2"]);
    assert_eq!(at("[[vk::binding(|"), ["3"]);
    assert_eq!(at("[[vk::binding(4, 1), vk::counter_binding(|)]] RWStructuredBuffer<int> New;\n"), ["1", "5"]);
    c.end();
}

#[test]
fn semantics_of_stage_and_direction() {
    let mut c = open();
    let pixel = labels(&mut c, "[shader(\"pixel\")]\nfloat4 P(float4 p : SV_|) : SV_Target { return p; }\n");
    has(&pixel, &["SV_Position", "SV_IsFrontFace", "SV_Coverage", "SV_Barycentrics"]);
    lacks(&pixel, &["SV_Target", "SV_Depth", "SV_VertexID", "SV_GroupID", "register", "read"]);
    let target = labels(&mut c, "[shader(\"pixel\")]\nfloat4 P(float4 p : SV_Position) : | { return p; }\n");
    has(&target, &["SV_Target", "SV_Depth", "SV_Coverage"]);
    lacks(&target, &["SV_Position", "SV_IsFrontFace"]);
    let out = labels(&mut c, "[shader(\"pixel\")]\nvoid P(out float d : |) { d = 0; }\n");
    has(&out, &["SV_Depth"]);
    lacks(&out, &["SV_Position"]);
    // A structure has the semantics of the signatures that it is in.
    let vertex =
        labels(&mut c, "struct V { float4 p : |; };\n[shader(\"vertex\")]\nV Main(uint i : SV_VertexID) { V v; v.p = 0; return v; }\n");
    has(&vertex, &["SV_Position", "SV_ClipDistance"]);
    lacks(&vertex, &["SV_VertexID", "SV_Target", "read"]);
    let compute = labels(&mut c, "[shader(\"compute\")]\n[numthreads(1, 1, 1)]\nvoid Main(uint3 id : |) { }\n");
    assert_eq!(compute, ["SV_DispatchThreadID", "SV_GroupID", "SV_GroupIndex", "SV_GroupThreadID"]);
    // Of a function that is no entry point: all.
    has(&labels(&mut c, "float4 f() : SV_|\n"), &["SV_Position", "SV_Target"]);
    has(&labels(&mut c, "// rtc -T vs_6_6 -E Main\nfloat4 Main(uint i : |) : SV_Position { return i; }\n"), &["SV_VertexID"]);
    assert_eq!(labels(&mut c, "struct [raypayload] P { float a : |; };\n"), ["read", "write"]);
    assert_eq!(labels(&mut c, "Texture2D<float4> T : |;\n"), ["register"]);
    assert_eq!(labels(&mut c, "cbuffer C { float4 a : |; };\n"), ["packoffset", "register"]);
    c.end();
}

#[test]
fn attributes_by_what_they_are_on() {
    let mut c = open();
    let function = labels(&mut c, "[|\nvoid f() {}\n");
    has(&function, &["shader", "numthreads", "noinline", "vk"]);
    lacks(&function, &["unroll", "branch", "raypayload"]);
    let pixel = labels(&mut c, "[shader(\"pixel\")]\n[|]\nfloat4 f() : SV_Target { return 1; }\n");
    has(&pixel, &["earlydepthstencil", "RootSignature"]);
    lacks(&pixel, &["numthreads", "maxvertexcount", "shader"]);
    let rays = labels(&mut c, "[|]\n[shader(\"miss\")]\nvoid f() {}\n");
    lacks(&rays, &["RootSignature", "numthreads", "earlydepthstencil"]);
    let looped = labels(&mut c, "void f() {\n  [|\n  for (int i = 0; i < 2; i++) {}\n}\n");
    has(&looped, &["unroll", "loop"]);
    lacks(&looped, &["branch", "shader"]);
    let condition = labels(&mut c, "void f(bool b) {\n  [|] if (b) {}\n}\n");
    has(&condition, &["branch", "flatten"]);
    lacks(&condition, &["unroll", "forcecase"]);
    has(&labels(&mut c, "void f(int n) {\n  [|] switch (n) {}\n}\n"), &["branch", "forcecase"]);
    assert_eq!(labels(&mut c, "struct [|] P { float a : read(caller) : write(miss); };\n"), ["raypayload"]);
    let texture = labels(&mut c, "[[vk::|]] Texture2D<float4> T;\n");
    has(&texture, &["binding", "combinedImageSampler"]);
    lacks(&texture, &["push_constant", "counter_binding", "location", "constant_id", "spvexecutionmode"]);
    let member = labels(&mut c, "struct S { [[vk::|]] float x; };\n");
    has(&member, &["offset", "location", "builtin"]);
    lacks(&member, &["binding", "push_constant"]);
    has(&labels(&mut c, "[[vk::|]] RWStructuredBuffer<int> B;\n"), &["counter_binding"]);
    has(&labels(&mut c, "[[vk::|]] ConstantBuffer<S> B;\n"), &["push_constant", "shader_record_ext"]);
    has(&labels(&mut c, "[[vk::|]] const int N = 3;\n"), &["constant_id"]);
    has(&labels(&mut c, "[[vk::binding(0), vk::|]] SamplerState S;\n"), &["combinedImageSampler"]);
    has(&labels(&mut c, "[domain(\"|\")]\n"), &["tri", "quad", "isoline"]);
    let patch = "float4 Constants() : X { return 1; }\n[patchconstantfunc(\"|\")] void Main() {}\n";
    has(&labels(&mut c, patch), &["Constants"]);
    c.end();
}

/// The type checker knows every attribute of the table, on what the table says.
#[test]
fn attributes_of_the_table_are_those_of_the_language() {
    use rtc::{NoIncludes, Options, Profile};
    use rtc_tables::attributes::{ATTRIBUTES, AttributeOn};
    let options = Options::new(Profile::parse("lib_6_9").expect("a profile"));
    let found = |text: &str| -> Vec<String> {
        let a = rtc::analysis::analyse("a.hlsl", text.as_bytes(), &mut NoIncludes, &options, None);
        a.diagnostics.iter().filter(|d| ["W0402", "W0660"].contains(&d.code.id)).map(|d| d.message.clone()).collect()
    };
    for row in ATTRIBUTES {
        let form = row.form;
        let text = match row.on {
            AttributeOn::Function => format!("[{form}]\nvoid f() {{}}\n"),
            AttributeOn::Loop => format!("void f() {{ [{form}] for (int i = 0; i < 2; i++) {{}} }}\n"),
            AttributeOn::Branch => format!("void f(bool b) {{ [{form}] if (b) {{}} }}\n"),
            AttributeOn::Switch => format!("void f(int n) {{ [{form}] switch (n) {{ default: break; }} }}\n"),
            AttributeOn::Structure => format!("struct [{form}] P {{ float a : read(caller) : write(miss); }};\n"),
        };
        assert_eq!(found(&text), [""; 0], "{text}");
    }
    assert_eq!(found("[no_such] void f() {}").len(), 1);
    assert_eq!(found("void f(bool b) { [unroll] if (b) {} }").len(), 1);
}

const SHADERS: &str = "struct [raypayload] P { float4 a : read(caller) : write(closesthit, miss); };\nstruct Attributes { float4 x; };\nRaytracingAccelerationStructure Scene;\n\
    [shader(\"raygeneration\")] void Gen() { RayDesc r = (RayDesc)0; P p; TraceRay(Scene, 0, 255, 0, 0, 0, r, p); }\n\
    [shader(\"anyhit\")] void Any(inout P p, Attributes t) { }\n\
    [shader(\"closesthit\")] void Hit(inout P p, Attributes t) { p.a = 1; }\n[shader(\"closesthit\")] void Other(inout P p, Attributes t) { p.a = 2; }\n\
    [shader(\"miss\")] void Miss(inout P p) { p.a = 0; }\n";

#[test]
fn values_of_subobjects() {
    let mut c = open();
    let mut at = |rest: &str| labels(&mut c, &format!("{SHADERS}{rest}"));
    assert_eq!(at("TriangleHitGroup G = { \"\", \"|\" };\n"), ["Hit", "Other"]);
    assert_eq!(at("TriangleHitGroup G = { \"|\", \"Hit\" };\n"), ["Any"]);
    assert_eq!(at("TriangleHitGroup G = { |\n"), ["\"Any\"", "\"\""]);
    assert_eq!(
        at("TriangleHitGroup G = { \"\", |\n[shader(\"miss\")] void Late(inout P p) { p.a = 3; }\n"),
        ["\"Hit\"", "\"Other\"", "\"\""]
    );
    assert_eq!(at("ProceduralPrimitiveHitGroup G = { \"\", \"\", \"|\" };\n"), [""; 0]);
    let association = at(
        "TriangleHitGroup G = { \"\", \"Hit\" };\nLocalRootSignature L = { \"CBV(b0)\" };\nSubobjectToExportsAssociation A = { \"L\", \"Gen;|\" };\n",
    );
    has(&association, &["Gen", "Any", "Miss", "G"]);
    lacks(&association, &["P", "L"]);
    assert_eq!(at("LocalRootSignature L = { \"CBV(b0)\" };\nSubobjectToExportsAssociation A = { \"|\", \"\" };\n"), ["L"]);
    let sizes = at("RaytracingShaderConfig S = { |, 8 };\n");
    assert_eq!(&sizes[..2], ["16", "sizeof(P)"]);
    let attributes = at("RaytracingShaderConfig S = { 16, |\n");
    assert_eq!(&attributes[..2], ["16", "8"]);
    assert_eq!(at("RaytracingPipelineConfig S = { | };\n")[0], "1");
    let flags = at("RaytracingPipelineConfig1 S = { 1, | };\n");
    has(&flags, &["RAYTRACING_PIPELINE_FLAG_NONE", "RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES"]);
    has(&at("StateObjectConfig S = { | };\n"), &["STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS"]);
    // A part of a list in a text is replaced, and columns are those of UTF-16.
    let text = format!("{SHADERS}/* é𝒳 */ SubobjectToExportsAssociation A = {{ \"A\", \"Gen; Mi|;Hit\" }};\n");
    let found = items(&mut c, &text);
    let miss = found.iter().find(|i| i["label"] == "Miss").expect("the miss shader");
    let line = SHADERS.matches('\n').count() as u64;
    assert_eq!(
        miss["textEdit"]["range"],
        json!({ "start": { "line": line, "character": 57 }, "end": { "line": line, "character": 59 } }),
        "{miss}"
    );
    c.end();
}

#[test]
fn words_of_root_signatures() {
    let mut c = open();
    has(&labels(&mut c, "GlobalRootSignature G = { \"|\" };\n"), &["RootFlags", "DescriptorTable", "SRV"]);
    has(&labels(&mut c, "GlobalRootSignature G = { \"CBV(b0),\" \"DescriptorTable(SRV(t0, num|\" };\n"), &["numDescriptors"]);
    has(&labels(&mut c, "#define RS \"RootFlags(|\n"), &["LOCAL_ROOT_SIGNATURE"]);
    has(&labels(&mut c, "[RootSignature(\"StaticSampler(s0, filter = FILTER_|\")]\n"), &["FILTER_ANISOTROPIC"]);
    c.end();
}

#[test]
fn directives_pragmas_and_files() {
    let dir = crate::client::folder("files");
    std::fs::create_dir_all(dir.join("inc/deep")).unwrap();
    std::fs::create_dir_all(dir.join("src")).unwrap();
    std::fs::write(dir.join("inc/common.hlsli"), "").unwrap();
    std::fs::write(dir.join("inc/deep/down.hlsli"), "").unwrap();
    std::fs::write(dir.join("src/near.hlsli"), "").unwrap();
    let commands = json!([{ "directory": dir, "file": "src/a.hlsl", "arguments": ["dxc", "-T", "lib_6_6", "-D", "FROM_COMMAND=3", "-I", "inc", "src/a.hlsl"] }]);
    std::fs::write(dir.join("compile_commands.json"), commands.to_string()).unwrap();
    let mut c = Client::start_in(dir, settings(false), json!({}));
    c.open("src/a.hlsl", "");
    c.diagnostics("src/a.hlsl");
    let mut at = |text: &str| {
        let (before, whole) = (text.find('|').unwrap(), text.replacen('|', "", 1));
        c.replace("src/a.hlsl", &whole);
        let list = c.ask_at("textDocument/completion", "src/a.hlsl", (0, before as u32));
        list["items"].as_array().unwrap().iter().map(|i| i["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(at("#include \"|\"\n"), ["near.hlsli", "common.hlsli", "deep"]);
    assert_eq!(at("#include <|>\n"), ["common.hlsli", "deep", "near.hlsli"]);
    assert_eq!(at("#include <deep/|\n"), ["down.hlsli"]);
    has(&at("#pragma |\n"), &["once", "pack_matrix(row_major)"]);
    has(&at("#if |\n"), &["defined", "FROM_COMMAND", "__SHADER_TARGET_MAJOR"]);
    lacks(&at("#ifdef |\n"), &["defined"]);
    assert_eq!(at("#define |\n"), [""; 0]);
    c.end();
}

#[test]
fn intrinsics_of_the_stages_that_reach_a_function() {
    let mut c = open();
    let start = "struct P { float a; };\n";
    let rest = "[shader(\"miss\")] void M(inout P p) { p.a = helper(p); }\n";
    let miss = labels(&mut c, &format!("{start}float inner(P p) {{ return |; }}\nfloat helper(P p) {{ return inner(p); }}\n{rest}"));
    has(&miss, &["WorldRayDirection", "TraceRay", "saturate"]);
    lacks(&miss, &["HitKind", "IgnoreHit", "ReportHit"]);
    // Two stages: what is legal in both.
    let both = labels(
        &mut c,
        &format!("{start}float helper(P p) {{ return |; }}\n{rest}[shader(\"raygeneration\")] void R() {{ P p; helper(p); }}\n"),
    );
    has(&both, &["TraceRay"]);
    lacks(&both, &["WorldRayDirection", "HitKind"]);
    // None: everything.
    has(&labels(&mut c, &format!("{start}float helper(P p) {{ return |; }}\n")), &["HitKind", "WorldRayDirection", "ReportHit"]);
    c.end();
}

/// Every kind of place, in sources that are broken in many ways.
#[test]
fn half_typed_code_is_answered() {
    let mut c = open();
    let places = [
        "Texture2D T : register(|",
        "[[vk::binding(|",
        "[|",
        "[[vk::|",
        "struct S { float a : |",
        "void f(float4 p : |",
        "TriangleHitGroup G = { \"|",
        "TriangleHitGroup G = { |",
        "RaytracingShaderConfig C = { |",
        "GlobalRootSignature G = { \"CBV(|",
        "#include <|",
        "#include \"|",
        "#pragma |",
        "#if defined(|",
        "void f() { [|",
        "[shader(\"|",
        "SubobjectToExportsAssociation A = { \"x\", \"a;|",
        "cbuffer C : register(|",
    ];
    let around = [
        ("", ""),
        ("}}} ", ""),
        ("/* é𝒳 */ ", "\n}"),
        ("struct A { ", ""),
        ("#if 0\n", "\n#endif"),
        ("void g( {\n", "\n) ;"),
        ("\"", "\""),
        ("float x", "{{{"),
    ];
    for place in places {
        for (before, after) in around {
            for end in ["\n", "\r\n"] {
                let text = format!("{before}{place}{after}{end}float last;{end}").replace('\n', end).replace("\r\r", "\r");
                items(&mut c, &text);
            }
        }
        // A position after the end of the text.
        c.replace("a.hlsl", &place.replace('|', ""));
        let params = c.at("a.hlsl", (99, 99));
        assert!(c.request("textDocument/completion", params).is_ok(), "{place}");
    }
    let params = c.at("not-open.hlsl", (0, 0));
    assert!(c.request("textDocument/completion", params).unwrap_err().contains("is not open"));
    // Characters that clients send requests for in every program give nothing there.
    c.replace("a.hlsl", "void f() { f( }\n");
    let mut params = c.at("a.hlsl", (0, 13));
    params["context"] = json!({ "triggerKind": 2, "triggerCharacter": "(" });
    assert_eq!(c.request("textDocument/completion", params).unwrap()["items"], json!([]));
    c.end();
}

#[test]
fn statements_that_do_not_end() {
    let mut c = open();
    let start = "struct Light { float3 color; float radius; };\n";
    for rest in [
        "float g(Light l) { return l.|}\n",
        "float g(Light l) { return l.|\n}",
        "float g(Light l) { l.|",
        "float g(Light l) { if (l.|) {} }",
        "float g(Light l) { float x = max(l.|, 1 }",
        "float g(Light l) { return l.|radius; }",
        "float g(Light l) { return l.rad|ius; }",
    ] {
        let found = labels(&mut c, &format!("{start}{rest}"));
        assert_eq!(found, ["color", "radius"], "{rest}");
    }
    for rest in ["float g(Light l) { return |}\n", "float g(Light l) { |", "float g(Light l) { return | }\nfloat h() { return 1; }"] {
        has(&labels(&mut c, &format!("{start}{rest}")), &["l", "Light", "saturate"]);
    }
    c.end();
}
