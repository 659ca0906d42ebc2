//! `SRCI` and `PDBI`: the sources of a shader and the arguments of its compiler, as a PDB stores them.
//!
//! `SRCI` is what the reference compiler writes: three sections, with names, contents (deflated) and arguments. `PDBI` is its
//! designated successor, the same in the form of RDAT, deflated as a whole; it is read here and not written.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::bytes::pad4;
use super::{Bytes, FormatError, put_u16, put_u32};

/// Sources and arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceInfo {
    /// The sources: the main file first, then what it included.
    pub sources: Vec<Source>,
    /// The arguments: name without dash, and value; both or one may be empty.
    pub args: Vec<(String, String)>,
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its path.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Sections of `SRCI`.
mod section {
    pub const CONTENTS: u16 = 0;
    pub const NAMES: u16 = 1;
    pub const ARGS: u16 = 2;
}

/// How something is compressed.
const STORED: u16 = 0;
/// With zlib's frame.
const ZLIB: u16 = 1;
/// Level 6 of 10, zlib's usual.
const LEVEL: u8 = 6;
/// Most bytes that are inflated.
const MAX_INFLATED: usize = 1 << 28;

impl SourceInfo {
    /// The value of the last argument of that name.
    pub fn arg(&self, name: &str) -> Option<&str> {
        self.args.iter().rev().find(|a| a.0 == name).map(|a| a.1.as_str())
    }

