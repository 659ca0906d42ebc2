//! Clients that type fast, cancel, and send nonsense; files that vanish, include cycles. The server answers every request once and stays.

use std::collections::HashMap;

use crate::client::{Client, find, folder, settings};
use lsp_server::{Message, Request};
use rtc_test_support::Random;
use serde_json::{Value, json};

#[test]
fn the_protocol_before_and_after_the_session() {
    let mut c = Client::silent(folder("early"));
    let refused = c.request("textDocument/hover", json!({})).unwrap_err();
    assert!(refused.contains("initialize"), "{refused}");
    assert!(c.request("initialize", json!([1])).unwrap_err().contains("parameters of `initialize`"));
    c.request("initialize", json!({ "capabilities": {} })).unwrap();
    assert!(c.request("initialize", json!({ "capabilities": {} })).unwrap_err().contains("already"));
    assert!(c.request("no/such", Value::Null).unwrap_err().contains("no request `no/such`"));
    assert!(c.request("textDocument/hover", json!({ "textDocument": { "uri": "file:///x" } })).unwrap_err().contains("not open"));
    assert!(c.request("textDocument/hover", json!({ "position": 1 })).unwrap_err().contains("textDocument"));
    c.open("a.hlsl", "float x;\n");
    let bad = json!({ "textDocument": { "uri": c.uri("a.hlsl") }, "position": { "line": -1 } });
    assert!(c.request("textDocument/hover", bad).unwrap_err().contains("wrong parameters"));
    assert_eq!(c.request("shutdown", Value::Null), Ok(Value::Null));
    assert!(c.request("workspace/symbol", json!({ "query": "" })).unwrap_err().contains("shut down"));
    c.notify("exit", Value::Null);
}

#[test]
fn include_cycles_and_files_that_vanish() {
    let mut c = Client::start("cycle", settings(false));
    c.write("a.hlsli", "#include \"b.hlsli\"\nfloat a;\n");
    c.write("b.hlsli", "float b;\n");
    let main = "#include \"a.hlsli\"\nfloat f() { return b; }\n";
    c.open("main.hlsl", main);
    assert_eq!(c.diagnostics("main.hlsl"), [""; 0]);
    c.open("b.hlsli", "#include \"a.hlsli\"\nfloat b;\n");
    c.diagnostics("b.hlsli");
    let hover = c.ask_at("textDocument/hover", "main.hlsl", find(main, "f()", 0));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("float f()"), "{hover}");
    c.replace("b.hlsli", "float b;\n");
    assert_eq!(c.diagnostics("b.hlsli"), [""; 0]);
    c.inbox.clear();
    std::fs::remove_file(c.path("a.hlsli")).unwrap();
    c.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": c.uri("a.hlsli"), "type": 3 }] }));
    let main_uri = c.uri("main.hlsl");
    let found = c.published(|p| p["uri"] == main_uri && !p["diagnostics"].as_array().unwrap().is_empty());
    assert!(found[0].contains("a.hlsli"), "{found:?}");
    c.end();
}

#[test]
fn cancelled_requests_are_answered_once() {
    let mut c = Client::start("cancel", settings(false));
    c.open("a.hlsl", "float f() { return 1; }\n");
    let mut ids = Vec::new();
    for i in 0..50 {
        c.change("a.hlsl", &[((0, 19, 0, 20), if i % 2 == 0 { "2" } else { "1" })]);
        let params = c.at("a.hlsl", (0, 6));
        let method = if i % 3 == 0 { "textDocument/completion" } else { "textDocument/hover" };
        let id = c.ask(method, params);
        c.notify("$/cancelRequest", json!({ "id": id }));
        ids.push(id);
    }
    for id in ids {
        let r = c.answer(id);
        assert!(r.error.is_none_or(|e| e.code == -32800), "it is answered or cancelled");
    }
    assert_eq!(c.diagnostics("a.hlsl"), [""; 0]);
    c.end();
}

const NAMES: [&str; 4] = ["a.hlsl", "b.hlsl", "h.hlsli", "i.hlsli"];

const TEXTS: [&str; 4] = [
    "#include \"h.hlsli\"\nstruct P { float3 c; };\n[shader(\"miss\")] void M(inout P p) { p.c = half_of(1).xxx; }\n",
    "#include \"i.hlsli\"\nRWTexture2D<float4> Out;\n[shader(\"raygeneration\")]\r\nvoid R() { Out[DispatchRaysIndex().xy] = half_of(2); }\r\n",
    "#include \"i.hlsli\"\n#define TWICE(x) (x + x)\nfloat half_of(float x) { return x / 2; }\n",
    "#include \"h.hlsli\"\ntemplate <typename T> T id(T x) { return x; }\nnamespace n { enum class E { é, A = 1 }; }\n",
];

const PIECES: [&str; 43] = [
    "",
    " ",
    "\n",
    "\r\n",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ".",
    "::",
    ":",
    "#",
    "#include \"h.hlsli\"\n",
    "#define X X X\n",
    "#if 1\n",
    "#endif\n",
    "/*",
    "*/",
    "//",
    "\"",
    "é𝒳",
    "float",
    "x",
    "struct S {",
    "template <typename T>",
    "X",
    "[shader(\"miss\")]",
    "return",
    "0x",
    " : register(t",
    "[[vk::binding(1, ",
    " : SV_",
    "TriangleHitGroup G = { \"M\", \"",
    "GlobalRootSignature R = { \"CBV(b0), ",
    "#pragma ",
    "#include <",
    " : read(caller, ",
    "[",
];

