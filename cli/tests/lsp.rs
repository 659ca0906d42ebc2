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
