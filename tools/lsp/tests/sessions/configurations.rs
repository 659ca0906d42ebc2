//! Several configurations: a header that several sources include, a source with several targets. Diagnostics come from all, and one can be chosen.

use crate::client::{Client, folder, settings};
use serde_json::{Value, json};

const HEADER: &str = "#ifdef FAST\nfloat quality() { return Quick; }\n#else\nfloat quality() { return Slow; }\n#endif\n";

fn choices(c: &mut Client, name: &str) -> Vec<String> {
    let params = json!({ "command": "rtc.choices", "arguments": [c.uri(name)] });
    let list = c.request("workspace/executeCommand", params).expect("choices");
    let one = |v: &Value| {
        let file = v["source"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        format!("{file} {}{}", v["configuration"].as_str().unwrap(), if v["active"] == true { "*" } else { "" })
    };
    list.as_array().unwrap().iter().map(one).collect()
}

fn choose(c: &mut Client, name: &str, source: &str, configuration: &str) -> Result<Value, String> {
    let params = json!({ "command": "rtc.choose", "arguments": [c.uri(name), c.uri(source), configuration] });
    c.request("workspace/executeCommand", params)
}

#[test]
fn a_header_is_seen_in_every_source_that_includes_it() {
    let dir = folder("two-sources");
    std::fs::write(dir.join("common.hlsli"), HEADER).unwrap();
    std::fs::write(dir.join("fast.hlsl"), "#define FAST\nstatic const float Quick = 1;\n#include \"common.hlsli\"\n").unwrap();
    std::fs::write(dir.join("slow.hlsl"), "static const float Slow = 2;\n#include \"common.hlsli\"\n").unwrap();
    let commands = json!([
        { "directory": dir, "file": "fast.hlsl", "arguments": ["dxc", "-T", "lib_6_6", "fast.hlsl"] },
        { "directory": dir, "file": "slow.hlsl", "arguments": ["dxc", "-T", "lib_6_6", "slow.hlsl"] },
    ]);
    std::fs::write(dir.join("compile_commands.json"), commands.to_string()).unwrap();
    let mut c = Client::start_in(dir, settings(false), json!({}));
    c.open("fast.hlsl", "#define FAST\nstatic const float Quick = 1;\n#include \"common.hlsli\"\n");
    c.open("slow.hlsl", "static const float Slow = 2;\n#include \"common.hlsli\"\n");
    c.diagnostics("fast.hlsl");
    c.diagnostics("slow.hlsl");
    c.open("common.hlsli", HEADER);
    c.diagnostics("common.hlsli");
    assert_eq!(choices(&mut c, "common.hlsli"), ["fast.hlsl *", "slow.hlsl "]);
    // A mistake in the group of each source is reported, although the header is seen in one of them.
    let wrong = HEADER.replace("Quick;", "Quicker;").replace("Slow;", "Slower;");
    c.replace("common.hlsli", &wrong);
    let both = |p: &Value| p["uri"].as_str().unwrap().ends_with("common.hlsli") && p["diagnostics"].as_array().unwrap().len() == 2;
    let mut found = c.published(both);
    found.sort();
    assert!(found[0].contains("E0301") && found[0].contains("`Quicker`") && found[1].contains("`Slower`"), "{found:?}");
    // Which one counts for everything else is chosen.
    let hover = |c: &mut Client, line: u32| {
        c.ask_at("textDocument/hover", "common.hlsli", (line, 8))["contents"]["value"].as_str().unwrap_or("").to_owned()
    };
    assert!(hover(&mut c, 1).contains("float quality()") && !hover(&mut c, 3).contains("float quality()"));
    assert_eq!(choose(&mut c, "common.hlsli", "slow.hlsl", ""), Ok(json!(true)));
    assert_eq!(choices(&mut c, "common.hlsli"), ["fast.hlsl ", "slow.hlsl *"]);
    assert!(hover(&mut c, 3).contains("float quality()") && !hover(&mut c, 1).contains("float quality()"));
    // The lens over the first line says so, and its command goes on to the next one.
    let lenses = c.ask_of("textDocument/codeLens", "common.hlsli");
    assert_eq!(lenses[0]["command"]["title"], "as slow.hlsl sees it (2 of 2)");
    let command = json!({ "command": lenses[0]["command"]["command"], "arguments": lenses[0]["command"]["arguments"] });
    assert_eq!(c.request("workspace/executeCommand", command), Ok(json!(true)));
    assert_eq!(choices(&mut c, "common.hlsli"), ["fast.hlsl *", "slow.hlsl "]);
    let error = choose(&mut c, "common.hlsli", "other.hlsl", "").unwrap_err();
    assert!(error.contains("cannot be seen as"), "{error}");
    c.end();
}

#[test]
fn sources_that_are_not_open_count_too() {
    let dir = folder("closed-sources");
    std::fs::write(dir.join("common.hlsli"), HEADER).unwrap();
    std::fs::write(dir.join("fast.hlsl"), "#define FAST\nstatic const float Quick = 1;\n#include \"common.hlsli\"\n").unwrap();
    std::fs::write(dir.join("slow.hlsl"), "#include \"common.hlsli\"\n").unwrap();
    let toml =
        "[shader.fast]\nsource = \"fast.hlsl\"\nprofile = \"lib_6_6\"\n[shader.slow]\nsource = \"slow.hlsl\"\nprofile = \"lib_6_6\"\n";
    std::fs::write(dir.join("rtc.toml"), toml).unwrap();
    let mut c = Client::start_in(dir, settings(false), json!({}));
    c.open("common.hlsli", HEADER);
    // The mistake is in what only the other source sees.
    let other = |p: &Value| p["diagnostics"].to_string().contains("as `slow.hlsl` sees it");
    let found = c.published(|p| p["uri"].as_str().unwrap().ends_with("common.hlsli") && other(p));
    assert!(found.len() == 1 && found[0].contains("`Slow`"), "{found:?}");
    assert_eq!(choices(&mut c, "common.hlsli").len(), 2);
    c.close("common.hlsli");
    c.end();
}

#[test]
fn a_configuration_of_a_source_is_chosen() {
    let dir = folder("two-configurations");
    let toml = "[shader.fill]\nsource = \"fill.hlsl\"\nprofile = \"cs_6_6\"\nentry = \"Fill\"\nmatrix = { N = [1, 2] }\n";
    std::fs::write(dir.join("rtc.toml"), toml).unwrap();
    let text = "static const int Value = N;\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)]\nvoid Fill() { Out.Store(0, Value); }\n";
    let mut c = Client::start_in(dir, settings(false), json!({}));
    c.open("fill.hlsl", text);
    assert_eq!(c.diagnostics("fill.hlsl"), [""; 0]);
    let all = choices(&mut c, "fill.hlsl");
    assert!(all.len() == 2 && all[0].ends_with('*') && all[0].contains("N=1"), "{all:?}");
    let hover =
        |c: &mut Client| c.ask_at("textDocument/hover", "fill.hlsl", (0, 18))["contents"]["value"].as_str().unwrap_or("").to_owned();
    assert!(hover(&mut c).contains("Value = 1"));
    let second = all[1].strip_prefix("fill.hlsl ").unwrap().to_owned();
    assert_eq!(choose(&mut c, "fill.hlsl", "fill.hlsl", &second), Ok(json!(true)));
    assert!(hover(&mut c).contains("Value = 2"));
    let lenses = c.ask_of("textDocument/codeLens", "fill.hlsl");
    assert_eq!(lenses[0]["command"]["title"], format!("configuration {second} (2 of 2)"));
    c.end();
}