const METHODS: [&str; 20] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/foldingRange",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/codeAction",
    "textDocument/documentLink",
    "workspace/symbol",
    "rtc/statistics",
];

/// The memory of this process in KiB; `None` where the system does not say.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?.trim().trim_end_matches(" kB").parse().ok()
}

/// `RTC_LSP_MESSAGES` says how many; 100,000 were sent before the server was released.
#[test]
fn random_messages() {
    let count: usize = std::env::var("RTC_LSP_MESSAGES").ok().map_or(1500, |n| n.parse().expect("RTC_LSP_MESSAGES is a number"));
    let mut c = Client::start("random", settings(true));
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    let (mut requests, mut answers): (HashMap<String, usize>, HashMap<String, usize>) = Default::default();
    let mut halfway = None;
    let mut id = 1000;
    let note = |c: &mut Client, m: Message, answers: &mut HashMap<String, usize>| {
        match m {
            Message::Response(r) => *answers.entry(r.id.to_string()).or_default() += 1,
            Message::Request(q) => c.send(lsp_server::Response::new_ok(q.id, Value::Null)),
            Message::Notification(_) => {}
        };
    };
    for n in 0..count {
        let name = r.of(&NAMES);
        let position = |r: &mut Random| json!({ "line": r.below(8), "character": r.below(70) });
        match r.below(20) {
            0 => c.open(name, r.of(&TEXTS)),
            1 => c.close(name),
            2 => c.replace(name, r.of(&TEXTS)),
            3..=10 => {
                let (a, b) = (r.below(7) as u32, r.below(60) as u32);
                let end = if r.below(3) == 0 { (r.below(9) as u32, r.below(60) as u32) } else { (a, b + r.below(3) as u32) };
                c.change(name, &[((a, b, end.0, end.1), r.of(&PIECES))]);
            }
            11 => c.write(r.of(&NAMES[2..]), r.of(&TEXTS)),
            12 => {
                let file = r.of(&NAMES[2..]);
                let _ = std::fs::remove_file(c.path(file));
                c.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": c.uri(file), "type": 3 }] }));
            }
            13 => {
                let values = [Value::Null, json!([]), json!("x"), json!({ "textDocument": 1 }), json!({ "uri": "file://%%" })];
                let method =
                    ["textDocument/didChange", "textDocument/didOpen", "$/cancelRequest", "textDocument/didSave", "no/such", "$/x"];
                c.notify(r.of(&method), values[r.below(values.len())].clone());
            }
            k => {
                id += 1;
                let method = if r.below(12) == 0 { "workspace/executeCommand" } else { r.of(&METHODS) };
                let mut params =
                    json!({ "textDocument": { "uri": c.uri(name) }, "position": position(&mut r), "newName": "renamed", "query": "f" });
                params["context"] = json!({ "includeDeclaration": true, "diagnostics": [] });
                params["range"] = json!({ "start": position(&mut r), "end": position(&mut r) });
                if method == "workspace/executeCommand" {
                    let command = r.of(&["rtc.choose", "rtc.choices", "rtc.listing", "none"]);
                    params = json!({ "command": command, "arguments": [c.uri(name), c.uri(r.of(&NAMES)), "", 3] });
                }
                if k == 14 {
                    params = json!({ "textDocument": { "uri": c.uri(name) } });
                }
                requests.insert(lsp_server::RequestId::from(id).to_string(), 1);
                c.send(Request { id: id.into(), method: method.into(), params });
                if r.below(3) == 0 {
                    c.notify("$/cancelRequest", json!({ "id": id }));
                }
            }
        }
        // A client reads now and then.
        if n % 50 == 49 {
            let probe = c.ask("workspace/symbol", json!({ "query": "zzz" }));
            c.answer(probe);
            for m in std::mem::take(&mut c.inbox) {
                note(&mut c, m, &mut answers);
            }
        }
        if n == count / 2 {
            halfway = memory();
        }
    }
    // The server is there, and right.
    for name in NAMES {
        c.close(name);
    }
    c.open("last.hlsl", "float answer() { return 42; }\n");
    assert_eq!(c.diagnostics("last.hlsl"), [""; 0]);
    let hover = c.ask_at("textDocument/hover", "last.hlsl", (0, 8));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("float answer()"));
    if let (Some(before), Some(after)) = (halfway, memory()) {
        println!("{count} messages, memory halfway {before} KiB, at the end {after} KiB");
        assert!(after < before + (128 << 10), "memory grew from {before} to {after} KiB");
    }
    for m in std::mem::take(&mut c.inbox) {
        note(&mut c, m, &mut answers);
    }
    let wrong: Vec<_> = requests.keys().filter(|id| answers.get(*id) != Some(&1)).collect();
    assert!(wrong.is_empty(), "requests that were not answered once: {wrong:?}");
    c.end();
}
