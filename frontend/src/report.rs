//! Collecting diagnostics, with an end: after [`MAX_ERRORS`] errors the rest is noise and is dropped.

use rtc_base::{Code, Diagnostic, Span};
use rtc_tables::diagnostics as codes;

/// How many errors one run of the preprocessor and parser reports.
pub const MAX_ERRORS: usize = 100;

/// The diagnostics of one run.
#[derive(Default, Debug)]
pub struct Report {
    list: Vec<Diagnostic>,
    errors: usize,
    stopped: bool,
}

impl Report {
    /// Nothing yet.
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
            let d = Diagnostic::new(&codes::E0208, span, format!("{MAX_ERRORS} errors: giving up"));
            self.list.push(d);
        }
    }

    /// Adds a plain diagnostic.
    pub fn say(&mut self, code: &'static Code, span: Span, message: impl Into<String>) {
        self.add(Diagnostic::new(code, span, message));
    }

    /// Adds an error after which nothing that follows would make sense.
    pub fn stop(&mut self, d: Diagnostic) {
        self.add(d);
        self.stopped = true;
    }

    /// Says the last diagnostic of this code otherwise, once more is known.
    pub fn amend(&mut self, code: &'static Code, change: impl FnOnce(&mut Diagnostic)) {
        if let Some(d) = self.list.iter_mut().rev().find(|d| d.code.id == code.id) {
            change(d);
        }
    }

    /// Whether going on is pointless: too many errors, or one that stops everything.
    pub fn is_full(&self) -> bool {
        self.stopped || self.errors >= MAX_ERRORS
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
