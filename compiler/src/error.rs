//! Errors of the functions that do not report diagnostics: options that cannot be parsed, compiled files that cannot be read.

use std::fmt;

use rtc_dxil_container::FormatError;

/// The text of an option that is not valid: a profile, a list of exports, a report request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionError {
    message: String,
}

impl OptionError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        OptionError { message: message.into() }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for OptionError {}

/// Why a compiled file cannot be listed, edited or validated. The message does not name the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileError {
    /// The file is damaged: the message names the part and the offset.
    Damaged(String),
    /// The function does not apply to files of this kind.
    Unsupported(String),
    /// A part of the container is missing.
    MissingPart(String),
    /// The root signature does not match the shader.
    RootSignature(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Damaged(m) | FileError::Unsupported(m) | FileError::MissingPart(m) | FileError::RootSignature(m) => f.write_str(m),
        }
    }
}

impl std::error::Error for FileError {}

impl From<FormatError> for FileError {
    fn from(e: FormatError) -> Self {
        FileError::Damaged(e.to_string())
    }
}
