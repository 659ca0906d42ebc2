//! Diagnostics: what went wrong, where, by which rule, and how to mend it.
//!
//! A diagnostic's *code* (`E0312`) is stable and is one row of `rtc-tables`' `diagnostics`; the row
//! holds its severity, its `-W` group and one line that says what it is about. What is said about
//! one particular place stands in the [`Diagnostic`]. How it is shown is [`crate::render`]'s business.

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Additional information.
    Note,
    /// Suspicious; compilation goes on.
    Warning,
    /// Wrong; nothing is written.
    Error,
}

/// The stable identity of a kind of diagnostic: one row of the diagnostics table.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0312`, `W0105`: a letter and four digits.
    pub id: &'static str,
    /// Severity unless an option changes it.
    pub severity: Severity,
    /// The `-W` group without `-W` (`conversion`, `payload-access-trace`); empty for errors.
    pub group: &'static str,
    /// One line: what this diagnostic is about.
    pub about: &'static str,
}

/// A remark on a stretch of source.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to say there; may be empty for the primary label.
    pub message: String,
}

/// A replacement that mends the problem.
#[derive(Clone, Debug, PartialEq)]
pub struct FixIt {
    /// What to replace; an empty span inserts.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// One thing to tell the user.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: &'static Code,
    /// Its severity after `-Werror` and the like.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// The places: the first is the primary one. Empty when there is no place (a missing file).
    pub labels: Vec<Label>,
    /// Remarks without a place: the rule's source, the call chain, candidates.
    pub notes: Vec<String>,
    /// Replacements that mend it, all to be applied together.
    pub fixits: Vec<FixIt>,
}

impl Diagnostic {
    /// A diagnostic at `span` ([`Span::NONE`]: at no place).
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let labels = if span.is_none() { Vec::new() } else { vec![Label { span, message: String::new() }] };
        Diagnostic { code, severity: code.severity, message: message.into(), labels, notes: Vec::new(), fixits: Vec::new() }
    }
    /// Adds words to the primary label.
    pub fn here(mut self, message: impl Into<String>) -> Self {
        if let Some(l) = self.labels.first_mut() {
            l.message = message.into();
        }
        self
    }
    /// Adds a secondary label.
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        if !span.is_none() {
            self.labels.push(Label { span, message: message.into() });
        }
        self
    }
    /// Adds a remark.
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push(message.into());
        self
    }
    /// Adds a replacement that mends the problem.
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fixits.push(FixIt { span, replacement: replacement.into() });
        self
    }
    /// The primary place.
    pub fn span(&self) -> Span {
        self.labels.first().map_or(Span::NONE, |l| l.span)
    }
    /// Whether it stops the compilation.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
