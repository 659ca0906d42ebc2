//! Diagnostics of a task in a form that is stored and sent: severity, code, place, text.

use rtc::{Compilation, Severity, Style};
use serde::{Deserialize, Serialize};

/// A diagnostic.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// The diagnostic's code; empty if it is not one of the compiler's.
    pub code: String,
    /// One sentence.
    pub text: String,
    /// The file; empty if there is no place.
    pub file: String,
    /// The line, from 1; 0 if there is no place.
    pub line: u32,
    /// The column, from 1; 0 if there is no place.
    pub column: u32,
    /// The diagnostic as the compiler prints it, with its notes.
    pub rendered: String,
}

impl Message {
    /// An error without a place.
    pub fn error(text: impl Into<String>) -> Self {
        let text = text.into();
        let rendered = format!("error: {text}\n");
        Message { severity: "error".into(), code: String::new(), text, file: String::new(), line: 0, column: 0, rendered }
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == "error"
    }

    /// The diagnostics of a compilation.
    pub(crate) fn of(c: &Compilation) -> Vec<Message> {
        let message = |d: &rtc::Diagnostic| {
            let loc = c.sources.loc(d.span()).filter(|_| !d.span().is_none());
            let (line, column) = loc.as_ref().map_or((0, 0), |l| (l.line, l.column));
            Message {
                severity: match d.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Note => "note",
                }
                .into(),
                code: d.code.id.to_owned(),
                text: d.message.clone(),
                file: loc.map(|l| l.file).unwrap_or_default(),
                line,
                column,
                rendered: rtc::render(&c.sources, d, Style::Short),
            }
        };
        c.diagnostics.iter().map(message).collect()
    }
}
