//! Rules about the part with the compiler version: a fixed header, one or two strings, zero padding to four bytes.

const FIXED: usize = 16;

/// Whether the data of the part has its form.
///
/// # Errors
/// Where it has not, and why.
pub(super) fn check(data: &[u8]) -> Result<(), (usize, String)> {
    let Some(texts) = data.get(FIXED..) else {
        return Err((0, format!("has {} bytes, its head alone has {FIXED}", data.len())));
    };
    let size = u32::from_le_bytes([data[12], data[13], data[14], data[15]]) as usize;
    if size.checked_next_multiple_of(4) != Some(texts.len()) {
        return Err((12, format!("says that its texts have {size} bytes, {} follow", texts.len())));
    }
    if let Some(at) = texts[size..].iter().position(|&b| b != 0) {
        return Err((FIXED + size + at, "is filled up with something else than zeros".into()));
    }
    // One text, or two.
    let texts = &texts[..size];
    let ends = texts.iter().filter(|&&b| b == 0).count();
    if size > 0 && (texts[size - 1] != 0 || ends > 2) {
        return Err((FIXED, "does not hold one or two texts that end".into()));
    }
    Ok(())
}
