//! Errors of the SPIR-V back end: programs that SPIR-V cannot express.

use rtc_base::{Code, Span};
use rtc_tables::diagnostics::E0903;

/// An error or a warning about something that SPIR-V cannot express, with its source location.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The source location; may be none.
    pub span: Span,
    /// One sentence without a full stop.
    pub message: String,
    /// The kind of diagnostic.
    pub code: &'static Code,
}

impl Error {
    /// An error at `span`.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Error::coded(&E0903, span, message)
    }

    /// An error (or warning) of a kind of its own.
    pub fn coded(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        Error { span, message: message.into(), code }
    }
}
