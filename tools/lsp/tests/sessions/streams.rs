//! A session over pipes: what the program `rtc lsp` does with standard input and output.

use std::io::{BufRead, BufReader, Write, pipe};

use serde_json::{Value, json};

fn write(to: &mut impl Write, mut m: Value) {
    m["jsonrpc"] = json!("2.0");
    let text = m.to_string();
    write!(to, "Content-Length: {}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{text}", text.len())
        .expect("the server reads");
}

fn read(from: &mut impl BufRead) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert!(from.read_line(&mut line).expect("UTF-8") > 0, "the server closed its output");
        match line.trim().strip_prefix("Content-Length: ") {
            Some(n) => length = n.parse().expect("a number"),
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).expect("a whole message");
    serde_json::from_slice(&body).expect("JSON")
}

#[test]
fn a_session_over_pipes() {
    let (their_input, mut input) = pipe().expect("a pipe");
    let (output, their_output) = pipe().expect("a pipe");
    let mut output = BufReader::new(output);
    let server = std::thread::spawn(move || {
        let (connection, threads) = rtc_lsp::transport::connect(BufReader::new(their_input), their_output)?;
        let end = rtc_lsp::serve(&connection)?;
        drop(connection);
        threads.join().map(|()| end)
    });
    let until = |output: &mut BufReader<_>, wanted: &dyn Fn(&Value) -> bool| loop {
        let m = read(output);
        if wanted(&m) {
            return m;
        }
    };
    write!(input, "Content-Length: 5\r\n\r\nnoise").expect("the server reads");
    assert_eq!(until(&mut output, &|_| true)["error"]["code"], -32700);
    write(
        &mut input,
        json!({ "id": 1, "method": "initialize", "params": { "capabilities": {}, "initializationOptions": { "compile": false } } }),
    );
    assert_eq!(until(&mut output, &|m| m["id"] == 1)["result"]["serverInfo"]["name"], "rtc");
    let document = json!({ "uri": "untitled:Untitled-1", "languageId": "hlsl", "version": 3, "text": "float f() { return é; }\n" });
    write(&mut input, json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let found = until(&mut output, &|m| m["method"] == "textDocument/publishDiagnostics");
    assert_eq!((&found["params"]["uri"], &found["params"]["version"]), (&json!("untitled:Untitled-1"), &json!(3)));
    assert_eq!(found["params"]["diagnostics"][0]["range"]["start"], json!({ "line": 0, "character": 19 }), "{found}");
    write(&mut input, json!({ "id": "end", "method": "shutdown" }));
    assert_eq!(until(&mut output, &|m| m["id"] == "end")["result"], Value::Null);
    write(&mut input, json!({ "method": "exit" }));
    assert_eq!(server.join().expect("no panic").expect("no error"), rtc_lsp::End::Orderly);
}
