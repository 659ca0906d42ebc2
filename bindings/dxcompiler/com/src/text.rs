//! Encodings of text: which one bytes are in, and their conversion to UTF-8 and to wide characters.

use crate::base::hresult::{DXC_E_STRING_ENCODING_FAILED, HResult};
use crate::wide::{CP_WIDE, WChar};

/// Unknown, or the process's own code page, which is taken to be UTF-8.
pub const CP_ACP: u32 = 0;
/// UTF-8.
pub const CP_UTF8: u32 = 65001;
/// UTF-16, little-endian.
pub const CP_UTF16: u32 = 1200;
/// UTF-32, little-endian.
pub const CP_UTF32: u32 = 12000;

/// The code page and the length of a byte-order mark.
pub fn byte_order_mark(bytes: &[u8]) -> Option<(u32, usize)> {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => Some((CP_UTF8, 3)),
        [0xff, 0xfe, 0, 0, ..] => Some((CP_UTF32, 4)),
        [0, 0, 0xfe, 0xff, ..] => Some((12001, 4)),
        [0xff, 0xfe, ..] => Some((CP_UTF16, 2)),
        [0xfe, 0xff, ..] => Some((1201, 2)),
        _ => None,
    }
}

/// The size of a character of a code page.
pub fn unit(page: u32) -> usize {
    match page {
        CP_UTF16 | 1201 => 2,
        CP_UTF32 | 12001 => 4,
        _ => 1,
    }
}

/// Whether the bytes are a whole number of characters of which the last is NUL.
pub fn ends_in_nul(bytes: &[u8], page: u32) -> bool {
    let unit = unit(page);
    bytes.len() >= unit && bytes.len().is_multiple_of(unit) && bytes[bytes.len() - unit..].iter().all(|b| *b == 0)
}

/// The text of bytes: up to the NUL that they may end in. Without a known code page, or with that of the process, a byte-order mark
/// decides.
///
/// # Errors
/// The code page is not supported, or bytes are not in it.
pub fn decode(bytes: &[u8], page: u32) -> Result<String, HResult> {
    let (page, skip) = match page {
        CP_ACP => byte_order_mark(bytes).unwrap_or((CP_ACP, 0)),
        page => (page, byte_order_mark(bytes).filter(|(p, _)| *p == page).map_or(0, |(_, n)| n)),
    };
    let bytes = &bytes[skip..];
    let text = match page {
        // The front end reads what is no UTF-8 as the reference does.
        CP_ACP | CP_UTF8 => return Ok(without_nul(&rtc::decode(bytes).text).to_owned()),
        CP_UTF16 if bytes.len().is_multiple_of(2) => {
            let units = bytes.chunks_exact(2).map(|c| u16::from_le_bytes([c[0], c[1]]));
            char::decode_utf16(units).collect::<Result<String, _>>().ok()
        }
        CP_UTF32 if bytes.len().is_multiple_of(4) => {
            bytes.chunks_exact(4).map(|c| char::from_u32(u32::from_le_bytes([c[0], c[1], c[2], c[3]]))).collect()
        }
        _ => None,
    };
    text.map(|t| without_nul(&t).to_owned()).ok_or(DXC_E_STRING_ENCODING_FAILED)
}

fn without_nul(text: &str) -> &str {
    text.strip_suffix('\0').unwrap_or(text)
}

/// The bytes of a text in wide characters, without a NUL.
pub fn wide_bytes(text: &str) -> Vec<u8> {
    crate::wide::encode(text).into_iter().flat_map(WChar::to_ne_bytes).collect()
}

/// Whether a code page is that of wide characters or UTF-8: blobs of such text have an interface for it.
pub fn is_utf(page: u32) -> bool {
    page == CP_UTF8 || page == CP_WIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_decide_where_the_page_is_unknown() {
        assert_eq!(decode(b"\xef\xbb\xbfa\0", CP_ACP).unwrap(), "a");
        assert_eq!(decode(b"\xff\xfea\0b\0", CP_ACP).unwrap(), "ab");
        assert_eq!(decode(b"a\0\0\0\0\0\0\0", CP_UTF32).unwrap(), "a");
        assert_eq!(decode(b"", CP_UTF8).unwrap(), "");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert!(decode(b"a\0\0", CP_UTF32).is_err());
        assert!(decode(b"\x00\xd8", CP_UTF16).is_err());
        assert!(decode(b"\xff\xff\xff\xff", CP_UTF32).is_err());
        assert!(decode(b"a", 1201).is_err());
    }

    #[test]
    fn a_nul_is_a_whole_character() {
        assert!(ends_in_nul(b"a\0", CP_UTF8));
        assert!(!ends_in_nul(b"a\0", CP_UTF32));
        assert!(!ends_in_nul(b"", CP_UTF8));
        assert!(ends_in_nul(&[0; 4], CP_UTF32));
    }
}