    /// The part's data. Names, texts and arguments stop at their first NUL.
    ///
    /// # Errors
    /// When the names are longer than the form can say.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut names = Vec::new();
        let mut contents = Vec::new();
        for s in &self.sources {
            let (name, text) = (until_nul(&s.name), until_nul(&s.text));
            entry(&mut names, name, &[name.len() + 1, text.len() + 1]);
            entry(&mut contents, text, &[text.len() + 1]);
        }
        let Ok(names_size) = u16::try_from(names.len()) else {
            let why = format!("the names of the sources take {} bytes, the limit is {}", names.len(), u16::MAX);
            return Err(FormatError::new("SRCI", 0, why));
        };
        let count = self.sources.len() as u32;
        let mut out = vec![0; 8];
        add_section(&mut out, section::NAMES, |out| {
            put_u32(out, 0);
            put_u32(out, count);
            put_u16(out, names_size);
            out.extend_from_slice(&names);
        });
        add_section(&mut out, section::CONTENTS, |out| {
            let deflated = compress_to_vec_zlib(&contents, LEVEL);
            put_u32(out, 0);
            put_u16(out, 0);
            put_u16(out, ZLIB);
            put_u32(out, deflated.len() as u32);
            put_u32(out, contents.len() as u32);
            put_u32(out, count);
            out.extend_from_slice(&deflated);
        });
        add_section(&mut out, section::ARGS, |out| {
            let mut text = Vec::new();
            for word in self.args.iter().flat_map(|(n, v)| [n, v]) {
                text.extend_from_slice(until_nul(word).as_bytes());
                text.push(0);
            }
            put_u32(out, 0);
            put_u32(out, text.len() as u32);
            put_u32(out, self.args.len() as u32);
            out.extend_from_slice(&text);
        });
        let size = out.len() as u32;
        out[..4].copy_from_slice(&size.to_le_bytes());
        out[6..8].copy_from_slice(&3u16.to_le_bytes());
        Ok(out)
    }

    /// Reads `SRCI`.
    ///
    /// # Errors
    /// When a size does not fit, something cannot be inflated, or a text is not UTF-8.
    pub fn read(data: &[u8]) -> Result<SourceInfo, FormatError> {
        let whole = Bytes::new("SRCI", data);
        let b = whole.window(0, u64::from(whole.u32(0)?))?;
        let mut info = SourceInfo::default();
        let mut at = 8;
        for _ in 0..b.u16(6)? {
            let size = b.u32(at)?;
            let (kind, s) = (b.u16(at + 6)?, b.window(at, u64::from(size))?);
            if size < 8 {
                return Err(b.error(at, format!("a section of {size} bytes")));
            }
            match kind {
                section::NAMES => {
                    let entries = s.window(18, u64::from(s.u16(16)?))?;
                    let names = read_entries(entries, s.u32(12)?, 16)?;
                    info.fit(names.len(), &s)?;
                    info.sources.iter_mut().zip(names).for_each(|(s, name)| s.name = name);
                }
                section::CONTENTS => {
                    let (stored, full, count) = (s.u32(16)?, s.u32(20)?, s.u32(24)?);
                    let bytes = s.slice(28, u64::from(stored))?;
                    let inflated = inflate(bytes, s.u16(14)?, full, &s)?;
                    let texts = read_entries(Bytes::new("SRCI (inflated)", &inflated), count, 12)?;
                    info.fit(texts.len(), &s)?;
                    info.sources.iter_mut().zip(texts).for_each(|(s, text)| s.text = text);
                }
                section::ARGS => {
                    let text = s.slice(20, u64::from(s.u32(12)?))?;
                    let mut words = text.split(|&c| c == 0).map(|w| String::from_utf8_lossy(w).into_owned());
                    for _ in 0..s.u32(16)? {
                        let (Some(name), Some(value)) = (words.next(), words.next()) else {
                            return Err(s.error(16, "has fewer arguments than it says"));
                        };
                        info.args.push((name, value));
                    }
                }
                // Sections to come.
                _ => {}
            }
            at += size as usize;
        }
        Ok(info)
    }

    /// Room for `count` sources; all sections have equally many.
    fn fit(&mut self, count: usize, at: &Bytes<'_>) -> Result<(), FormatError> {
        if !self.sources.is_empty() && self.sources.len() != count {
            return Err(at.error(0, "sections differ in their number of sources"));
        }
        self.sources.resize(count, Source { name: String::new(), text: String::new() });
        Ok(())
    }

    /// Reads `PDBI`.
    ///
    /// # Errors
    /// When a size does not fit, something cannot be inflated, or a text is not UTF-8.
    pub fn read_pdbi(data: &[u8]) -> Result<SourceInfo, FormatError> {
        let b = Bytes::new("PDBI", data);
        let bytes = b.slice(12, u64::from(b.u32(4)?))?;
        let inflated = inflate(bytes, b.u16(2)?, b.u32(8)?, &b)?;
        let t = Tables::read(Bytes::new("PDBI (inflated)", &inflated))?;
        let (info, size) = t.record(Tables::INFO, 0)?;
        if size < 12 {
            return Err(info.error(0, "the record is too short"));
        }
        let mut out = SourceInfo::default();
        for row in t.array(info.u32(0)?)? {
            let (source, _) = t.record(Tables::SOURCES, row)?;
            let text = |at: usize| Ok(t.text(source.u32(at)?)?.to_owned());
            out.sources.push(Source { name: text(0)?, text: text(4)? });
        }
        let words = t.array(info.u32(8)?)?;
        for pair in words.chunks(2) {
            let word = |i: usize| pair.get(i).map_or(Ok(String::new()), |&w| t.text(w).map(str::to_owned));
            out.args.push((word(0)?, word(1)?));
        }
        Ok(out)
    }
}

fn until_nul(text: &str) -> &str {
    text.split('\0').next().unwrap_or_default()
}

/// Size, flags, the numbers, the text with NUL, padding.
fn entry(out: &mut Vec<u8>, text: &str, numbers: &[usize]) {
    let size = (8 + 4 * numbers.len() + text.len() + 1).next_multiple_of(4);
    let end = out.len() + size;
    put_u32(out, size as u32);
    put_u32(out, 0);
    for &n in numbers {
        put_u32(out, n as u32);
    }
    out.extend_from_slice(text.as_bytes());
    out.resize(end, 0);
}

/// Size, flags, kind, what `fill` writes, padding.
fn add_section(out: &mut Vec<u8>, kind: u16, fill: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    put_u32(out, 0);
    put_u16(out, 0);
    put_u16(out, kind);
    fill(out);
    pad4(out);
    let size = (out.len() - start) as u32;
    out[start..start + 4].copy_from_slice(&size.to_le_bytes());
}

