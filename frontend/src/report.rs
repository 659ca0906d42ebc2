//! The list of diagnostics of a run: after [`MAX_ERRORS`] errors further ones are dropped.

use rtc_base::{Code, Diagnostic, Span};
use rtc_tables::diagnostics as codes;

/// How many errors one run of the preprocessor and parser reports.
pub const MAX_ERRORS: usize = 100;

/// The diagnostics of one run.
#[derive(Clone, Default, Debug)]
pub struct Report {
    list: Vec<Diagnostic>,
    errors: usize,
    stopped: bool,
}

impl Report {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic, unless there are too many errors already.
    pub fn add(&mut self, d: Diagnostic) {
        if self.is_full() {
            return;
        }
        self.errors += usize::from(d.is_error());
        let last = self.is_full().then(|| d.span());
        self.list.push(d);
        if let Some(span) = last {
            let d = Diagnostic::new(&codes::E0208, span, format!("too many errors ({MAX_ERRORS}); stopping"));
            self.list.push(d);
        }
    }

    /// Adds a plain diagnostic.
    pub fn emit(&mut self, code: &'static Code, span: Span, message: impl Into<String>) {
        self.add(Diagnostic::new(code, span, message));
    }

    /// Adds an error that ends the run.
    pub fn fatal(&mut self, d: Diagnostic) {
        self.add(d);
        self.stopped = true;
    }

    /// Replaces the message of the last diagnostic of this code.
    pub fn amend(&mut self, code: &'static Code, change: impl FnOnce(&mut Diagnostic)) {
        if let Some(d) = self.list.iter_mut().rev().find(|d| d.code.id == code.id) {
            change(d);
        }
    }

    /// Whether the run ends: too many errors, or a fatal one.
    pub fn is_full(&self) -> bool {
        self.stopped || self.errors >= MAX_ERRORS
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The diagnostics, in the order they were found.
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}
