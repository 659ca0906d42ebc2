//! Diagnostics while the user types, and their fixes.

use crate::client::{Client, find, range, settings};
use serde_json::json;

const MISS: &str =
    "struct [raypayload] P { float3 c : read(caller) : write(caller, miss); };\n[shader(\"miss\")] void M(inout P p) { p.c = 0; }\n";

#[test]
fn open_change_and_close() {
    let mut c = Client::start("typing", settings(false));
    c.open("a.hlsl", MISS);
    assert_eq!(c.diagnostics("a.hlsl"), [""; 0]);
    // An identifier is typed letter by letter.
    let (line, at) = find(MISS, "= 0", 0);
    c.change("a.hlsl", &[((line, at + 2, line, at + 3), "f")]);
    c.change("a.hlsl", &[((line, at + 3, line, at + 3), "o")]);
    let found = c.diagnostics("a.hlsl");
    assert_eq!(found, [format!("{line}:{}-{line}:{} error E0301 use of undeclared identifier `fo`", at + 2, at + 4)]);
    c.change("a.hlsl", &[((line, at + 2, line, at + 4), "1")]);
    assert_eq!(c.diagnostics("a.hlsl"), [""; 0]);
    c.replace("a.hlsl", "float x\n");
    assert_eq!(c.diagnostics("a.hlsl").len(), 1);
    c.close("a.hlsl");
    let uri = c.uri("a.hlsl");
    // What is found in a text that changed meanwhile has no version either.
    c.published(|p| p["uri"] == uri && p["version"].is_null() && p["diagnostics"] == json!([]));
    c.end();
}

#[test]
fn columns_are_utf16_or_utf8_and_lines_may_end_in_crlf() {
    let text = "float f() {\r\n  /* é𝒳 */ return b;\r\n}\r\n";
    let mut c = Client::start("utf16", settings(false));
    c.open("a.hlsl", text);
    assert_eq!(c.diagnostics("a.hlsl"), ["1:19-1:20 error E0301 use of undeclared identifier `b`"]);
    c.change("a.hlsl", &[((1, 19, 1, 20), "1")]);
    assert_eq!(c.diagnostics("a.hlsl"), [""; 0]);
    c.end();
    let capabilities = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    let mut c = Client::start_with("utf8", settings(false), capabilities);
    c.open("a.hlsl", text);
    assert_eq!(c.diagnostics("a.hlsl"), ["1:22-1:23 error E0301 use of undeclared identifier `b`"]);
    c.end();
}

#[test]
fn a_statement_that_does_not_parse_costs_that_statement() {
    let mut c = Client::start("recovery", settings(false));
    let text = "float f(float a) {\n  float b = a * ;\n  float d = a + c;\n  return d;\n}\nfloat g() { return f(1, 2); }\n}\nfloat h() { return g(); }\n";
    c.open("a.hlsl", text);
    let found = c.diagnostics("a.hlsl");
    let of = |line: u32| found.iter().filter(|d| d.starts_with(&format!("{line}:"))).count();
    assert_eq!((of(1), of(5), of(6), of(7)), (1, 1, 1, 0), "{found:#?}");
    // The rest of the function is known, too.
    let hover = c.ask_at("textDocument/hover", "a.hlsl", (3, 9));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("float d"), "{hover}");
    c.end();
}

#[test]
fn headers_are_seen_as_their_sources_see_them() {
    let mut c = Client::start("headers", settings(false));
    c.write("common.hlsli", "float twice(float x) { return x * 2; }\n");
    let main = "#include \"common.hlsli\"\n[shader(\"raygeneration\")] void R() { float x = twice(K); }\n#define K 1\n";
    c.open("main.hlsl", main);
    assert_eq!(c.diagnostics("main.hlsl").len(), 1);
    // The header uses a macro that only its source has. Its unsaved text counts.
    c.replace("main.hlsl", "#define K 1\n#include \"common.hlsli\"\n[shader(\"raygeneration\")] void R() { float x = twice(K); }\n");
    assert_eq!(c.diagnostics("main.hlsl"), [""; 0]);
    c.open("common.hlsli", "float twice(float x) { return x * K; }\n");
    assert_eq!(c.diagnostics("common.hlsli"), [""; 0]);
    c.change("common.hlsli", &[((0, 34, 0, 35), "L")]);
    assert_eq!(c.diagnostics("common.hlsli"), ["0:34-0:35 error E0301 use of undeclared identifier `L`"]);
    c.change("common.hlsli", &[((0, 6, 0, 11), "thrice"), ((0, 35, 0, 36), "K")]);
    assert_eq!(c.diagnostics("common.hlsli"), [""; 0]);
    let in_main = c.published(|p| p["uri"].as_str().unwrap().ends_with("main.hlsl") && p["diagnostics"].as_array().unwrap().len() == 1);
    assert!(in_main[0].contains("E0301"), "{in_main:?}");
    c.end();
}

