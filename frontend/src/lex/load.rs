//! Decoding of source files: bytes to text.
//!
//! Shader files are UTF-8, with or without a byte order mark, or what a Windows editor left: UTF-16 with a mark,
//! or a one-byte code page. Bytes that are not UTF-8 are read as Latin-1, one character a byte: inside
//! comments that is harmless, anywhere else such a character is an error token. So no file is rejected for its encoding, and
//! positions stay valid.

use std::borrow::Cow;

/// A file as text.
#[derive(Debug, PartialEq)]
pub struct Decoded<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Whether bytes had to be read as Latin-1.
    pub lossy: bool,
}

/// The text of a file of `bytes`.
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    let utf16 = |big: bool| {
        let units = bytes[2..].chunks_exact(2).map(|c| match big {
            true => u16::from_be_bytes([c[0], c[1]]),
            false => u16::from_le_bytes([c[0], c[1]]),
        });
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
        Decoded { lossy: text.contains('\u{fffd}') || bytes.len() % 2 == 1, text: Cow::Owned(text) }
    };
    match bytes {
        [0xff, 0xfe, ..] => return utf16(false),
        [0xfe, 0xff, ..] => return utf16(true),
        _ => {}
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded { text: Cow::Borrowed(text), lossy: false };
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&b| char::from(b)));
    }
    Decoded { text: Cow::Owned(text), lossy: true }
}