/// Texts of `count` entries whose headers have `head` bytes; the size of the text is at byte 8.
fn read_entries(b: Bytes<'_>, count: u32, head: usize) -> Result<Vec<String>, FormatError> {
    let mut out = Vec::new();
    let mut at = 0;
    for _ in 0..count {
        let size = b.u32(at)?;
        if (size as usize) < head {
            return Err(b.error(at, format!("an entry of {size} bytes")));
        }
        let text = b.window(at, u64::from(size))?.slice(head, u64::from(b.u32(at + 8)?))?;
        let text = text.strip_suffix(b"\0").unwrap_or(text);
        let text = std::str::from_utf8(text).map_err(|e| b.error(at + head + e.valid_up_to(), "the text is not UTF-8"))?;
        out.push(text.to_owned());
        at += size as usize;
    }
    Ok(out)
}

/// The bytes as they were before they were compressed.
fn inflate(bytes: &[u8], how: u16, size: u32, b: &Bytes<'_>) -> Result<Vec<u8>, FormatError> {
    let size = size as usize;
    let out = match how {
        STORED => bytes.to_vec(),
        ZLIB if size > MAX_INFLATED => return Err(b.error(0, format!("{size} bytes are more than rtc inflates"))),
        ZLIB => decompress_to_vec_zlib_with_limit(bytes, size).map_err(|e| b.error(0, format!("cannot be inflated: {e}")))?,
        n => return Err(b.error(0, format!("compression {n} is not known"))),
    };
    if out.len() != size {
        return Err(b.error(0, format!("has {} bytes inflated, not {size} as it says", out.len())));
    }
    Ok(out)
}

/// The tables of an RDAT, as far as `PDBI` has them.
struct Tables<'a> {
    all: Bytes<'a>,
    parts: Vec<(u32, Bytes<'a>)>,
}

impl<'a> Tables<'a> {
    const STRINGS: u32 = 1;
    const INDICES: u32 = 2;
    const INFO: u32 = 0x1_0001;
    const SOURCES: u32 = 0x1_0002;
    const NULL: u32 = u32::MAX;

    fn read(b: Bytes<'a>) -> Result<Self, FormatError> {
        let count = b.u32(4)?;
        b.slice(8, u64::from(count) * 4)?;
        let mut parts = Vec::new();
        for i in 0..count as usize {
            let at = b.u32(8 + 4 * i)? as usize;
            parts.push((b.u32(at)?, b.window(at + 8, u64::from(b.u32(at.saturating_add(4))?))?));
        }
        Ok(Tables { all: b, parts })
    }

    fn part(&self, kind: u32) -> Result<Bytes<'a>, FormatError> {
        let found = self.parts.iter().find(|p| p.0 == kind);
        found.map(|p| p.1).ok_or_else(|| self.all.error(4, format!("has no part {kind:#x}")))
    }

    /// A row of a table, and its size.
    fn record(&self, table: u32, row: u32) -> Result<(Bytes<'a>, usize), FormatError> {
        let t = self.part(table)?;
        let (count, stride) = (t.u32(0)?, t.u32(4)? as usize);
        if row >= count {
            return Err(t.error(0, format!("row {row} of {count}")));
        }
        let at = (row as usize).checked_mul(stride).and_then(|n| n.checked_add(8));
        Ok((t.window(at.unwrap_or(usize::MAX), stride as u64)?, stride))
    }

    fn text(&self, at: u32) -> Result<&'a str, FormatError> {
        self.part(Self::STRINGS)?.text(at as usize)
    }

    fn array(&self, at: u32) -> Result<Vec<u32>, FormatError> {
        if at == Self::NULL {
            return Ok(Vec::new());
        }
        let (words, at) = (self.part(Self::INDICES)?, at as usize * 4);
        let count = words.u32(at)?;
        words.slice(at + 4, u64::from(count) * 4)?;
        (0..count as usize).map(|i| words.u32(at + 4 + 4 * i)).collect()
    }
}
