//! Wide strings: UTF-32 on Linux, UTF-16 on Windows.
#![allow(unsafe_code)] // Strings of clients.

/// A wide character.
#[cfg(windows)]
pub type WChar = u16;
/// A wide character.
#[cfg(not(windows))]
pub type WChar = u32;

/// The code page of wide strings.
pub const CP_WIDE: u32 = if cfg!(windows) { 1200 } else { 12000 };

/// The characters of a text; those that are no characters are replaced.
pub fn decode(text: &[WChar]) -> String {
    #[cfg(windows)]
    return String::from_utf16_lossy(text);
    #[cfg(not(windows))]
    text.iter().map(|&c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The wide characters of a text, without a NUL.
pub fn encode(text: &str) -> Vec<WChar> {
    #[cfg(windows)]
    return text.encode_utf16().collect();
    #[cfg(not(windows))]
    text.chars().map(u32::from).collect()
}

/// The text of a string; `None` for a null pointer.
///
/// # Safety
/// `text` is null or a string with a NUL.
pub unsafe fn text(text: *const WChar) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: all characters up to the NUL may be read; the slice has those before it.
    unsafe {
        let mut length = 0;
        while text.add(length).read() != 0 {
            length += 1;
        }
        Some(decode(std::slice::from_raw_parts(text, length)))
    }
}

/// The texts of an array of strings; null strings are empty ones.
///
/// # Safety
/// `texts` is null or an array of `count` strings.
pub unsafe fn texts(texts: *const *const WChar, count: u32) -> Option<Vec<String>> {
    match (count, texts.is_null()) {
        (0, _) => Some(Vec::new()),
        (_, true) => None,
        // SAFETY: the array has `count` strings.
        _ => Some((0..count as usize).map(|n| unsafe { text(texts.add(n).read()) }.unwrap_or_default()).collect()),
    }
}
