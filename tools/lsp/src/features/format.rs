//! Formatting by clang-format, if it is there. It runs on a thread of its own, so that the server goes on while it works.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::{Range, TextEdit};

use crate::text::{Columns, Lines};

/// A text to format.
pub struct Formatting {
    /// The program.
    pub program: String,
    /// The path of the document: clang-format looks for its style there.
    pub path: String,
    /// The text.
    pub text: String,
    /// The first and last line from 1, or the whole text.
    pub lines: Option<(u32, u32)>,
    /// The unit of columns.
    pub columns: Columns,
}

/// Formats, and sends the answer to the request.
///
/// # Errors
/// The thread cannot be started.
pub fn start(f: Formatting, id: RequestId, answers: Sender<Response>) -> std::io::Result<()> {
    thread::Builder::new().name("rtc lsp formatter".into()).spawn(move || {
        let response = match format(&f) {
            Ok(edits) => Response::new_ok(id, edits),
            Err(message) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
        };
        // The server may have ended meanwhile.
        answers.send(response).ok();
    })?;
    Ok(())
}

fn format(f: &Formatting) -> Result<Vec<TextEdit>, String> {
    let mut command = Command::new(&f.program);
    command.arg(format!("--assume-filename={}", f.path)).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some((from, to)) = f.lines {
        command.arg(format!("--lines={from}:{to}"));
    }
    let mut child = command
        .spawn()
        .map_err(|e| format!("cannot start `{}`: {e}; install clang-format, or name it in the setting `rtc.clangFormat`", f.program))?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut input), Some(output), Some(errors)) = pipes else { return Err(format!("`{}` has no pipes", f.program)) };
    let text = f.text.clone();
    // Each pipe has a thread: the program may write before it has read everything.
    let writer = thread::spawn(move || input.write_all(text.as_bytes()));
    let (output, errors) = (read(output), read(errors));
    let end = Instant::now() + TIME_LIMIT;
    let status = loop {
        match child.try_wait().map_err(|e| format!("`{}`: {e}", f.program))? {
            Some(status) => break status,
            None if Instant::now() > end => {
                child.kill().ok();
                child.wait().ok();
                return Err(format!("`{}` took longer than {} seconds", f.program, TIME_LIMIT.as_secs()));
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    // A program that does not read its whole input has an error status, or has formatted nothing.
    writer.join().ok();
    let (output, errors) = (output.join().unwrap_or_default(), errors.join().unwrap_or_default());
    if !status.success() {
        return Err(format!("`{}`: {}", f.program, String::from_utf8_lossy(&errors).trim()));
    }
    let new = String::from_utf8(output).map_err(|_| format!("`{}` wrote what is not UTF-8", f.program))?;
    Ok(difference(&f.text, &new, f.columns))
}

/// How long formatting may take.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Reads a pipe to its end, on a thread.
fn read(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is a part of the output.
        pipe.read_to_end(&mut bytes).ok();
        bytes
    })
}

/// The edit that makes `new` of `old`: what is between the first and the last line that differ.
pub fn difference(old: &str, new: &str, columns: Columns) -> Vec<TextEdit> {
    if old == new {
        return Vec::new();
    }
    let (a, b) = (lines(old), lines(new));
    let same = |(x, y): &(&&str, &&str)| x == y;
    let prefix = a.iter().zip(&b).take_while(same).count();
    let most = a.len().min(b.len()) - prefix;
    let suffix = a.iter().rev().zip(b.iter().rev()).take(most).take_while(same).count();
    let bytes = |lines: &[&str]| lines.iter().map(|l| l.len()).sum::<usize>();
    let start = bytes(&a[..prefix]);
    let end = start + bytes(&a[prefix..a.len() - suffix]);
    let index = Lines::of(old);
    let range = Range { start: index.position(old, start, columns), end: index.position(old, end, columns) };
    vec![TextEdit { range, new_text: b[prefix..b.len() - suffix].concat() }]
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_is_small() {
        let edits = difference("a\nb\nc\n", "a\nB\nB\nc\n", Columns::Utf16);
        assert_eq!(edits.len(), 1);
        assert_eq!((edits[0].range.start.line, edits[0].range.end.line, edits[0].new_text.as_str()), (1, 2, "B\nB\n"));
        assert!(difference("a", "a", Columns::Utf16).is_empty());
        assert_eq!(difference("", "x", Columns::Utf16)[0].new_text, "x");
        assert_eq!(difference("x\nx\n", "x\n", Columns::Utf16)[0].new_text, "");
    }
}
