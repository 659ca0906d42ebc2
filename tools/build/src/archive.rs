//! Archives: one file with the objects of many permutations, each object once, and an index by key.
//!
//! | offset | size | contents |
//! |---|---|---|
//! | 0 | 4 | `RTCA` |
//! | 4 | 4 | the version, 1 |
//! | 8 | 4 | the number of entries |
//! | 12 | 4 | 0 |
//! | 16 | 32 each | entries: hash of the key (8), offset of the key (4), its length (4), offset of the object (8), its length (8) |
//! | | | keys, without separators |
//! | | | objects, each at a multiple of 16 |
//!
//! Numbers are little-endian, offsets count from the start of the file. Entries are sorted by hash, then key. The hash is FNV-1a of 64 bits. `include/rtc_archive.h` is a
//! reader in C of one file.

use std::fmt;
use std::ops::Range;

use rustc_hash::FxHashMap;

/// The first bytes of an archive.
pub const SIGNATURE: &[u8; 4] = b"RTCA";

/// The version of the format.
pub const VERSION: u32 = 1;

const HEADER: usize = 16;
const ENTRY: usize = 32;
const ALIGNMENT: usize = 16;

/// Why bytes are no archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArchiveError {
    /// They do not begin with the signature.
    NoArchive,
    /// The version is another one.
    Version(u32),
    /// The index goes beyond the file, or is not sorted.
    Damaged,
    /// A key is there twice, or a length does not fit: it cannot be written.
    Unwritable,
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::NoArchive => f.write_str("it is no archive of rtc"),
            ArchiveError::Version(v) => write!(f, "it is an archive of version {v}; this program reads version {VERSION}"),
            ArchiveError::Damaged => f.write_str("the archive is damaged"),
            ArchiveError::Unwritable => f.write_str("the archive has a key twice, or is too large for its format"),
        }
    }
}

impl std::error::Error for ArchiveError {}

/// FNV-1a of 64 bits.
fn hash(key: &[u8]) -> u64 {
    key.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// The archive of these objects. It does not depend on their order.
///
/// # Errors
/// [`ArchiveError::Unwritable`].
pub fn archive(objects: &[(&str, &[u8])]) -> Result<Vec<u8>, ArchiveError> {
    let mut sorted: Vec<(u64, &str, &[u8])> = objects.iter().map(|(key, object)| (hash(key.as_bytes()), *key, *object)).collect();
    sorted.sort();
    if sorted.windows(2).any(|w| w[0].1 == w[1].1) {
        return Err(ArchiveError::Unwritable);
    }
    let fits = |n: usize| u32::try_from(n).map_err(|_| ArchiveError::Unwritable);
    let keys = HEADER + sorted.len() * ENTRY;
    let mut next = (keys + sorted.iter().map(|e| e.1.len()).sum::<usize>()).next_multiple_of(ALIGNMENT);
    let mut out = Vec::with_capacity(next);
    out.extend(SIGNATURE);
    out.extend(VERSION.to_le_bytes());
    out.extend(fits(sorted.len())?.to_le_bytes());
    out.extend([0; 4]);
    let mut placed: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut order: Vec<&[u8]> = Vec::new();
    let mut key_at = keys;
    for (hash, key, object) in &sorted {
        let at = *placed.entry(object).or_insert_with(|| {
            let at = next;
            next = (at + object.len()).next_multiple_of(ALIGNMENT);
            order.push(object);
            at
        });
        out.extend(hash.to_le_bytes());
        out.extend(fits(key_at)?.to_le_bytes());
        out.extend(fits(key.len())?.to_le_bytes());
        out.extend((at as u64).to_le_bytes());
        out.extend((object.len() as u64).to_le_bytes());
        key_at += key.len();
    }
    sorted.iter().for_each(|e| out.extend(e.1.as_bytes()));
    for object in order {
        out.resize(out.len().next_multiple_of(ALIGNMENT), 0);
        out.extend(object);
    }
    Ok(out)
}

/// An archive in memory.
#[derive(Clone, Copy, Debug)]
pub struct Archive<'a> {
    bytes: &'a [u8],
    count: usize,
}

