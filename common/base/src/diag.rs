//! Diagnostics: message, source locations, the rule that is violated, and fix-its.
//!
//! A diagnostic's *code* (`E0312`) is stable and is one row of `rtc-tables`' `diagnostics`; the row
//! holds its severity, its `-W` group and a one-line description. A [`Diagnostic`] is one occurrence:
//! its message and its spans. [`crate::render`] prints it.

use crate::source::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Additional information.
    Note,
    /// Suspicious; compilation continues.
    Warning,
    /// An error; no output is written.
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

/// A message attached to a span.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The span.
    pub span: Span,
    /// The message; may be empty for the primary label.
    pub message: String,
}

/// A fix-it: a replacement that fixes the problem.
#[derive(Clone, Debug, PartialEq)]
pub struct FixIt {
    /// What to replace; an empty span inserts.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// One diagnostic.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: &'static Code,
    /// Its severity after `-Werror` and the like.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// The labelled spans: the first is the primary one. Empty when there is no location (a missing file).
    pub labels: Vec<Label>,
    /// Notes without a location: the rule's source, the call chain, candidates.
    pub notes: Vec<String>,
    /// Fix-its, all to be applied together.
    pub fixits: Vec<FixIt>,
    /// An error after which the rest of the file is not what it was written as: lines say `fatal error`, as those of dxc do.
    pub fatal: bool,
}

impl Diagnostic {
    /// A diagnostic at `span` ([`Span::NONE`]: without a location).
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let labels = if span.is_none() { Vec::new() } else { vec![Label { span, message: String::new() }] };
        Diagnostic { code, severity: code.severity, message: message.into(), labels, notes: Vec::new(), fixits: Vec::new(), fatal: false }
    }
    /// Sets the message of the primary label.
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
    /// Adds a note.
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push(message.into());
        self
    }
    /// Adds a fix-it.
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fixits.push(FixIt { span, replacement: replacement.into() });
        self
    }
    /// Makes a fatal error of it.
    pub fn fatal(mut self) -> Self {
        self.fatal = true;
        self
    }
    /// The primary span.
    pub fn span(&self) -> Span {
        self.labels.first().map_or(Span::NONE, |l| l.span)
    }
    /// Whether it stops the compilation.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
