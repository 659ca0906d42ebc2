//! Definitions, references, rename, highlights, links: over includes, macros, overloads, methods, templates.

use crate::client::{Client, find, settings, show};
use serde_json::{Value, json};

const HEADER: &str = "#pragma once\n#define SCALE(x) ((x) * Factor)\nstatic const float Factor = 2;\nstruct Light {\n  float3 color;\n  float power();\n};\nfloat luma(float3 c);\n";

const MAIN: &str = r#"#include "light.hlsli"
cbuffer Frame { float Time; Light Sun; };
namespace lib { float luma(float x) { return x; } }
float Light::power() { return luma(color); }
float luma(float3 c) { return dot(c, Time); }
template <typename T> T twice(T x) { return x + x; }
enum class Mode { Off, On };
[shader("raygeneration")]
void Main() {
  Light l = Sun;
  float a = SCALE(l.power()) + lib::luma(l.color.x) + twice(Factor) + twice(1);
  Mode m = Mode::On;
  if (m == Mode::On) l.color = a;
}
"#;

fn session() -> Client {
    let mut c = Client::start("navigate", settings(false));
    c.write("light.hlsli", HEADER);
    c.open("main.hlsl", MAIN);
    assert_eq!(c.diagnostics("main.hlsl"), [""; 0]);
    c
}

/// Locations as `file range`.
fn locations(v: &Value) -> Vec<String> {
    let list = v.as_array().cloned().unwrap_or_default();
    let mut out: Vec<String> =
        list.iter().map(|l| format!("{} {}", l["uri"].as_str().unwrap().rsplit('/').next().unwrap(), show(&l["range"]))).collect();
    out.sort();
    out
}

fn definition(c: &mut Client, what: &str, n: usize) -> Vec<String> {
    locations(&c.ask_at("textDocument/definition", "main.hlsl", find(MAIN, what, n)))
}

#[test]
fn definitions() {
    let mut c = session();
    let at = |file: &str, text: &str, what: &str, n: usize, length: u32| {
        let (line, column) = find(text, what, n);
        format!("{file} {line}:{column}-{line}:{}", column + length)
    };
    for (what, n, expected) in [
        ("Light::power", 0, at("light.hlsli", HEADER, "Light", 0, 5)),
        ("power() {", 0, at("main.hlsl", MAIN, "power", 0, 5)),
        ("power())", 0, at("main.hlsl", MAIN, "power", 0, 5)),
        ("luma(color)", 0, at("main.hlsl", MAIN, "luma(float3", 0, 4)),
        ("luma(l.", 0, at("main.hlsl", MAIN, "luma(float x)", 0, 4)),
        ("lib::", 0, at("main.hlsl", MAIN, "lib", 0, 3)),
        ("color.x", 0, at("light.hlsli", HEADER, "color", 0, 5)),
        ("Time)", 0, at("main.hlsl", MAIN, "Time", 0, 4)),
        ("Sun;\n  float", 0, at("main.hlsl", MAIN, "Sun", 0, 3)),
        ("l.color.x", 0, at("main.hlsl", MAIN, "l = Sun", 0, 1)),
        ("twice(Factor", 0, at("main.hlsl", MAIN, "twice", 0, 5)),
        ("Factor)", 0, at("light.hlsli", HEADER, "Factor =", 0, 6)),
        ("On)", 0, at("main.hlsl", MAIN, "On }", 0, 2)),
        ("Mode m", 0, at("main.hlsl", MAIN, "Mode {", 0, 4)),
        ("SCALE", 0, at("light.hlsli", HEADER, "SCALE", 0, 5)),
        ("light.hlsli", 0, "light.hlsli 0:0-0:0".to_owned()),
    ] {
        assert_eq!(definition(&mut c, what, n), [expected], "`{what}`");
    }
    assert_eq!(definition(&mut c, "dot(", 0), [""; 0], "an intrinsic is declared nowhere");
    // The declaration of what is declared and defined elsewhere.
    let declared = locations(&c.ask_at("textDocument/declaration", "main.hlsl", find(MAIN, "luma(color)", 0)));
    assert_eq!(declared, ["light.hlsli 7:6-7:10"]);
    let of_type = locations(&c.ask_at("textDocument/typeDefinition", "main.hlsl", find(MAIN, "l.power", 0)));
    assert_eq!(of_type, ["light.hlsli 3:7-3:12"]);
    let links = c.ask_of("textDocument/documentLink", "main.hlsl");
    assert!(links[0]["target"].as_str().unwrap().ends_with("light.hlsli"), "{links}");
    c.end();
}

#[test]
fn references_reach_headers_and_macros() {
    let mut c = session();
    let params = |c: &Client, at| {
        let mut p = c.at("main.hlsl", at);
        p["context"] = json!({ "includeDeclaration": true });
        p
    };
    let p = params(&c, find(MAIN, "color.x", 0));
    let found = locations(&c.request("textDocument/references", p).unwrap());
    assert_eq!(found, ["light.hlsli 4:9-4:14", "main.hlsl 10:43-10:48", "main.hlsl 12:23-12:28", "main.hlsl 3:35-3:40"]);
    // A use in the body of a macro is one.
    let p = params(&c, find(MAIN, "Factor)", 0));
    let found = locations(&c.request("textDocument/references", p).unwrap());
    assert_eq!(found, ["light.hlsli 1:24-1:30", "light.hlsli 2:19-2:25", "main.hlsl 10:60-10:66"]);
    let p = params(&c, find(MAIN, "SCALE", 0));
    assert_eq!(locations(&c.request("textDocument/references", p).unwrap()), ["light.hlsli 1:8-1:13", "main.hlsl 10:12-10:17"]);
    let highlights = c.ask_at("textDocument/documentHighlight", "main.hlsl", find(MAIN, "l.color.x", 0));
    assert_eq!(highlights.as_array().unwrap().len(), 4);
    c.end();
}

