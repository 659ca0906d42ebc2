//! The error of a command: the text that the program prints after `rtc: error:`.

use std::fmt;

/// The result of a command or of a part of one.
pub type Result<T> = std::result::Result<T, CommandError>;

/// Why a command failed: invalid arguments, a file that cannot be read, written or understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandError {
    message: String,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CommandError {}

impl From<String> for CommandError {
    fn from(message: String) -> Self {
        CommandError { message }
    }
}

impl From<&str> for CommandError {
    fn from(message: &str) -> Self {
        CommandError { message: message.to_owned() }
    }
}

impl From<rtc::arguments::ArgumentError> for CommandError {
    fn from(e: rtc::arguments::ArgumentError) -> Self {
        CommandError { message: e.to_string() }
    }
}

impl From<rtc_build::Error> for CommandError {
    fn from(e: rtc_build::Error) -> Self {
        CommandError { message: e.to_string() }
    }
}
