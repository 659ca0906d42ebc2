//! A client that drives the server in this process, over `Connection::memory`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, Response};
use rtc_lsp::End;
use serde_json::{Value, json};

/// How long an answer may take: the machine may be busy with other tests.
const PATIENCE: Duration = Duration::from_secs(120);

/// The line and character of the start and of the end of a range.
pub type Corners = (u32, u32, u32, u32);

/// A session with a server.
pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<std::io::Result<End>>>,
    next: i32,
    /// Messages of the server that the test did not wait for yet.
    pub inbox: Vec<Message>,
    /// The folder of the session's files.
    pub folder: PathBuf,
    versions: std::collections::HashMap<String, i32>,
}

/// A folder of its own for a test.
pub fn folder(name: &str) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let n = NUMBER.fetch_add(1, Ordering::Relaxed);
    let dir = rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("lsp-{name}-{n}"));
    dir.canonicalize().expect("it exists")
}

/// The settings of tests: compilations only where a test asks for them, and without a delay.
pub fn settings(compile: bool) -> Value {
    json!({ "compile": compile, "compileDelay": 0, "arguments": ["-T", "lib_6_9"] })
}

impl Client {
    /// A session that is initialized.
    pub fn start(name: &str, settings: Value) -> Client {
        Client::start_with(name, settings, json!({}))
    }

    /// A session of a client with these capabilities.
    pub fn start_with(name: &str, settings: Value, capabilities: Value) -> Client {
        Client::start_in(folder(name), settings, capabilities)
    }

    /// A session in a folder that is there already.
    pub fn start_in(folder: PathBuf, settings: Value, capabilities: Value) -> Client {
        let mut c = Client::silent(folder);
        let root = c.uri("");
        let params = json!({ "processId": null, "rootUri": root, "capabilities": capabilities, "initializationOptions": settings });
        c.request("initialize", params).expect("it initializes");
        c.notify("initialized", json!({}));
        c
    }

    /// A session that is not initialized.
    pub fn silent(folder: PathBuf) -> Client {
        let (ours, theirs) = Connection::memory();
        let server = std::thread::spawn(move || rtc_lsp::serve(&theirs));
        Client { connection: ours, server: Some(server), next: 0, inbox: Vec::new(), folder, versions: Default::default() }
    }

