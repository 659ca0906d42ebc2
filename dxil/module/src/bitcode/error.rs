//! What is wrong with bitcode, and where.

use std::fmt;

/// Why bitcode cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    bit: u64,
    what: String,
}

impl ReadError {
    /// An error at an offset in bits.
    pub fn new(bit: u64, what: impl Into<String>) -> Self {
        Self { bit, what: what.into() }
    }

    /// Where reading stopped: the number of the next bit, counted from the start of the bitcode.
    pub fn bit(&self) -> u64 {
        self.bit
    }

    /// What is wrong, without the place.
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bitcode at byte {} bit {}: {}", self.bit / 8, self.bit % 8, self.what)
    }
}

impl std::error::Error for ReadError {}
