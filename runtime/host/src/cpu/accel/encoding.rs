//! Binary encoding of acceleration structures: little-endian numbers after a header with version and checksum.
//!
//! A [`Reader`] never trusts a length: it checks that the bytes are there. The checksum detects accidental damage; a deserialiser
//! still validates that the parts agree, since a checksum does not authenticate the writer.

use super::math::{Bounds, V3};
use crate::error::{ErrorKind, Result, RunError};

const MAGIC: [u8; 4] = *b"RTCa";
/// Incremented when the encoding changes.
const VERSION: u32 = 1;
/// Magic, version, kind, checksum.
const HEADER: usize = 20;

/// The type of an encoded object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Bottom = 1,
    Top = 2,
    Micromaps = 3,
}

/// The error for malformed bytes.
pub(crate) fn damaged(why: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Device, format!("a serialised acceleration structure cannot be read: {why}"))
}

fn checksum(bytes: &[u8]) -> u64 {
    // FNV-1a over words of eight bytes, including the length, so that appended zeros are detected.
    let step = |h: u64, w: u64| (h ^ w).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    let mut words = bytes.chunks_exact(8);
    let mut hash = step(0xcbf2_9ce4_8422_2325, bytes.len() as u64);
    for w in &mut words {
        hash = step(hash, u64::from_le_bytes(w.try_into().unwrap_or_default()));
    }
    words.remainder().iter().fold(hash, |h, &b| step(h, u64::from(b)))
}

/// Encoder.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// Starts an object of `kind`; [`Writer::finish`] completes the header.
    pub fn new(kind: Kind) -> Writer {
        let mut out = Writer::default();
        out.0.extend(MAGIC);
        out.u32(VERSION);
        out.u32(kind as u32);
        out.u64(0);
        out
    }
    pub fn u32(&mut self, n: u32) {
        self.0.extend(n.to_le_bytes());
    }
    pub fn u64(&mut self, n: u64) {
        self.0.extend(n.to_le_bytes());
    }
    pub fn f32s(&mut self, numbers: &[f32]) {
        self.0.extend(numbers.iter().flat_map(|f| f.to_le_bytes()));
    }
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.0.extend(bytes);
    }
    pub fn bounds(&mut self, b: &Bounds) {
        self.f32s(&b.lo);
        self.f32s(&b.hi);
    }
    /// The bytes with their checksum.
    pub fn finish(mut self) -> Vec<u8> {
        let sum = checksum(&self.0[HEADER..]);
        self.0[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
        self.0
    }
}

/// Decoder.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// The kind of object that a header states.
    pub fn kind(bytes: &[u8]) -> Option<u32> {
        if !bytes.starts_with(&MAGIC) {
            return None;
        }
        Some(u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?))
    }
    /// Checks the header.
    ///
    /// # Errors
    /// Other bytes than a structure of this kind and version.
    pub fn new(kind: Kind, bytes: &'a [u8]) -> Result<Reader<'a>> {
        let mut r = Reader(bytes);
        if r.take(4)? != MAGIC {
            return Err(damaged("it is none"));
        }
        let version = r.u32()?;
        if version != VERSION {
            return Err(damaged(format!("it has version {version}, this is {VERSION}")));
        }
        let found = r.u32()?;
        if found != kind as u32 {
            return Err(damaged(format!("it is of kind {found}, not {} ({kind:?})", kind as u32)));
        }
        let sum = r.u64()?;
        if sum != checksum(r.0) {
            return Err(damaged("checksum mismatch"));
        }
        Ok(r)
    }
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n).ok_or_else(|| damaged("unexpected end of data"))?;
        self.0 = tail;
        Ok(head)
    }
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| damaged("unexpected end of data"))
    }
    /// Reads a number.
    ///
    /// # Errors
    /// The bytes end before it.
    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }
    /// Reads a number.
    ///
    /// # Errors
    /// The bytes end before it.
    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }
    /// Reads a number.
    ///
    /// # Errors
    /// The bytes end before it.
    pub fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.array()?))
    }
    /// Reads a vector.
    ///
    /// # Errors
    /// The bytes end before it.
    pub fn v3(&mut self) -> Result<V3> {
        Ok([self.f32()?, self.f32()?, self.f32()?])
    }
    /// Reads a box.
    ///
    /// # Errors
    /// The bytes end before it.
    pub fn bounds(&mut self) -> Result<Bounds> {
        Ok(Bounds { lo: self.v3()?, hi: self.v3()? })
    }
    /// Reads bytes after their number.
    ///
    /// # Errors
    /// The bytes end before it.
    pub fn bytes(&mut self) -> Result<&'a [u8]> {
        let n = self.u64()?;
        self.take(usize::try_from(n).map_err(|_| damaged("unexpected end of data"))?)
    }
    /// A count of elements that take at least `size` bytes each.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn count(&mut self, size: usize) -> Result<usize> {
        let n = self.u64()?;
        match usize::try_from(n).ok().and_then(|n| n.checked_mul(size)) {
            Some(bytes) if bytes <= self.0.len() => Ok(n as usize),
            _ => Err(damaged("unexpected end of data")),
        }
    }
    /// Fails if bytes remain.
    ///
    /// # Errors
    /// Bytes remain.
    pub fn end(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(damaged("trailing bytes")) }
    }
}

/// Recomputes the checksum of modified bytes.
#[cfg(test)]
pub(super) fn forge(bytes: &mut [u8]) {
    let sum = checksum(&bytes[HEADER..]);
    bytes[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
}
