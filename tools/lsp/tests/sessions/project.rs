//! Options of sources: `rtc.toml`, `compile_commands.json`, the first line, the settings.

use crate::client::{Client, folder, settings};
use serde_json::json;

const COMPUTE: &str = "RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)]\nvoid Fill() { Out.Store(0, N); }\n";

#[test]
fn a_description_gives_profile_entry_point_and_macros() {
    let dir = folder("toml");
    let toml = "[shader.fill]\nsource = \"src/fill.hlsl\"\nprofile = \"cs_6_6\"\nentry = \"Fill\"\nmatrix = { N = [1, 2] }\n";
    std::fs::create_dir_all(dir.join("src")).unwrap();
    std::fs::write(dir.join("rtc.toml"), toml).unwrap();
    let mut c = Client::start_in(dir, settings(true), json!({}));
    c.open("src/fill.hlsl", COMPUTE);
    assert_eq!(c.diagnostics("src/fill.hlsl"), [""; 0]);
    // Without the macro it is wrong, and each configuration says so once.
    c.replace("src/fill.hlsl", &COMPUTE.replace("N)", "NN)"));
    assert_eq!(c.diagnostics("src/fill.hlsl").len(), 1);
    c.end();
}

#[test]
fn a_mistake_in_a_description_is_reported_there() {
    let dir = folder("wrong-toml");
    std::fs::write(dir.join("rtc.toml"), "[shader.fill]\nsource = 7\n").unwrap();
    let mut c = Client::start_in(dir, settings(false), json!({}));
    c.open("fill.hlsl", "float x;\n");
    let found = c.published(|p| p["uri"].as_str().unwrap().ends_with("rtc.toml"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("1:"), "{found:?}");
    c.end();
}

#[test]
fn compile_commands_and_the_first_line() {
    let dir = folder("commands");
    let commands = json!([
        { "directory": dir, "file": "a.hlsl", "arguments": ["dxc", "-T", "cs_6_6", "-E", "Fill", "-D", "N=3", "-I", "inc", "a.hlsl"] },
        { "directory": dir, "file": "x.cpp", "command": "g++ -c x.cpp" },
    ]);
    std::fs::write(dir.join("compile_commands.json"), commands.to_string()).unwrap();
    std::fs::create_dir_all(dir.join("inc")).unwrap();
    std::fs::write(dir.join("inc/empty.hlsli"), "").unwrap();
    let mut c = Client::start_in(dir, settings(false), json!({}));
    c.open("a.hlsl", &format!("#include \"empty.hlsli\"\n{COMPUTE}"));
    assert_eq!(c.diagnostics("a.hlsl"), [""; 0]);
    c.open("b.hlsl", &format!("// rtc -T cs_6_0 -E Fill -D N=4\n{COMPUTE}"));
    assert_eq!(c.diagnostics("b.hlsl"), [""; 0]);
    c.open("c.hlsl", &format!("// rtc -T zs_6_0\n{COMPUTE}"));
    let found = c.diagnostics("c.hlsl");
    assert!(found.iter().any(|d| d.starts_with("0:0-0:0 error")), "{found:?}");
    c.end();
}
