//! Bitcode after a program header: the parts `DXIL`, `ILDB` and `STAT`.

use super::bytes::pad4;
use super::{Bytes, FormatError, ShaderKind, Version, put_u32};

/// Bytes of the header.
pub const HEADER_SIZE: usize = 24;
const MAGIC: u32 = u32::from_le_bytes(*b"DXIL");
/// Where the bitcode offset counts from: the magic word.
const INNER: usize = 8;
/// Shader kinds and models above these have no room in the version word.
const MAX_MAJOR: u32 = 0xfff;
const MAX_MINOR: u32 = 0xf;

/// A program: what it is for, and its bitcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Program<'a> {
    /// Kind of shader, or library.
    pub kind: ShaderKind,
    /// Shader model.
    pub model: Version,
    /// DXIL version: 1.n for shader model 6.n.
    pub dxil: Version,
    /// The bitcode, without padding.
    pub bitcode: &'a [u8],
}

impl<'a> Program<'a> {
    /// Reads the data of such a part; `part` names it in errors.
    ///
    /// # Errors
    /// When a size does not fit or the header is not a program's.
    pub fn read(part: &'static str, data: &'a [u8]) -> Result<Program<'a>, FormatError> {
        let b = Bytes::new(part, data);
        let version = b.u32(0)?;
        let words = b.u32(4)?;
        if u64::from(words) * 4 != data.len() as u64 {
            let why = format!("says {words} words, the part has {} bytes", data.len());
            return Err(b.error(4, why));
        }
        if b.u32(INNER)? != MAGIC {
            return Err(b.error(INNER, "the program header has no 'DXIL' mark"));
        }
        let dxil = b.u32(12)?;
        let (offset, size) = (b.u32(16)?, b.u32(20)?);
        let Some(start) = (offset as usize).checked_add(INNER).filter(|&s| s >= HEADER_SIZE) else {
            return Err(b.error(16, format!("bitcode offset {offset} lies inside the header")));
        };
        let kind = ShaderKind::from_u32(version >> 16).ok_or_else(|| b.error(0, format!("unknown shader kind {}", version >> 16)))?;
        Ok(Program {
            kind,
            model: Version::new(version >> 4 & MAX_MAJOR, version & MAX_MINOR),
            dxil: Version::new(dxil >> 8, dxil & 0xff),
            bitcode: b.slice(start, u64::from(size))?,
        })
    }

    /// The part's data: header, bitcode, zeros up to a multiple of four bytes.
    pub fn write(&self) -> Vec<u8> {
        let padded = self.bitcode.len().next_multiple_of(4);
        let mut out = Vec::with_capacity(HEADER_SIZE + padded);
        let model = (self.model.major & MAX_MAJOR) << 4 | self.model.minor & MAX_MINOR;
        put_u32(&mut out, self.kind.as_u32() << 16 | model);
        put_u32(&mut out, ((HEADER_SIZE + padded) / 4) as u32);
        put_u32(&mut out, MAGIC);
        put_u32(&mut out, self.dxil.major << 8 | self.dxil.minor & 0xff);
        put_u32(&mut out, (HEADER_SIZE - INNER) as u32);
        put_u32(&mut out, self.bitcode.len() as u32);
        out.extend_from_slice(self.bitcode);
        pad4(&mut out);
        out
    }
}
