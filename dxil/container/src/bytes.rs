//! Bounded access to untrusted bytes, and the little-endian pushes of the writers.
//!
//! [`Bytes`] never reads past its slice and never multiplies sizes in 32 bits; what does not fit is a
//! [`FormatError`] with the part and the offset.

use super::FormatError;

/// The data of one part.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    part: &'static str,
    data: &'a [u8],
    /// Offset of `data[0]` in the part, for messages.
    base: usize,
}

impl<'a> Bytes<'a> {
    /// The bytes of `part`, which errors name.
    pub fn new(part: &'static str, data: &'a [u8]) -> Self {
        Bytes { part, data, base: 0 }
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// An error at `at`, or at the end of the data if `at` is past it.
    pub fn error(&self, at: usize, reason: impl Into<String>) -> FormatError {
        FormatError::new(self.part, self.base + at.min(self.data.len()), reason)
    }

    /// `len` bytes at `at`.
    ///
    /// # Errors
    /// They reach beyond the end.
    pub fn slice(&self, at: usize, len: u64) -> Result<&'a [u8], FormatError> {
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
    ///
    /// # Errors
    /// They are not all there.
    pub fn window(&self, at: usize, len: u64) -> Result<Bytes<'a>, FormatError> {
        let data = self.slice(at, len)?;
        Ok(Bytes { part: self.part, data, base: self.base + at })
    }

    /// A byte.
    ///
    /// # Errors
    /// It is beyond the end.
    pub fn u8(&self, at: usize) -> Result<u8, FormatError> {
        Ok(self.slice(at, 1)?[0])
    }

    /// A little-endian number of 16 bits.
    ///
    /// # Errors
    /// It reaches beyond the end.
    pub fn u16(&self, at: usize) -> Result<u16, FormatError> {
        let s = self.slice(at, 2)?;
        Ok(u16::from_le_bytes([s[0], s[1]]))
    }

    /// A little-endian number of 32 bits.
    ///
    /// # Errors
    /// It reaches beyond the end.
    pub fn u32(&self, at: usize) -> Result<u32, FormatError> {
        let s = self.slice(at, 4)?;
        Ok(u32::from_le_bytes([s[0], s[1], s[2], s[3]]))
    }

    /// A little-endian number of 64 bits.
    ///
    /// # Errors
    /// It reaches beyond the end.
    pub fn u64(&self, at: usize) -> Result<u64, FormatError> {
        Ok(u64::from(self.u32(at)?) | u64::from(self.u32(at.saturating_add(4))?) << 32)
    }

    /// The UTF-8 text that starts at `at` and ends before the next NUL.
    ///
    /// # Errors
    /// It has no end, or is not UTF-8.
    pub fn text(&self, at: usize) -> Result<&'a str, FormatError> {
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

/// Appends a little-endian number of 16 bits.
pub fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends a little-endian number of 32 bits.
pub fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Adds zeros up to a multiple of four bytes.
pub fn pad4(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(4), 0);
}
