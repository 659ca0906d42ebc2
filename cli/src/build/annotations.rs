//! Diagnostics as workflow commands of GitHub, which shows them at the lines of a change.

use std::io::Write;

use rtc_build::{Event, Message, Observer};

/// Prints a command for each diagnostic.
pub struct Annotations;

impl Observer for Annotations {
    fn event(&self, event: Event<'_>) {
        if let Event::Task(_, outcome) = event {
            let text: String = outcome.messages.iter().map(command).collect();
            _ = std::io::stdout().lock().write_all(text.as_bytes());
        }
    }
}

/// The command for a diagnostic.
fn command(m: &Message) -> String {
    let kind = if m.severity == "note" { "notice" } else { &m.severity };
    let mut place = Vec::new();
    if !m.file.is_empty() {
        place.push(format!("file={}", property(&m.file)));
        place.push(format!("line={}", m.line));
        place.push(format!("col={}", m.column));
    }
    if !m.code.is_empty() {
        place.push(format!("title={}", property(&m.code)));
    }
    let space = if place.is_empty() { "" } else { " " };
    format!("::{kind}{space}{}::{}\n", place.join(","), data(&m.text))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_escaped() {
        let m = Message { file: "a,b:c.hlsl".into(), line: 3, column: 4, code: "E0001".into(), ..Message::error("50 %\nof") };
        assert_eq!(command(&m), "::error file=a%2Cb%3Ac.hlsl,line=3,col=4,title=E0001::50 %25%0Aof\n");
        assert_eq!(command(&Message::error("x")), "::error::x\n");
    }
}
