//! Diagnostics as workflow commands of GitHub, which shows them at the lines of a change.

use std::io::Write;

use rtc_build::{Event, Message, Observer};

use super::findings::Findings;

/// Prints a command for each mistake at the end of a build.
pub struct Annotations {
    found: Findings,
    all: bool,
}

impl Annotations {
    /// With those of what is up to date, if `all`.
    pub fn new(all: bool) -> Self {
        Annotations { found: Findings::default(), all }
    }
}

impl Observer for Annotations {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Task(task, outcome) => self.found.add(task, outcome, self.all),
            Event::Ended(_) => {
                let text: String = self.found.lock().values().map(|f| command(&f.message)).collect();
                _ = std::io::stdout().lock().write_all(text.as_bytes());
            }
            _ => {}
        }
    }
}

/// The command for a diagnostic.
fn command(m: &Message) -> String {
    let kind = if m.severity == "note" { "notice" } else { &m.severity };
    let mut place = Vec::new();
    if !m.place.file.is_empty() {
        place.push(format!("file={}", property(&m.place.file)));
        place.push(format!("line={}", m.place.line));
        place.push(format!("col={}", m.place.column));
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
        let m = Message {
            place: rtc_build::SourcePlace { file: "a,b:c.hlsl".into(), line: 3, column: 4 },
            code: "E0001".into(),
            ..Message::error("50 %\nof")
        };
        assert_eq!(command(&m), "::error file=a%2Cb%3Ac.hlsl,line=3,col=4,title=E0001::50 %25%0Aof\n");
        assert_eq!(command(&Message::error("x")), "::error::x\n");
    }
}