impl<'a> Archive<'a> {
    /// Reads the index and checks it.
    ///
    /// # Errors
    /// The bytes are no archive, or it is damaged.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ArchiveError> {
        if !bytes.starts_with(SIGNATURE) {
            return Err(ArchiveError::NoArchive);
        }
        let number = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes).ok_or(ArchiveError::Damaged);
        let (version, count) = (number(4)?, number(8)? as usize);
        if version != VERSION {
            return Err(ArchiveError::Version(version));
        }
        if count > bytes.len() / ENTRY {
            return Err(ArchiveError::Damaged);
        }
        let archive = Archive { bytes, count };
        let mut last = None;
        for i in 0..count {
            let (hash_of_key, key, _) = archive.entry(i).ok_or(ArchiveError::Damaged)?;
            let this = Some((hash_of_key, key));
            if hash(key) != hash_of_key || last >= this {
                return Err(ArchiveError::Damaged);
            }
            last = this;
        }
        Ok(archive)
    }

    fn entry(&self, i: usize) -> Option<(u64, &'a [u8], &'a [u8])> {
        let entry = self.bytes.get(HEADER + i * ENTRY..)?.get(..ENTRY)?;
        let number = |at: Range<usize>| entry[at].iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
        let part = |at: u64, length: u64| {
            let at = usize::try_from(at).ok()?;
            self.bytes.get(at..at.checked_add(usize::try_from(length).ok()?)?)
        };
        Some((number(0..8), part(number(8..12), number(12..16))?, part(number(16..24), number(24..32))?))
    }

    /// The object of a key.
    pub fn get(&self, key: &str) -> Option<&'a [u8]> {
        let wanted = (hash(key.as_bytes()), key.as_bytes());
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let (hash, key, object) = self.entry(middle)?;
            match (hash, key).cmp(&wanted) {
                std::cmp::Ordering::Equal => return Some(object),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// All keys with their objects, in the order of the index.
    pub fn iter(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let archive = *self;
        (0..self.count).filter_map(move |i| archive.entry(i).map(|e| (e.1, e.2)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_and_stored_once() {
        let keys: Vec<String> = (0..100).map(|i| format!("shader:main A={i}")).collect();
        let objects: Vec<Vec<u8>> = (0..100u8).map(|i| vec![i % 10; 1000 + usize::from(i % 10)]).collect();
        let mut all: Vec<(&str, &[u8])> = keys.iter().zip(&objects).map(|(k, o)| (k.as_str(), o.as_slice())).collect();
        let bytes = archive(&all).expect("it is small");
        assert!(bytes.len() < 20_000, "ten objects of a thousand bytes: {}", bytes.len());
        let a = Archive::parse(&bytes).expect("it was just written");
        assert!(all.iter().all(|(key, object)| a.get(key) == Some(object)));
        assert_eq!((a.get("shader:main A=100"), a.get(""), a.iter().count()), (None, None, 100));
        assert!(a.iter().all(|(_, object)| (object.as_ptr() as usize - bytes.as_ptr() as usize).is_multiple_of(ALIGNMENT)));
        all.reverse();
        assert_eq!(archive(&all).expect("it is small"), bytes, "the order does not matter");
        all.push(all[0]);
        assert_eq!(archive(&all), Err(ArchiveError::Unwritable));
        let empty = archive(&[]).expect("it is small");
        assert_eq!(Archive::parse(&empty).expect("it was just written").iter().count(), 0);
    }

    #[test]
    fn damage_is_an_error() {
        let bytes = archive(&[("a", b"1"), ("b", b"2"), ("c", b"333")]).expect("it is small");
        for cut in 0..bytes.len() {
            assert!(Archive::parse(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                if let Ok(a) = Archive::parse(&damaged) {
                    assert!(a.iter().count() <= 3);
                }
            }
        }
    }
}
