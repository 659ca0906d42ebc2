//! Errors of the SPIR-V back end: programs that SPIR-V cannot express.

use rtc_base::{Code, Span};
use rtc_tables::diagnostics::{E0901, E0903};

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
    /// A construct at `span` that SPIR-V cannot express.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Error::coded(&E0903, span, message)
    }

    /// A mistake of the compiler, not of the program.
    pub fn internal(message: impl std::fmt::Display) -> Self {
        Error::coded(&E0901, Span::NONE, format!("internal error: {message}"))
    }

    /// An error (or warning) of a kind of its own.
    pub fn coded(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        Error { span, message: message.into(), code }
    }
}
