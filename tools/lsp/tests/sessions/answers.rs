//! Hover, completion, signature help, symbols, tokens, folding, formatting, hints, lenses.

use crate::client::{Client, find, range, settings};
use serde_json::{Value, json};

fn open(text: &str) -> Client {
    let mut c = Client::start("answers", settings(false));
    c.open("a.hlsl", text);
    c.diagnostics("a.hlsl");
    c
}

fn hover(c: &mut Client, text: &str, what: &str) -> String {
    let h = c.ask_at("textDocument/hover", "a.hlsl", find(text, what, 0));
    h["contents"]["value"].as_str().unwrap_or("").to_owned()
}

#[test]
fn hover_has_types_layouts_macros_and_intrinsics() {
    let text = "#define TWICE(x) ((x) + (x))\nstruct S { float a; float3 b; };\ncbuffer C { float first; float3 second; };\nstatic const int N = 3;\n\
        float f(S s, inout float t) { t = TWICE(s.b.x + N); return second.x + saturate(t); }\n\
        [shader(\"closesthit\")] void H(inout S p, BuiltInTriangleIntersectionAttributes a) { p.a = RayTCurrent() + f(p, p.a); }\n";
    let mut c = open(text);
    let b = hover(&mut c, text, "b.x");
    assert!(
        b.contains("float3 S::b") && b.contains("12 bytes, at offset 4 in structured buffers and payloads; 4 in constant buffers"),
        "{b}"
    );
    let second = hover(&mut c, text, "second.x");
    assert!(second.contains("member of the constant buffer `C`") && second.contains("offset 4 in constant buffer"), "{second}");
    let s = hover(&mut c, text, "S s");
    assert!(s.contains("struct S") && s.contains("| `b` | `float3` | 4 | 4 |"), "{s}");
    assert!(hover(&mut c, text, "N);").contains("int N = 3"));
    let m = hover(&mut c, text, "TWICE(s");
    assert!(m.contains("#define TWICE(x)") && m.contains("((s.b.x + N) + (s.b.x + N))"), "{m}");
    let f = hover(&mut c, text, "f(p");
    assert!(f.contains("float f(S s, inout float t)"), "{f}");
    let i = hover(&mut c, text, "RayTCurrent");
    assert!(i.contains("float RayTCurrent()") && i.contains("The distance of the current hit") && i.contains("Stages:"), "{i}");
    assert!(i.contains("DXIL operation `RayTCurrent`"), "{i}");
    assert_eq!(hover(&mut c, text, "return"), "");
    c.end();
}

