//! The error of a command line: what kind of mistake it is, the option that it is about, and the text for people.

use std::fmt;

use super::request::Encoding;
use crate::error::OptionError;

/// Why arguments are not a valid invocation. [`Display`](fmt::Display) gives the message, which names the option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgumentError {
    kind: ArgumentErrorKind,
    message: String,
    encoding: Encoding,
}

/// The kinds of [`ArgumentError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArgumentErrorKind {
    /// An option that does not exist.
    UnknownOption,
    /// An option of dxc that is refused; the message has the reason.
    Refused,
    /// The value of an option is missing.
    MissingValue,
    /// The value of an option is not one of its values.
    InvalidValue,
    /// Options that contradict each other.
    Contradiction,
    /// An option that requires another option, target or shader model.
    Requirement,
    /// A response file or another file that an option names cannot be read or understood.
    File,
    /// No source, or no profile.
    Missing,
    /// A profile that does not exist, or that is not compiled.
    Profile,
}

impl ArgumentError {
    pub(crate) fn new(kind: ArgumentErrorKind, message: impl Into<String>) -> Self {
        ArgumentError { kind, message: message.into(), encoding: Encoding::Utf8 }
    }

    pub(super) fn in_encoding(self, encoding: Encoding) -> Self {
        ArgumentError { encoding, ..self }
    }

    /// What `-encoding` asks for, if it is valid itself.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// What kind of mistake it is.
    pub fn kind(&self) -> ArgumentErrorKind {
        self.kind
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ArgumentError {}

impl From<OptionError> for ArgumentError {
    fn from(e: OptionError) -> Self {
        invalid(e.to_string())
    }
}

/// The result of reading arguments.
pub(crate) type Result<T> = std::result::Result<T, ArgumentError>;

pub(crate) fn invalid(message: impl Into<String>) -> ArgumentError {
    ArgumentError::new(ArgumentErrorKind::InvalidValue, message)
}

pub(crate) fn contradiction(message: impl Into<String>) -> ArgumentError {
    ArgumentError::new(ArgumentErrorKind::Contradiction, message)
}

pub(crate) fn requirement(message: impl Into<String>) -> ArgumentError {
    ArgumentError::new(ArgumentErrorKind::Requirement, message)
}

pub(crate) fn missing(message: impl Into<String>) -> ArgumentError {
    ArgumentError::new(ArgumentErrorKind::Missing, message)
}