#[test]
fn fixes_are_those_of_the_compiler() {
    let mut c = Client::start("fixes", settings(false));
    let text = "float foo() { return 1; }\nfloat f() { float b = 1\n return b; }\n";
    c.open("a.hlsl", text);
    let found = c.diagnostics("a.hlsl");
    assert_eq!(found.len(), 1, "{found:?}");
    let params = json!({ "textDocument": { "uri": c.uri("a.hlsl") }, "range": range((1, 0, 2, 0)), "context": { "diagnostics": [] } });
    let actions = c.request("textDocument/codeAction", params).unwrap();
    let action = &actions[0];
    assert_eq!((action["title"].as_str(), action["kind"].as_str()), (Some("insert `;`"), Some("quickfix")), "{actions}");
    let edit = &action["edit"]["changes"][c.uri("a.hlsl")][0];
    assert_eq!((edit["newText"].as_str(), edit["range"]["start"]["line"].as_i64()), (Some(";"), Some(1)));
    c.end();
}

/// What the compiler finds late has fixes, too: both of its edits are one action.
#[test]
fn an_index_is_marked_by_a_fix() {
    let mut c = Client::start("marks", settings(true));
    let text = "Texture2D<float4> Colors[] : register(t0);\nstruct [raypayload] P { float4 c : read(caller) : write(closesthit); };\n\
                [shader(\"closesthit\")]\n\
                void H(inout P p, BuiltInTriangleIntersectionAttributes a) { p.c = Colors[InstanceID() + 1].Load(0); }\n";
    c.open("a.hlsl", text);
    let uri = c.uri("a.hlsl");
    let found = c.published(|p| p["uri"] == uri && !p["diagnostics"].as_array().unwrap().is_empty());
    assert!(found.len() == 1 && found[0].contains("may use different elements of `Colors`"), "{found:?}");
    let params = json!({ "textDocument": { "uri": uri }, "range": range((3, 0, 3, 200)), "context": { "diagnostics": [] } });
    let actions = c.request("textDocument/codeAction", params).unwrap();
    assert_eq!(actions[0]["title"], "insert `NonUniformResourceIndex(` and `)`", "{actions}");
    let mut edits = actions[0]["edit"]["changes"][c.uri("a.hlsl")].as_array().unwrap().clone();
    edits.sort_by_key(|e| std::cmp::Reverse(e["range"]["start"]["character"].as_u64()));
    let mut line = text.lines().nth(3).unwrap().to_owned();
    for e in edits {
        assert_eq!(e["range"]["start"], e["range"]["end"]);
        line.insert_str(e["range"]["start"]["character"].as_u64().unwrap() as usize, e["newText"].as_str().unwrap());
    }
    assert!(line.contains("p.c = Colors[NonUniformResourceIndex(InstanceID() + 1)].Load(0);"), "{line}");
    c.end();
}

#[test]
fn later_stages_warn_after_a_while() {
    let mut c = Client::start("later", settings(true));
    let text = "struct [raypayload] P { float3 c : read(caller) : write(miss); float u : read(caller) : write(miss); };\n\
                [shader(\"miss\")] void M(inout P p) { p.c = 0; }\n";
    c.open("a.hlsl", text);
    let uri = c.uri("a.hlsl");
    let found = c.published(|p| p["uri"] == uri && !p["diagnostics"].as_array().unwrap().is_empty());
    assert!(found.iter().all(|d| d.contains("warning") && d.starts_with("1:")), "{found:?}");
    // While another line is edited, they stay and move with theirs.
    c.inbox.clear();
    c.change("a.hlsl", &[((0, 0, 0, 0), "// a comment\n")]);
    let moved = c.diagnostics("a.hlsl");
    assert_eq!(moved.len(), found.len(), "{moved:?}");
    assert!(moved.iter().all(|d| d.contains("warning") && d.starts_with("2:")), "{moved:?}");
    c.end();
}