fn labels(c: &mut Client, before: &str, after: &str) -> Vec<String> {
    let text = format!("{before}{after}");
    c.replace("a.hlsl", &text);
    let line = before.matches('\n').count() as u32;
    let column = before.rsplit('\n').next().unwrap().encode_utf16().count() as u32;
    let list = c.ask_at("textDocument/completion", "a.hlsl", (line, column));
    list["items"].as_array().expect("items").iter().map(|i| i["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn completion_knows_the_place() {
    let mut c = open("");
    let has = |list: &[String], names: &[&str]| names.iter().for_each(|n| assert!(list.iter().any(|l| l == n), "`{n}` is in {list:?}"));
    let lacks =
        |list: &[String], names: &[&str]| names.iter().for_each(|n| assert!(!list.iter().any(|l| l == n), "`{n}` is not in {list:?}"));
    let start = "namespace ns { float inner(); }\nstruct S { float alpha; float3 beta; float go(); };\nTexture2D<float4> Tex; RaytracingAccelerationStructure Scene;\n";
    let members = labels(&mut c, &format!("{start}float f(S s) {{ float local = 1; return s."), "\n}\n");
    has(&members, &["alpha", "beta", "go"]);
    lacks(&members, &["local", "saturate", "f"]);
    let swizzle = labels(&mut c, &format!("{start}float f(S s) {{ return s.beta."), "; }\n");
    has(&swizzle, &["x", "xyz", "rgb"]);
    lacks(&swizzle, &["w"]);
    let methods = labels(&mut c, &format!("{start}float f() {{ Tex.Sam"), "\n return 1; }\n");
    has(&methods, &["Sample", "SampleLevel", "Load"]);
    let scope = labels(&mut c, &format!("{start}float f(float parameter) {{ float local = 1; {{ float nested; }} return "), "; }\n");
    has(&scope, &["local", "parameter", "Tex", "S", "ns", "saturate", "float4"]);
    lacks(&scope, &["nested", "alpha", "inner"]);
    has(&labels(&mut c, &format!("{start}float f() {{ return ns::"), "; }\n"), &["inner"]);
    has(&labels(&mut c, &format!("{start}void f() {{ dx::"), "\n}\n"), &["MaybeReorderThread"]);
    // Intrinsics that are legal in the stage.
    let miss = labels(&mut c, &format!("{start}[shader(\"miss\")] void M(inout S s) {{ "), "\n}\n");
    has(&miss, &["TraceRay", "WorldRayDirection"]);
    lacks(&miss, &["IgnoreHit", "HitKind", "ReportHit"]);
    has(&labels(&mut c, "float4 f() : SV_", "\n"), &["SV_Position", "SV_Target"]);
    has(&labels(&mut c, "struct [raypayload] P { float a : read(", ") : write(miss); };\n"), &["caller", "closesthit"]);
    has(&labels(&mut c, "[[vk::", "]] float x;\n"), &["binding", "constant_id"]);
    has(&labels(&mut c, "[shader(\"", "\")] void f() {}\n"), &["raygeneration", "closesthit"]);
    has(&labels(&mut c, "#define LIMIT 3\n#if LI", "\n#endif\n"), &["LIMIT"]);
    has(&labels(&mut c, "#inc", "\n"), &["include"]);
    assert!(labels(&mut c, "// comment ", "\n").is_empty());
    let shaders = "struct [raypayload] P { float a : read(caller) : write(closesthit); };\n[shader(\"closesthit\")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes t) { p.a = 1; }\n";
    c.replace("a.hlsl", shaders);
    c.diagnostics("a.hlsl");
    let hit = labels(&mut c, &format!("{shaders}TriangleHitGroup G = {{ \"\", \""), "\" };\n");
    assert_eq!(hit, ["Hit"]);
    c.write("lights.hlsli", "");
    has(&labels(&mut c, "#include \"li", "\"\n"), &["lights.hlsli"]);
    c.end();
}

#[test]
fn completion_in_a_header_sees_its_source() {
    let mut c = Client::start("header-completion", settings(false));
    let main = "struct Hidden { float gamma; };\n#include \"h.hlsli\"\n";
    c.write("h.hlsli", "float f(Hidden h) { return 1; }\n");
    c.open("main.hlsl", main);
    assert_eq!(c.diagnostics("main.hlsl"), [""; 0]);
    c.open("h.hlsli", "float f(Hidden h) { return h. ; }\n");
    let list = c.ask_at("textDocument/completion", "h.hlsli", (0, 29));
    assert!(list["items"].to_string().contains("\"gamma\""), "{list}");
    c.end();
}

#[test]
fn signatures() {
    let text = "float f(float a, inout int count) { return a; }\nfloat f(float3 v) { return v.x; }\nvoid g() { int n; f(1, n); lerp(1, 2, 3); f(1,  }\n";
    let mut c = open(text);
    let help = c.ask_at("textDocument/signatureHelp", "a.hlsl", find(text, "n);", 0));
    let all = help["signatures"].as_array().unwrap();
    assert_eq!(all.len(), 2, "{help}");
    assert_eq!(all[0]["label"], "float f(float a, inout int count)");
    assert_eq!((help["activeSignature"].as_i64(), help["activeParameter"].as_i64()), (Some(0), Some(1)));
    let help = c.ask_at("textDocument/signatureHelp", "a.hlsl", find(text, "2, 3", 0));
    assert!(help["signatures"][0]["label"].as_str().unwrap().contains("lerp("), "{help}");
    let (line, column) = find(text, "f(1,  }", 0);
    let help = c.ask_at("textDocument/signatureHelp", "a.hlsl", (line, column + 5));
    assert_eq!((help["signatures"].as_array().map(Vec::len), help["activeParameter"].as_i64()), (Some(2), Some(1)), "{help}");
    c.end();
}

#[test]
fn symbols_tokens_and_folding() {
    let text = "#define N 1\nnamespace a { struct S { float x; void m(); }; }\ncbuffer C { float4 v; };\nenum E { One, Two };\nvoid f(float p) {\n  float l = p + v.x;\n}\n";
    let mut c = open(text);
    let symbols = c.ask_of("textDocument/documentSymbol", "a.hlsl");
    fn tree(v: &Value) -> String {
        let list = v.as_array().cloned().unwrap_or_default();
        let one = |s: &Value| {
            let inner = tree(&s["children"]);
            format!("{}{}", s["name"].as_str().unwrap(), if inner.is_empty() { inner } else { format!("({inner})") })
        };
        list.iter().map(one).collect::<Vec<_>>().join(" ")
    }
    assert_eq!(tree(&symbols), "N a(S(x m)) C(v) E(One Two) f");
    let tokens = c.ask_of("textDocument/semanticTokens/full", "a.hlsl");
    let data: Vec<u64> = tokens["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    let last: Vec<&[u64]> = data.chunks(5).rev().take(3).collect();
    // `l`, `p`, `v`: variable, parameter, read-only variable. (The swizzle is no name.)
    assert_eq!(last, [&[0, 4, 1, 7, 4], &[0, 4, 1, 6, 0], &[0, 6, 1, 7, 2]]);
    let folds = c.ask_of("textDocument/foldingRange", "a.hlsl");
    assert_eq!(folds[0]["startLine"], 4);
    c.end();
}

/// The server says when it has new ones.
fn wait_for_lenses(c: &mut Client) {
    loop {
        let m = c.receive();
        if matches!(&m, lsp_server::Message::Request(r) if r.method == "workspace/codeLens/refresh") {
            return;
        }
    }
}

fn refreshing() -> Value {
    json!({ "workspace": { "inlayHint": { "refreshSupport": true }, "codeLens": { "refreshSupport": true } } })
}

#[test]
fn registers_that_the_compiler_chose() {
    let text = "// rtc -T cs_6_6 -E Fill\nRWByteAddressBuffer Out;\nRWByteAddressBuffer Others[2] : register(u0);\n[numthreads(1, 1, 1)] void Fill() { Out.Store(0, Others[1].Load(0)); }\n";
    let mut c = Client::start_with("registers", json!({ "compileDelay": 0 }), refreshing());
    c.open("a.hlsl", text);
    wait_for_lenses(&mut c);
    let params = json!({ "textDocument": { "uri": c.uri("a.hlsl") }, "range": range((0, 0, 99, 0)) });
    let hints = c.request("textDocument/inlayHint", params).unwrap();
    assert_eq!(
        (hints[0]["label"].as_str(), &hints[0]["position"]),
        (Some(": register(u2)"), &json!({ "line": 1, "character": 23 })),
        "{hints}"
    );
    assert_eq!(hints[0]["textEdits"][0]["newText"], " : register(u2)");
    assert_eq!(hints.as_array().map(Vec::len), Some(1));
    c.end();
}

#[test]
fn hints_and_lenses_come_from_the_compilation() {
    let text = "struct P { float3 c; };\nRaytracingAccelerationStructure Scene;\nRWTexture2D<float4> Out;\n\
        [shader(\"raygeneration\")]\nvoid R() {\n  float3 kept = Out[uint2(0, 0)].xyz;\n  RayDesc r = { kept, 0, kept, 1 };\n  P p = { kept };\n  \
        TraceRay(Scene, 0, 255, 0, 0, 0, r, p);\n  Out[uint2(0, 1)] = float4(p.c + kept, 1);\n}\n[shader(\"miss\")]\nvoid M(inout P p) { p.c = 0; }\n";
    let mut c = Client::start_with("hints", json!({ "compileDelay": 0, "arguments": ["-T", "lib_6_6"] }), refreshing());
    c.open("a.hlsl", text);
    wait_for_lenses(&mut c);
    let params = json!({ "textDocument": { "uri": c.uri("a.hlsl") }, "range": range((0, 0, 99, 0)) });
    let hints = c.request("textDocument/inlayHint", params).unwrap();
    let labels: Vec<String> =
        hints.as_array().unwrap().iter().map(|h| format!("{} {}", h["position"]["line"], h["label"].as_str().unwrap())).collect();
    let has = |line: u32, part: &str| {
        assert!(labels.iter().any(|l| l.starts_with(&format!("{line} ")) && l.contains(part)), "`{part}` in {labels:?}")
    };
    has(0, "live on");
    assert!(!labels.iter().any(|l| l.contains("register")), "a library leaves registers to the linker: {labels:?}");
    has(8, "bytes live");
    let lenses = c.ask_of("textDocument/codeLens", "a.hlsl");
    let titles: Vec<&str> = lenses.as_array().unwrap().iter().map(|l| l["command"]["title"].as_str().unwrap()).collect();
    assert_eq!(titles.len(), 2, "{titles:?}");
    assert!(titles[0].starts_with("raygeneration · lib_6_6 · DXIL ") && titles[0].contains("1 reorder point"), "{titles:?}");
    let listing = c.request("workspace/executeCommand", json!({ "command": "rtc.listing", "arguments": [c.uri("a.hlsl")] })).unwrap();
    assert!(listing.as_str().unwrap().contains("define void"), "{listing}");
    c.end();
}

#[test]
fn a_hint_says_where_a_trace_splits_waves() {
    let text = "struct P { float3 c; };\nRaytracingAccelerationStructure Scene;\nRWTexture2D<float4> Out;\n\
        [shader(\"raygeneration\")]\nvoid R() {\n  RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };\n  P p = { r.Origin };\n  \
        TraceRay(Scene, 0, 255, 0, 0, 0, r, p);\n  if (p.c.x > 0)\n    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);\n  \
        Out[uint2(0, 1)] = float4(p.c, 1);\n}\n[shader(\"miss\")]\nvoid M(inout P p) { p.c = 0; }\n";
    let mut c = Client::start_with("divergent", json!({ "compileDelay": 0, "arguments": ["-T", "lib_6_6"] }), refreshing());
    c.open("a.hlsl", text);
    wait_for_lenses(&mut c);
    let params = json!({ "textDocument": { "uri": c.uri("a.hlsl") }, "range": range((0, 0, 99, 0)) });
    let hints = c.request("textDocument/inlayHint", params).unwrap();
    let of = |line: u64| {
        let hints = hints.as_array().unwrap();
        hints.iter().find(|h| h["position"]["line"] == line).unwrap_or_else(|| panic!("no hint in line {line}: {hints:?}")).to_string()
    };
    assert!(of(7).contains(" live\""), "{}", of(7));
    assert!(of(9).contains(" live, divergent\"") && of(9).contains("`if` in line 9"), "{}", of(9));
    c.end();
}

#[test]
fn formatting_by_clang_format_or_a_reason() {
    let text = "void  f( ) { }\n";
    let mut c = Client::start("format", json!({ "compile": false, "clangFormat": "no-such-program" }));
    c.open("a.hlsl", text);
    let params = json!({ "textDocument": { "uri": c.uri("a.hlsl") }, "options": { "tabSize": 4, "insertSpaces": true } });
    let error = c.request("textDocument/formatting", params.clone()).unwrap_err();
    assert!(error.contains("cannot start `no-such-program`") && error.contains("rtc.clangFormat"), "{error}");
    c.notify("workspace/didChangeConfiguration", json!({ "settings": { "rtc": { "compile": false, "clangFormat": "" } } }));
    assert_eq!(c.request("textDocument/formatting", params), Ok(Value::Null));
    c.end();
}
