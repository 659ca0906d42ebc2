//! Decoding of source files: bytes to text.
//!
//! Shader files are UTF-8, with or without a byte order mark, or what a Windows editor left: UTF-16 or UTF-32, with or without a
//! mark, or a one-byte code page. Without a mark, zero bytes among the first four show the encoding: no text begins with the
//! character 0. Bytes that are not UTF-8 are read as Latin-1, one character a byte: inside
//! comments that is harmless, anywhere else such a character is an error token. So no file is rejected for its encoding, and
//! positions stay valid.

use std::borrow::Cow;
use std::ops::Range;

/// A file as text.
#[derive(Debug, PartialEq)]
pub struct Decoded<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Whether bytes had to be read as Latin-1.
    pub lossy: bool,
}

/// Encodings with more than one byte for each character of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wide {
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
}

/// The wide encoding of a file, if it has one, and the length of its byte order mark.
fn wide(bytes: &[u8]) -> Option<(Wide, usize)> {
    match *bytes {
        [0xff, 0xfe, 0, 0, ..] if bytes.len().is_multiple_of(4) => Some((Wide::Utf32Le, 4)),
        [0, 0, 0xfe, 0xff, ..] => Some((Wide::Utf32Be, 4)),
        [0xff, 0xfe, ..] => Some((Wide::Utf16Le, 2)),
        [0xfe, 0xff, ..] => Some((Wide::Utf16Be, 2)),
        [1..=255, 0, 0, 0, ..] => Some((Wide::Utf32Le, 0)),
        [0, 0, 0, 1..=255, ..] => Some((Wide::Utf32Be, 0)),
        [1..=255, 0, 1..=255, 0, ..] | [1..=255, 0] => Some((Wide::Utf16Le, 0)),
        [0, 1..=255, 0, 1..=255, ..] | [0, 1..=255] => Some((Wide::Utf16Be, 0)),
        _ => None,
    }
}

impl Wide {
    fn decode(self, bytes: &[u8]) -> String {
        let units = |of: fn([u8; 2]) -> u16| bytes.chunks_exact(2).map(move |c| of([c[0], c[1]]));
        let scalars = |of: fn([u8; 4]) -> u32| bytes.chunks_exact(4).map(move |c| of([c[0], c[1], c[2], c[3]]));
        let lossy = char::REPLACEMENT_CHARACTER;
        match self {
            Self::Utf16Le => char::decode_utf16(units(u16::from_le_bytes)).map(|c| c.unwrap_or(lossy)).collect(),
            Self::Utf16Be => char::decode_utf16(units(u16::from_be_bytes)).map(|c| c.unwrap_or(lossy)).collect(),
            Self::Utf32Le => scalars(u32::from_le_bytes).map(|c| char::from_u32(c).unwrap_or(lossy)).collect(),
            Self::Utf32Be => scalars(u32::from_be_bytes).map(|c| char::from_u32(c).unwrap_or(lossy)).collect(),
        }
    }

    /// Adds a text in this encoding.
    fn encode(self, text: &str, out: &mut Vec<u8>) {
        match self {
            Self::Utf16Le => out.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Self::Utf16Be => out.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Self::Utf32Le => out.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes())),
            Self::Utf32Be => out.extend(text.chars().flat_map(|c| u32::from(c).to_be_bytes())),
        }
    }

    fn unit(self) -> usize {
        match self {
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }
}

/// The text of a file of `bytes`.
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    if let Some((encoding, mark)) = wide(bytes) {
        let text = encoding.decode(&bytes[mark..]);
        return Decoded {
            lossy: text.contains(char::REPLACEMENT_CHARACTER) || !bytes.len().is_multiple_of(encoding.unit()),
            text: Cow::Owned(text),
        };
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

/// The file with ranges of its text replaced, which are in order and apart. All other bytes stay, whatever they encode.
pub fn replace<'a>(bytes: &[u8], edits: impl Iterator<Item = (Range<usize>, &'a str)>) -> Vec<u8> {
    let wide = wide(bytes);
    let sizes = sizes(bytes, wide);
    let mut sizes = sizes.iter();
    // Where the text and the file are.
    let (mut text, mut at) = (0, wide.map_or(0, |w| w.1));
    let mut out = bytes[..at].to_vec();
    for (range, new) in edits {
        for (end, keep) in [(range.start, true), (range.end, false)] {
            let from = at;
            while text < end
                && let Some((in_text, in_file)) = sizes.next()
            {
                (text, at) = (text + in_text, at + in_file);
            }
            if keep {
                out.extend(&bytes[from..at]);
            }
        }
        match wide {
            Some((encoding, _)) => encoding.encode(new, &mut out),
            None => out.extend(new.as_bytes()),
        }
    }
    out.extend(&bytes[at..]);
    out
}

