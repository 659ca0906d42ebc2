//! `rtc lsp` over real standard input and output: framing, a session, nonsense in between, exit codes.
#![cfg(feature = "lsp")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start() -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtc"));
        let mut child = command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("rtc starts");
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Server { child, input, output: BufReader::new(output) }
    }

    fn send_text(&mut self, text: &str) {
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        self.send_text(&message.to_string());
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("UTF-8") > 0, "the server closed its output");
            match line.trim().split_once(": ") {
                Some(("Content-Length", n)) => length = n.parse().expect("a number"),
                _ if line.trim().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a whole message");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// The next message for which `wanted` holds.
    fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let m = self.receive();
            if wanted(&m) {
                return m;
            }
        }
    }
}

#[test]
fn a_session_over_standard_input_and_output() {
    let mut s = Server::start();
    s.send(json!({ "id": 1, "method": "initialize", "params": { "capabilities": {}, "initializationOptions": { "compile": false } } }));
    let answer = s.until(|m| m["id"] == 1);
    assert_eq!(answer["result"]["serverInfo"]["name"], "rtc", "{answer}");
    s.send(json!({ "method": "initialized", "params": {} }));
    s.send_text("{ this is no JSON");
    let refused = s.until(|m| !m["error"].is_null());
    assert_eq!(refused["error"]["code"], -32700, "{refused}");
    let document = json!({ "uri": "file:///nowhere/a.hlsl", "languageId": "hlsl", "version": 1, "text": "float f() { return é; }\n" });
    s.send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let found = s.until(|m| m["method"] == "textDocument/publishDiagnostics");
    assert_eq!(found["params"]["diagnostics"][0]["range"]["start"], json!({ "line": 0, "character": 19 }), "{found}");
    s.send(json!({ "id": "two", "method": "shutdown" }));
    assert_eq!(s.until(|m| m["id"] == "two")["result"], Value::Null);
    s.send(json!({ "method": "exit" }));
    assert!(s.child.wait().expect("it ends").success());
}

#[test]
fn a_client_that_leaves_ends_the_server() {
    let Server { mut child, input, .. } = Server::start();
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    let bad = Command::new(env!("CARGO_BIN_EXE_rtc")).args(["lsp", "--port"]).output().expect("rtc starts");
    assert!(String::from_utf8_lossy(&bad.stderr).contains("unknown argument `--port`"));
}

/// The memory of a process that is in use, in MiB.
#[cfg(target_os = "linux")]
fn memory(child: &Child) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("the process runs");
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") / 1024
}

/// Edits of a source that includes a large header, in turn with those of the header, with a hover after each. `RTC_LSP_EDITS=10000` makes more of
/// them in a project of 60 sources, and prints what the memory was on the way.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_over_many_edits() {
    let chosen = std::env::var("RTC_LSP_EDITS").ok().and_then(|n| n.parse().ok());
    let sources: usize = if chosen.is_some() { 60 } else { 12 };
    let edits: usize = chosen.unwrap_or(120);
    let dir = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lsp-memory");
    _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a folder");
    let functions = (0..800).map(|n| format!("float f{n}(float x) {{ float y = x * {n} + 1; if (y > 2) y = sqrt(y); return y; }}\n"));
    let header: String = functions.collect();
    let source = |n: usize| {
        format!(
            "#include \"all.hlsli\"\nRWByteAddressBuffer Out;\n[shader(\"compute\")] [numthreads(8, 8, 1)]\nvoid main{n}(uint i : SV_GroupIndex)\n{{\n    Out.Store(i, asuint(f{n}(i)));\n}}\n"
        )
    };
    std::fs::write(dir.join("all.hlsli"), &header).expect("a file");
    let uri = |name: &str| format!("file://{}", dir.join(name).display());
    let mut s = Server::start();
    let folders = json!([{ "uri": format!("file://{}", dir.display()), "name": "memory" }]);
    let options = json!({ "compile": false, "arguments": ["-T", "lib_6_6"] });
    s.send(json!({ "id": 1, "method": "initialize", "params": { "capabilities": {}, "workspaceFolders": folders, "initializationOptions": options } }));
    s.until(|m| m["id"] == 1);
    s.send(json!({ "method": "initialized", "params": {} }));
    let open = |s: &mut Server, name: &str, text: &str| {
        let document = json!({ "uri": uri(name), "languageId": "hlsl", "version": 0, "text": text });
        s.send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    };
    for n in 0..sources {
        std::fs::write(dir.join(format!("s{n}.hlsl")), source(n)).expect("a file");
        open(&mut s, &format!("s{n}.hlsl"), &source(n));
    }
    open(&mut s, "all.hlsli", &header);
    let mut early = 0;
    for edit in 0..edits {
        // A line comes, and goes with the next edit of the same file; every tenth pair is in the header.
        let pair = edit / 2;
        let (name, line) = if pair % 10 == 9 { ("all.hlsli".to_owned(), 40) } else { (format!("s{}.hlsl", pair % sources), 5) };
        let at = |line: usize| json!({ "line": line, "character": 0 });
        // In every other header pair the program changes, too.
        let more = if pair % 20 == 19 { "static const int more = 1;\n" } else { "// a line more\n" };
        let (end, text) = if edit % 2 == 0 { (at(line), more) } else { (at(line + 1), "") };
        let change = json!([{ "range": { "start": at(line), "end": end }, "text": text }]);
        let document = json!({ "uri": uri(&name), "version": edit + 1 });
        s.send(json!({ "method": "textDocument/didChange", "params": { "textDocument": document, "contentChanges": change } }));
        let id = format!("hover {edit}");
        let document = json!({ "uri": uri(&name) });
        s.send(json!({ "id": id, "method": "textDocument/hover", "params": { "textDocument": document, "position": { "line": line + 1, "character": 8 } } }));
        s.until(|m| m["id"] == id.as_str());
        if edit == edits / 4 {
            early = memory(&s.child);
        }
        if chosen.is_some() && edit % (edits / 20).max(1) == 0 {
            println!("{edit} edits: {} MiB", memory(&s.child));
        }
    }
    let late = memory(&s.child);
    println!("{edits} edits: {late} MiB");
    assert!(late < 300, "{late} MiB after {edits} edits");
    assert!(late < early + early / 4 + 24, "{early} MiB after a quarter of {edits} edits, {late} MiB at the end");
}
