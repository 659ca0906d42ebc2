//! Folders without a description: headers find the sources that include them, includes find their folders, and what is missing is one remark.

use crate::client::{Client, find, folder, settings};
use serde_json::{Value, json};

const MATH: &str = "#include \"base/types.hlsli\"\nreal twice(real x) { return x * 2; }\n";
const LIGHT: &str = "float lit(float n) { return twice(n) * STRENGTH; }\n";
const MAIN: &str = "#define STRENGTH 3\n#include \"common/math.hlsli\"\n#include \"light.hlsli\"\nRWByteAddressBuffer Out;\n[shader(\"compute\")] [numthreads(1, 1, 1)] void main() { Out.Store(0, asuint(lit(1))); }\n";

/// A project: `shaders/` is the root of its includes, and nothing says so.
fn project(name: &str, files: &[(&str, &str)]) -> Client {
    let dir = folder(name);
    for (file, text) in files {
        let path = dir.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let edits = json!({ "documentChanges": true, "resourceOperations": ["create"] });
    Client::start_in(dir, settings(false), json!({ "workspace": { "workspaceEdit": edits } }))
}

const FILES: [(&str, &str); 4] = [
    ("shaders/base/types.hlsli", "typedef float real;\n"),
    ("shaders/common/math.hlsli", MATH),
    ("shaders/passes/light.hlsli", LIGHT),
    ("shaders/passes/main.hlsl", MAIN),
];

#[test]
fn a_header_is_seen_in_a_source_that_includes_it() {
    let mut c = project("users", &FILES);
    c.open("shaders/passes/light.hlsli", LIGHT);
    // First it is on its own; as soon as its source is found, it is complete.
    let uri = c.uri("shaders/passes/light.hlsli");
    c.published(|p| p["uri"] == uri && p["diagnostics"].as_array().unwrap().is_empty());
    let found = c.ask_at("textDocument/definition", "shaders/passes/light.hlsli", find(LIGHT, "twice", 0));
    assert!(found.to_string().contains("common/math.hlsli"), "{found}");
    let none: &[&str] = &[];
    c.open("shaders/passes/main.hlsl", MAIN);
    assert_eq!(c.diagnostics("shaders/passes/main.hlsl"), none);
    c.end();
}

#[test]
fn a_header_without_sources_has_one_remark_and_a_fix() {
    let text = "Scene scene() { return load(INDEX); }\nfloat a() { return b + ; }\nint c() { return missing(1) + INDEX; }\n";
    let mut c = project("alone", &[("inc/alone.hlsli", text)]);
    c.open("inc/alone.hlsli", text);
    let found = c.diagnostics("inc/alone.hlsli");
    let remarks: Vec<&String> = found.iter().filter(|d| d.contains(" note ")).collect();
    assert_eq!((remarks.len(), found.len()), (1, 2), "{found:?}");
    assert!(remarks[0].contains("declares not all that it uses") && remarks[0].contains("`Scene`"), "{found:?}");
    assert!(found.iter().any(|d| d.starts_with("1:") && d.contains("error E0201")), "{found:?}");
    let at = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 5 } });
    let document = json!({ "uri": c.uri("inc/alone.hlsli") });
    let params = json!({ "textDocument": document, "range": at, "context": { "diagnostics": [] } });
    let actions = c.request("textDocument/codeAction", params.clone()).unwrap();
    let fix = actions.as_array().unwrap().iter().find(|a| a["title"].as_str().unwrap().starts_with("write an rtc.toml")).expect("a fix");
    let changes = &fix["edit"]["documentChanges"];
    assert_eq!((&changes[0]["kind"], &changes[0]["uri"]), (&json!("create"), &json!(c.uri("rtc.toml"))));
    let made = changes[1]["edits"][0]["newText"].as_str().unwrap();
    assert!(made.contains("source = \"**/*.hlsl\"") && made.contains("profile = \"lib_6_9\""), "{made}");
    // With it, sources are compiled as it says, and there is nothing left to write.
    c.write("rtc.toml", made);
    c.write("inc/main.hlsl", "struct Scene { int n; };\n");
    c.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": c.uri("rtc.toml"), "type": 1 }] }));
    let actions = c.request("textDocument/codeAction", params).unwrap();
    let empty = Value::Array(Vec::new());
    assert!(
        !actions.as_array().or(empty.as_array()).unwrap().iter().any(|a| a["title"].as_str().unwrap().contains("rtc.toml")),
        "{actions}"
    );
    c.end();
}

#[test]
fn a_header_that_is_complete_has_its_errors() {
    let text = "float f() { int3 a = float2(1, 2); return 1; }\n";
    let mut c = project("complete", &[("own.hlsli", text)]);
    c.open("own.hlsli", text);
    let found = c.diagnostics("own.hlsli");
    assert!(found.len() == 1 && found[0].contains(" error "), "{found:?}");
    c.end();
}
