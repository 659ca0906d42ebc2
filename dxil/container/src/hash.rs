//! `HASH`: MD5 of the bitcode, the name under which debug information is found.

use super::{Bytes, FormatError, digest, put_u32};

/// The digest of a shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShaderHash {
    /// Whether it covers the source text too (`-Zss`).
    pub includes_source: bool,
    /// MD5.
    pub digest: [u8; 16],
}

impl ShaderHash {
    /// The hash of this bitcode (unpadded, without program header).
    pub fn of(bitcode: &[u8]) -> Self {
        ShaderHash { includes_source: false, digest: digest::md5(bitcode) }
    }

    /// Reads the part.
    ///
    /// # Errors
    /// When it has not 20 bytes or an unknown flag.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let b = Bytes::new("HASH", data);
        if data.len() != 20 {
            return Err(b.error(0, format!("has {} bytes, needed are 20", data.len())));
        }
        let flags = b.u32(0)?;
        if flags > 1 {
            return Err(b.error(0, format!("unknown flags {flags:#x}")));
        }
        let mut digest = [0; 16];
        digest.copy_from_slice(b.slice(4, 16)?);
        Ok(ShaderHash { includes_source: flags == 1, digest })
    }

    /// The part's data.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(20);
        put_u32(&mut out, u32::from(self.includes_source));
        out.extend_from_slice(&self.digest);
        out
    }

    /// The digest as 32 small hexadecimal digits.
    pub fn hex(&self) -> String {
        self.digest.iter().map(|b| format!("{b:02x}")).collect()
    }
}