/// The bytes of each character in the text, and in the file.
fn sizes(bytes: &[u8], wide: Option<(Wide, usize)>) -> Vec<(usize, usize)> {
    let Some((encoding, mark)) = wide else {
        let of = |chunk: std::str::Utf8Chunk| {
            let valid: Vec<_> = chunk.valid().chars().map(|c| (c.len_utf8(), c.len_utf8())).collect();
            let invalid: Vec<_> = chunk.invalid().iter().map(|&b| (char::from(b).len_utf8(), 1)).collect();
            [valid, invalid].concat()
        };
        return bytes.utf8_chunks().flat_map(of).collect();
    };
    let unit = encoding.unit();
    // A unit that is no character alone is one that is replaced; of two, both are one character.
    let of = |c: char| (c.len_utf8(), if unit == 2 { 2 * c.len_utf16() } else { 4 });
    encoding.decode(&bytes[mark..]).chars().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_keep_all_other_bytes() {
        // Shift-JIS and Latin-1 in comments, valid UTF-8 next to them.
        let of = |bytes: &[u8], word: &str, new: &str| {
            let text = decode(bytes).text.into_owned();
            let at = text.find(word).expect("it is there");
            replace(bytes, [(at..at + word.len(), new)].into_iter())
        };
        let file = b"// \x83\x5c\xe9 \xc3\xa9 \xff\r\nfloat a; // \x82\xa0";
        assert_eq!(of(file, "a;", "a : b;"), b"// \x83\x5c\xe9 \xc3\xa9 \xff\r\nfloat a : b; // \x82\xa0");
        let text = "// \u{1f600} é\nfloat a;";
        let new = "// \u{1f600} é\nfloat a : b;";
        type Encode = fn(&str) -> Vec<u8>;
        let encodings: [(Encode, Vec<u8>); 4] = [
            (|t| t.encode_utf16().flat_map(u16::to_le_bytes).collect(), vec![0xff, 0xfe]),
            (|t| t.encode_utf16().flat_map(u16::to_be_bytes).collect(), vec![0xfe, 0xff]),
            (|t| t.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(), vec![]),
            (|t| t.as_bytes().to_vec(), vec![0xef, 0xbb, 0xbf]),
        ];
        for (encode, mark) in encodings {
            let with = |t: &str| [mark.clone(), encode(t)].concat();
            assert_eq!(of(&with(text), "a;", "a : b;"), with(new));
        }
        assert_eq!(replace(file, std::iter::empty()), file);
    }

    const TEXT: &str = "float a; // \u{e9}\u{1f600}\n";

    fn utf16(of: fn(u16) -> [u8; 2]) -> Vec<u8> {
        TEXT.encode_utf16().flat_map(of).collect()
    }

    fn utf32(of: fn(u32) -> [u8; 4]) -> Vec<u8> {
        TEXT.chars().flat_map(|c| of(c.into())).collect()
    }

    #[test]
    fn wide_encodings_with_and_without_a_mark() {
        let with = |mark: &[u8], text: Vec<u8>| [mark, &text[..]].concat();
        for (name, bytes) in [
            ("UTF-16 LE", utf16(u16::to_le_bytes)),
            ("UTF-16 BE", utf16(u16::to_be_bytes)),
            ("UTF-32 LE", utf32(u32::to_le_bytes)),
            ("UTF-32 BE", utf32(u32::to_be_bytes)),
            ("UTF-16 LE with a mark", with(&[0xff, 0xfe], utf16(u16::to_le_bytes))),
            ("UTF-16 BE with a mark", with(&[0xfe, 0xff], utf16(u16::to_be_bytes))),
            ("UTF-32 LE with a mark", with(&[0xff, 0xfe, 0, 0], utf32(u32::to_le_bytes))),
            ("UTF-32 BE with a mark", with(&[0, 0, 0xfe, 0xff], utf32(u32::to_be_bytes))),
        ] {
            assert_eq!(decode(&bytes), Decoded { text: TEXT.into(), lossy: false }, "{name}");
        }
    }

    #[test]
    fn incomplete_units_are_lossy() {
        assert!(decode(b"a\0b\0c").lossy);
        assert!(decode(b"\xff\xfea").lossy);
        assert!(decode(b"a\0\0\0b\0").lossy);
        assert_eq!(decode(b"").text, "");
        assert_eq!(decode(b"a\0").text, "a");
        // Zero bytes after the start are characters of UTF-8.
        assert_eq!(decode(b"abc\0def\0").text, "abc\0def\0");
    }
}
