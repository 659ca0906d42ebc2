//! `VERS`: the compiler that made the container.

use super::bytes::pad4;
use super::{Bytes, FormatError, put_u16, put_u32};

/// Version of a compiler.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompilerVersion {
    /// Major version.
    pub major: u16,
    /// Minor version.
    pub minor: u16,
    /// 1 debug build, 2 internal validator.
    pub flags: u32,
    /// Number of commits up to this build.
    pub commits: u32,
    /// Hash of the last of them.
    pub sha: String,
    /// Free text.
    pub custom: String,
}

const FIXED: usize = 16;

/// The name and version of this compiler, as modules and containers record their producer.
pub const PRODUCER: &str = concat!("rtc ", env!("CARGO_PKG_VERSION"));

impl CompilerVersion {
    /// This compiler.
    pub fn current() -> CompilerVersion {
        let mut numbers = env!("CARGO_PKG_VERSION").split('.').map(|n| n.parse().unwrap_or(0));
        CompilerVersion {
            major: numbers.next().unwrap_or(0),
            minor: numbers.next().unwrap_or(0),
            flags: 0,
            commits: 0,
            sha: String::new(),
            custom: PRODUCER.to_owned(),
        }
    }

    /// Reads the part.
    ///
    /// # Errors
    /// When it is too short or its strings do not end where the part says.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let b = Bytes::new("VERS", data);
        let strings = b.window(FIXED, u64::from(b.u32(12)?))?;
        let sha = strings.text(0)?;
        let custom = if sha.len() + 1 < strings.len() { strings.text(sha.len() + 1)? } else { "" };
        Ok(CompilerVersion {
            major: b.u16(0)?,
            minor: b.u16(2)?,
            flags: b.u32(4)?,
            commits: b.u32(8)?,
            sha: sha.to_owned(),
            custom: custom.to_owned(),
        })
    }

    /// The part's data. The strings stop at their first NUL.
    pub fn write(&self) -> Vec<u8> {
        let until_nul = |s: &'_ str| s.split('\0').next().unwrap_or_default().to_owned();
        let strings = format!("{}\0{}\0", until_nul(&self.sha), until_nul(&self.custom));
        let mut out = Vec::with_capacity(FIXED + strings.len() + 3);
        put_u16(&mut out, self.major);
        put_u16(&mut out, self.minor);
        put_u32(&mut out, self.flags);
        put_u32(&mut out, self.commits);
        put_u32(&mut out, strings.len() as u32);
        out.extend_from_slice(strings.as_bytes());
        pad4(&mut out);
        out
    }
}
