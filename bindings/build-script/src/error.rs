//! Why shaders are not built.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why shaders are not built.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder cannot be read or written.
    File {
        /// The file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// Arguments are not valid.
    Arguments {
        /// The source that has them.
        file: PathBuf,
        /// The mistake.
        error: rtc::arguments::ArgumentError,
    },
    /// The arguments of a source ask for something else than a compiled object.
    Action(PathBuf),
    /// Sources have mistakes: the diagnostics of all of them.
    Source(String),
    /// The compiler stopped.
    Stopped {
        /// The source.
        file: PathBuf,
        /// The reason.
        error: rtc::Stopped,
    },
    /// There is no reflection.
    Reflection {
        /// The source.
        file: PathBuf,
        /// The reason.
        error: rtc::FileError,
    },
    /// Two sources have the same name in Rust.
    SameName(PathBuf, PathBuf),
}

impl Error {
    pub(crate) fn file(file: &Path, error: io::Error) -> Self {
        Error::File { file: file.into(), error }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File { file, error } => write!(f, "{}: {error}", file.display()),
            Error::Arguments { file, error } => write!(f, "{}: {error}", file.display()),
            Error::Action(file) => write!(f, "{}: its arguments ask for no compiled object", file.display()),
            Error::Source(text) => f.write_str(text.trim_end()),
            Error::Stopped { file, error } => write!(f, "{}: {error}", file.display()),
            Error::Reflection { file, error } => write!(f, "{}: {error}", file.display()),
            Error::SameName(a, b) => write!(f, "{} and {} have the same name in Rust; rename one", a.display(), b.display()),
        }
    }
}

impl std::error::Error for Error {}
