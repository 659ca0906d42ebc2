//! `ILDN`: the file name of the debug information.

use super::bytes::pad4;
use super::{Bytes, FormatError, put_u16};

/// Reads the part: the name.
///
/// # Errors
/// When the name does not fit, is not UTF-8, or flags are set (none is known).
pub fn read(data: &[u8]) -> Result<&str, FormatError> {
    let b = Bytes::new("ILDN", data);
    let (flags, length) = (b.u16(0)?, b.u16(2)?);
    if flags != 0 {
        return Err(b.error(0, format!("unknown flags {flags:#x}")));
    }
    if b.u8(4 + usize::from(length))? != 0 {
        return Err(b.error(4 + usize::from(length), "the name does not end with a NUL"));
    }
    let name = b.slice(4, u64::from(length))?;
    std::str::from_utf8(name).map_err(|e| b.error(4 + e.valid_up_to(), "the name is not UTF-8"))
}

/// The part's data.
///
/// # Errors
/// When the name is longer than 65535 bytes.
pub fn write(name: &str) -> Result<Vec<u8>, FormatError> {
    let Ok(length) = u16::try_from(name.len()) else {
        return Err(FormatError::new("ILDN", 2, format!("the name has {} bytes", name.len())));
    };
    let mut out = Vec::with_capacity(8 + name.len());
    put_u16(&mut out, 0);
    put_u16(&mut out, length);
    out.extend_from_slice(name.as_bytes());
    out.push(0);
    pad4(&mut out);
    Ok(out)
}
