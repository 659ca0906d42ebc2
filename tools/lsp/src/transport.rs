//! The transport: messages on standard input and output. What is no message is answered with an error and skipped, so that a client that sends
//! nonsense does not end the server. Its input ends when it is closed, or when a header is not one of the protocol and nothing says where the
//! next message begins.

use std::io::{self, BufRead, Read, Write};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

/// The longest message that is read: it is far above every text that the compiler accepts in an editor.
const MAX_MESSAGE: usize = 256 << 20;

/// What is written: a message, or the answer to what is none.
enum Outgoing {
    Message(Message),
    Raw(Value),
    End,
}

/// The threads of a connection.
pub struct Threads {
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until everything is written.
    ///
    /// # Errors
    /// The client closed the output.
    pub fn join(self) -> io::Result<()> {
        self.writer.join().unwrap_or_else(|_| Err(io::Error::other("the writer of messages failed")))
    }
}

/// A connection over a reader and a writer.
///
/// # Errors
/// A thread cannot be started.
pub fn connect(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<(Connection, Threads)> {
    let (to_server, receiver) = unbounded();
    let (sender, from_server) = unbounded::<Message>();
    let (raw, to_write) = unbounded::<Outgoing>();
    let messages = raw.clone();
    // A thread that waits for input cannot be joined: it ends with the process.
    thread::Builder::new().name("rtc lsp reader".into()).spawn(move || read_all(input, &to_server, &raw))?;
    thread::Builder::new().name("rtc lsp forwarder".into()).spawn(move || {
        from_server.into_iter().try_for_each(|m| messages.send(Outgoing::Message(m))).ok();
        // The writer ends when the reader does, too.
        messages.send(Outgoing::End).ok();
    })?;
    let writer = thread::Builder::new().name("rtc lsp writer".into()).spawn(move || write_all(output, &to_write))?;
    Ok((Connection { sender, receiver }, Threads { writer }))
}

fn read_all(mut input: impl BufRead, to_server: &Sender<Message>, raw: &Sender<Outgoing>) {
    while let Ok(Some(body)) = read_body(&mut input) {
        let sent = match serde_json::from_slice::<Message>(&body) {
            Ok(message) => {
                let exit = matches!(&message, Message::Notification(n) if n.method == "exit");
                let sent = to_server.send(message).is_ok();
                if exit {
                    return;
                }
                sent
            }
            Err(error) => raw.send(Outgoing::Raw(not_a_message(&body, &error))).is_ok(),
        };
        if !sent {
            return;
        }
    }
}

/// The answer to something that is no message, with the id that it has, if it is JSON at all.
fn not_a_message(body: &[u8], error: &serde_json::Error) -> Value {
    let value: Option<Value> = serde_json::from_slice(body).ok();
    let code = if value.is_some() { ErrorCode::InvalidRequest } else { ErrorCode::ParseError };
    let id = value.and_then(|v| v.get("id").cloned()).filter(|id| id.is_string() || id.is_number());
    let message = format!("not a message of the protocol: {error}");
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } })
}

/// The bytes of the next message; `None` at the end.
fn read_body(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        // A header is short: without a limit, one line without an end would fill the memory.
        if (&mut *input).take(1 << 16).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let header = String::from_utf8_lossy(&line);
        let header = header.trim();
        if header.is_empty() {
            match length {
                Some(length) => {
                    let mut body = vec![0; length];
                    input.read_exact(&mut body)?;
                    return Ok(Some(body));
                }
                None => continue,
            }
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok().filter(|&n: &usize| n <= MAX_MESSAGE);
        }
    }
}

fn write_all(mut output: impl Write, messages: &Receiver<Outgoing>) -> io::Result<()> {
    for m in messages {
        match m {
            Outgoing::Message(m) => m.write(&mut output)?,
            Outgoing::End => break,
            Outgoing::Raw(value) => {
                let text = value.to_string();
                write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
            }
        }
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn nonsense_is_answered_and_skipped() {
        let message = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
        let input = [
            message("{"),
            message("7"),
            "Content-Length: many\r\n\r\n".into(),
            "noise\r\n".into(),
            message(r#"{"jsonrpc":"2.0","method":"exit"}"#),
        ];
        let (connection, threads) = connect(Cursor::new(input.concat().into_bytes()), io::sink()).unwrap();
        let Ok(Message::Notification(n)) = connection.receiver.recv() else { panic!("a notification comes through") };
        assert_eq!(n.method, "exit");
        assert!(connection.receiver.recv().is_err(), "nothing else does");
        drop(connection);
        threads.join().unwrap();

        let answer = not_a_message(b"{\"id\": 7}", &serde_json::from_slice::<Message>(b"{").unwrap_err());
        assert_eq!((answer["id"].as_i64(), answer["error"]["code"].as_i64()), (Some(7), Some(-32600)));
    }
}
