//! The error type of this crate: a kind, a message, and notes.
//!
//! Every invalid input (a scene, a package, a device without a required feature) is reported as a [`Error`] that names its
//! location: file, line and key of a scene; the part of a package; the physical device and the missing feature. Nothing in
//! this crate panics on input.

use std::fmt;
use std::path::Path;

/// Result with a [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// The kind of an error, for callers that distinguish them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ErrorKind {
    /// The scene file: syntax, an unknown key, a value that does not fit, a name that does not exist.
    Scene,
    /// The package: truncated, damaged, without a part that is needed.
    Package,
    /// The subobjects: a hit group without its shader, conflicting associations, a missing config.
    StateObject,
    /// A handle or an object of another device.
    OtherDevice,
    /// A resource was not set, or set with the wrong kind.
    Binding,
    /// No device on this machine can run it, or the device lacks the feature; the notes have the reason for each device.
    NoDevice,
    /// The device can run ray tracing, but not this: a limit or a feature.
    Limit,
    /// The device or its driver failed.
    Device,
    /// The device or its driver has no memory left; with more, the same call may succeed.
    OutOfMemory,
    /// The device is lost: everything on it is to be dropped and made again on a new one.
    DeviceLost,
    /// The validation layer reported an error (`RTC_VK_VALIDATION=1`).
    Validation,
    /// A file could not be read or written.
    Io,
}

/// An error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Coarse classification.
    pub kind: ErrorKind,
    /// One sentence without a full stop; begins with the source location where there is one (`scene.toml:12:`).
    pub message: String,
    /// Notes: candidates, the reason for which each device was rejected, the rule.
    pub notes: Vec<String>,
}

impl Error {
    /// An error of `kind` that says `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), notes: Vec::new() }
    }
    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
    /// The file at `path` could not be treated as `doing` says ("read", "write").
    pub fn io(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        Error::new(ErrorKind::Io, format!("cannot {doing} {}: {error}", path.display()))
    }
    /// Prefixes the message with `location`, for example the key of a scene that caused the error.
    pub fn at(mut self, location: impl fmt::Display) -> Self {
        self.message = format!("{location}: {}", self.message);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for note in &self.notes {
            write!(f, "\n  note: {}", note.replace('\n', "\n        "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// "`a`, `b`, `c`" for a list of candidates; "none" when there is none.
pub fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let mut out = String::new();
    for name in names {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push('`');
        out.push_str(name.as_ref());
        out.push('`');
    }
    if out.is_empty() { "none".to_string() } else { out }
}
