//! What the SPIR-V back end cannot express.

use rtc_base::Span;

/// Something that has no form in SPIR-V (or none yet), with its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The place; may be none.
    pub span: Span,
    /// One sentence without a full stop.
    pub message: String,
}

impl Error {
    /// An error at `span`.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Error { span, message: message.into() }
    }
}
