//! Bounded access to untrusted bytes, and the little-endian pushes of the writers.
//!
//! [`Bytes`] never reads past its slice and never multiplies sizes in 32 bits; what does not fit is a
//! [`FormatError`] with the part and the offset.

use super::FormatError;

/// The data of one part.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a> {
    part: &'static str,
    data: &'a [u8],
    /// Offset of `data[0]` in the part, for messages.
    base: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(part: &'static str, data: &'a [u8]) -> Self {
        Bytes { part, data, base: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    /// An error at `at`, or at the end of the data if `at` is past it.
    pub(crate) fn error(&self, at: usize, reason: impl Into<String>) -> FormatError {
        FormatError::new(self.part, self.base + at.min(self.data.len()), reason)
    }

    pub(crate) fn slice(&self, at: usize, len: u64) -> Result<&'a [u8], FormatError> {
        let end = (at as u64).saturating_add(len);
        if end > self.data.len() as u64 {
            let why = match self.data.len().checked_sub(at) {
                Some(have) => format!("needs {len} bytes, {have} are left"),
                None => format!("refers to offset {at:#x}, the end is at {:#x}", self.data.len()),
            };
            return Err(self.error(at, why));
        }
        Ok(&self.data[at..end as usize])
    }

    /// The same, as a window of its own whose errors still count from the start of the part.
    pub(crate) fn window(&self, at: usize, len: u64) -> Result<Bytes<'a>, FormatError> {
        let data = self.slice(at, len)?;
        Ok(Bytes { part: self.part, data, base: self.base + at })
    }

    pub(crate) fn u8(&self, at: usize) -> Result<u8, FormatError> {
        Ok(self.slice(at, 1)?[0])
    }

    pub(crate) fn u16(&self, at: usize) -> Result<u16, FormatError> {
        let s = self.slice(at, 2)?;
        Ok(u16::from_le_bytes([s[0], s[1]]))
    }

    pub(crate) fn u32(&self, at: usize) -> Result<u32, FormatError> {
        let s = self.slice(at, 4)?;
        Ok(u32::from_le_bytes([s[0], s[1], s[2], s[3]]))
    }

    pub(crate) fn u64(&self, at: usize) -> Result<u64, FormatError> {
        Ok(u64::from(self.u32(at)?) | u64::from(self.u32(at.saturating_add(4))?) << 32)
    }

    /// The UTF-8 text that starts at `at` and ends before the next NUL.
    pub(crate) fn text(&self, at: usize) -> Result<&'a str, FormatError> {
        let Some(rest) = self.data.get(at..) else {
            let why = format!("refers to text at {at:#x}, the end is at {:#x}", self.data.len());
            return Err(self.error(at, why));
        };
        let Some(end) = rest.iter().position(|&c| c == 0) else {
            return Err(self.error(at, "text without a terminating NUL"));
        };
        std::str::from_utf8(&rest[..end]).map_err(|e| self.error(at + e.valid_up_to(), "text is not UTF-8"))
    }
}

pub(crate) fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

pub(crate) fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Adds zeros up to a multiple of four bytes.
pub(crate) fn pad4(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(4), 0);
}