#[test]
fn rename_changes_every_file() {
    let mut c = session();
    let prepared = c.ask_at("textDocument/prepareRename", "main.hlsl", find(MAIN, "power())", 0));
    assert_eq!(prepared["placeholder"], "power");
    let rename = |c: &mut Client, at, name: &str| {
        let mut p = c.at("main.hlsl", at);
        p["newName"] = json!(name);
        c.request("textDocument/rename", p)
    };
    let edit = rename(&mut c, find(MAIN, "power())", 0), "watts").unwrap();
    let count = |uri: String| edit["changes"][uri].as_array().map_or(0, Vec::len);
    assert_eq!((count(c.uri("main.hlsl")), count(c.uri("light.hlsli"))), (2, 1), "{edit}");
    assert_eq!(rename(&mut c, find(MAIN, "power())", 0), "a b").unwrap_err(), "`a b` is not an identifier");
    assert!(rename(&mut c, find(MAIN, "dot(", 0), "x").unwrap_err().contains("no name of the program"));
    c.end();
}

#[test]
fn rename_refuses_names_that_mean_something_else() {
    const TEXT: &str = "struct Light { float power; };\nnamespace lib { float luma(float x) { return x; } }\nstatic float kept;\nfloat half_of(float power) { Light l; l.power = power; float other = kept; return lib::luma(l.power) + other; }\n";
    let mut c = Client::start("renames", settings(false));
    c.open("main.hlsl", TEXT);
    assert_eq!(c.diagnostics("main.hlsl"), [""; 0]);
    let rename = |c: &mut Client, what: &str, n: usize, name: &str| {
        let mut p = c.at("main.hlsl", find(TEXT, what, n));
        p["newName"] = json!(name);
        c.request("textDocument/rename", p)
    };
    for (what, name) in [
        ("Light", "float4"),
        ("Light", "struct"),
        ("Light", "lib"),
        ("Light", "half_of"),
        ("Light", "RayQuery"),
        ("half_of", "kept"),
        // A local variable that would hide the global one that is used after it.
        ("other", "kept"),
        ("other", "return"),
    ] {
        let why = rename(&mut c, what, 0, name).expect_err(name);
        assert!(why.contains(name), "{what} -> {name}: {why}");
    }
    // A member has a scope of its own, and so has what is free.
    for (what, name) in [("power", "kept"), ("Light", "Lamp"), ("half_of", "luma"), ("other", "Other")] {
        assert!(rename(&mut c, what, 0, name).is_ok(), "{what} -> {name}");
    }
    c.end();
}

#[test]
fn includes_have_links_whatever_came_before() {
    const FIRST: &str = "#pragma once\nstatic const float first = 1;\n";
    const SECOND: &str =
        "#pragma once\n#include \"first.hlsli\"\n#ifdef NEVER\n#include \"never.hlsli\"\n#endif\nstatic const float second = first;\n";
    let mut c = Client::start("links", settings(false));
    c.write("first.hlsli", FIRST);
    c.write("never.hlsli", "");
    c.write("second.hlsli", SECOND);
    // The source has included the first header already when the second one includes it.
    c.open("main.hlsl", "#include \"first.hlsli\"\n#include \"second.hlsli\"\nstatic const float third = second;\n");
    assert_eq!(c.diagnostics("main.hlsl"), [""; 0]);
    c.open("second.hlsli", SECOND);
    assert_eq!(c.diagnostics("second.hlsli"), [""; 0]);
    let links = c.ask_of("textDocument/documentLink", "second.hlsli");
    let targets: Vec<&str> = links.as_array().unwrap().iter().filter_map(|l| l["target"].as_str()).collect();
    assert!(targets.len() == 2 && targets[0].ends_with("first.hlsli") && targets[1].ends_with("never.hlsli"), "{links}");
    let at = find(SECOND, "first.hlsli", 0);
    let found = c.ask_at("textDocument/definition", "second.hlsli", at);
    assert_eq!(locations(&found), ["first.hlsli 0:0-0:0"]);
    assert!(c.ask_at("textDocument/hover", "second.hlsli", at).to_string().contains("first.hlsli"));
    c.end();
}

#[test]
fn sources_of_the_project_that_are_not_open_count() {
    let dir = crate::client::folder("project");
    let toml = "[shader.a]\nsource = \"a.hlsl\"\nprofile = \"lib_6_6\"\n[shader.b]\nsource = \"b.hlsl\"\nprofile = \"lib_6_6\"\n";
    std::fs::write(dir.join("rtc.toml"), toml).unwrap();
    std::fs::write(dir.join("common.hlsli"), "float half_of(float x) { return x / 2; }\n").unwrap();
    let source = |name: &str| format!("#include \"common.hlsli\"\n[shader(\"raygeneration\")] void {name}() {{ float x = half_of(1); }}\n");
    std::fs::write(dir.join("b.hlsl"), source("OtherEntry")).unwrap();
    let mut c = Client::start_in(dir, settings(false), json!({}));
    c.open("a.hlsl", &source("First"));
    assert_eq!(c.diagnostics("a.hlsl"), [""; 0]);
    // The other source is analysed in the background.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
    loop {
        let symbols = c.request("workspace/symbol", json!({ "query": "otherent" })).unwrap();
        if symbols.as_array().unwrap().len() == 1 {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "the source is never analysed: {symbols}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let mut p = c.at("a.hlsl", (1, 52));
    p["context"] = json!({ "includeDeclaration": false });
    let found = locations(&c.request("textDocument/references", p).unwrap());
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].starts_with("b.hlsl"));
    c.end();
}