    /// The path of a file of the session.
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }

    /// Its URI.
    pub fn uri(&self, name: &str) -> String {
        let path = if name.is_empty() { self.folder.clone() } else { self.folder.join(name) };
        format!("file://{}", path.to_string_lossy())
    }

    /// Writes a file to the disk.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("the file is written");
    }

    /// Sends a message.
    pub fn send(&self, m: impl Into<Message>) {
        self.connection.sender.send(m.into()).expect("the server is there");
    }

    /// Sends a notification.
    pub fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.into(), params });
    }

    /// Sends a request without waiting for its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        self.send(Request { id: self.next.into(), method: method.into(), params });
        self.next
    }

    /// The next message of the server.
    pub fn receive(&mut self) -> Message {
        self.connection.receiver.recv_timeout(PATIENCE).expect("a message of the server")
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: i32) -> Response {
        if let Some(at) = self.inbox.iter().position(|m| matches!(m, Message::Response(r) if r.id == id.into())) {
            let Message::Response(r) = self.inbox.remove(at) else { unreachable!("it is a response") };
            return r;
        }
        loop {
            match self.receive() {
                Message::Response(r) if r.id == id.into() => return r,
                other => self.inbox.push(other),
            }
        }
    }

    /// Sends a request and waits for its answer: the result, or the error's message.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.ask(method, params);
        let r = self.answer(id);
        match r.error {
            Some(e) => Err(e.message),
            None => Ok(r.result.unwrap_or(Value::Null)),
        }
    }

    /// Opens a document.
    pub fn open(&mut self, name: &str, text: &str) {
        self.versions.insert(name.to_owned(), 1);
        let d = json!({ "uri": self.uri(name), "languageId": "hlsl", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": d }));
    }

    /// Changes a document: ranges as (line, character, line, character), and the new texts.
    pub fn change(&mut self, name: &str, changes: &[(Corners, &str)]) {
        let changes: Vec<Value> = changes.iter().map(|&(r, text)| json!({ "range": range(r), "text": text })).collect();
        self.send_changes(name, json!(changes));
    }

    /// Replaces the text of a document.
    pub fn replace(&mut self, name: &str, text: &str) {
        self.send_changes(name, json!([{ "text": text }]));
    }

    fn send_changes(&mut self, name: &str, changes: Value) {
        let version = self.versions.entry(name.to_owned()).or_insert(0);
        *version += 1;
        let version = *version;
        let d = json!({ "uri": self.uri(name), "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": d, "contentChanges": changes }));
    }

    /// Closes a document.
    pub fn close(&mut self, name: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": self.uri(name) } }));
    }

    /// The diagnostics of the current version of an open document, as lines `line:character-line:character severity code first line of the message`.
    pub fn diagnostics(&mut self, name: &str) -> Vec<String> {
        let version = self.versions.get(name).copied();
        let uri = self.uri(name);
        self.published(|p| p["uri"] == uri && p["version"].as_i64() == version.map(i64::from))
    }

    /// The diagnostics of a file that is not open, or of whatever `wanted` accepts.
    pub fn published(&mut self, wanted: impl Fn(&Value) -> bool) -> Vec<String> {
        let of = |m: &Message| match m {
            Message::Notification(n) if n.method == "textDocument/publishDiagnostics" && wanted(&n.params) => Some(n.params.clone()),
            _ => None,
        };
        if let Some(at) = self.inbox.iter().rposition(|m| of(m).is_some()) {
            let params = of(&self.inbox[at]).expect("it is one");
            self.inbox.drain(..=at);
            return lines(&params);
        }
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let m = self.receive();
            if let Some(params) = of(&m) {
                return lines(&params);
            }
            self.inbox.push(m);
        }
        panic!("no such diagnostics were published");
    }

    /// The parameters of a request about a position of a document.
    pub fn at(&self, name: &str, (line, character): (u32, u32)) -> Value {
        json!({ "textDocument": { "uri": self.uri(name) }, "position": { "line": line, "character": character } })
    }

    /// The result of a request about a position.
    pub fn ask_at(&mut self, method: &str, name: &str, at: (u32, u32)) -> Value {
        let params = self.at(name, at);
        self.request(method, params).expect("an answer")
    }

    /// The result of a request about a document.
    pub fn ask_of(&mut self, method: &str, name: &str) -> Value {
        let params = json!({ "textDocument": { "uri": self.uri(name) } });
        self.request(method, params).expect("an answer")
    }

    /// Ends the session in order.
    pub fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        let server = self.server.take().expect("it is there");
        assert_eq!(server.join().expect("no panic").expect("no error"), End::Orderly);
    }
}

/// A range of the protocol.
pub fn range((a, b, c, d): Corners) -> Value {
    json!({ "start": { "line": a, "character": b }, "end": { "line": c, "character": d } })
}

/// A range as text.
pub fn show(r: &Value) -> String {
    let at = |p: &Value| format!("{}:{}", p["line"], p["character"]);
    format!("{}-{}", at(&r["start"]), at(&r["end"]))
}

/// The line and character of the `n`th occurrence of `what` in `text`, from 0.
pub fn find(text: &str, what: &str, n: usize) -> (u32, u32) {
    let at = text.match_indices(what).nth(n).unwrap_or_else(|| panic!("`{what}` is in the text")).0;
    let before = &text[..at];
    let line = before.matches('\n').count() as u32;
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (line, before[start..].encode_utf16().count() as u32)
}

fn lines(params: &Value) -> Vec<String> {
    let list = params["diagnostics"].as_array().expect("a list");
    let line = |d: &Value| {
        let severity = ["", "error", "warning", "note"][d["severity"].as_u64().unwrap_or(0) as usize];
        let message = d["message"].as_str().unwrap_or("").lines().next().unwrap_or("").to_owned();
        format!("{} {severity} {} {message}", show(&d["range"]), d["code"].as_str().unwrap_or("-"))
    };
    list.iter().map(line).collect()
}
