//! Colours of a terminal for diagnostics, as Clang uses them: places and messages are bold, severities and carets have colours.

use std::io;

use codespan_reporting::diagnostic::{LabelStyle, Severity};
use codespan_reporting::term::WriteStyle;

/// Whether there are colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// There are none.
    Plain,
    /// Those of a terminal.
    Ansi,
}

/// What is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// The place and the message.
    Strong,
    /// The word for an error.
    Error,
    /// The word for a warning.
    Warning,
    /// The word for a note.
    Note,
    /// What points at the source.
    Caret,
    /// The frame of the source.
    Border,
}

impl Ink {
    fn sequence(self) -> &'static str {
        match self {
            Ink::Strong => "\u{1b}[1m",
            Ink::Error => "\u{1b}[1;31m",
            Ink::Warning => "\u{1b}[1;35m",
            Ink::Note => "\u{1b}[1;36m",
            Ink::Caret => "\u{1b}[1;32m",
            Ink::Border => "\u{1b}[34m",
        }
    }

    fn of(severity: Severity) -> Ink {
        match severity {
            Severity::Bug | Severity::Error => Ink::Error,
            Severity::Warning => Ink::Warning,
            Severity::Note | Severity::Help => Ink::Note,
        }
    }
}

const END: &str = "\u{1b}[0m";

impl Paint {
    /// `text` in a colour.
    pub fn with(self, ink: Ink, text: &str) -> String {
        match self {
            Paint::Ansi if !text.is_empty() => format!("{}{text}{END}", ink.sequence()),
            _ => text.to_owned(),
        }
    }
}

/// Text with the colours of a rich diagnostic.
pub struct Terminal {
    paint: Paint,
    bytes: Vec<u8>,
}

impl Terminal {
    /// Nothing yet.
    pub fn new(paint: Paint) -> Self {
        Terminal { paint, bytes: Vec::new() }
    }

    /// What was written.
    pub fn text(self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    fn begin(&mut self, ink: Ink) -> io::Result<()> {
        if self.paint == Paint::Ansi {
            self.bytes.extend_from_slice(ink.sequence().as_bytes());
        }
        Ok(())
    }
}

impl io::Write for Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WriteStyle for Terminal {
    fn set_header(&mut self, severity: Severity) -> io::Result<()> {
        self.begin(Ink::of(severity))
    }

    fn set_header_message(&mut self) -> io::Result<()> {
        self.begin(Ink::Strong)
    }

    fn set_line_number(&mut self) -> io::Result<()> {
        self.begin(Ink::Border)
    }

    fn set_note_bullet(&mut self) -> io::Result<()> {
        self.begin(Ink::Border)
    }

    fn set_source_border(&mut self) -> io::Result<()> {
        self.begin(Ink::Border)
    }

    fn set_label(&mut self, severity: Severity, style: LabelStyle) -> io::Result<()> {
        self.begin(if style == LabelStyle::Primary { Ink::of(severity) } else { Ink::Border })
    }

    fn reset(&mut self) -> io::Result<()> {
        if self.paint == Paint::Ansi {
            self.bytes.extend_from_slice(END.as_bytes());
        }
        Ok(())
    }
}
