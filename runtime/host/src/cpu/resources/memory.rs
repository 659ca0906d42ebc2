//! Memory of buffers and images: bytes that many threads read, write and modify concurrently.
//!
//! Memory is an array of atomic 32-bit words, all accessed with relaxed ordering: data races of a shader are never undefined
//! behaviour of the host, and on the supported processors a relaxed access is a plain one, which compiled code uses when it
//! accesses a buffer directly. Narrower writes modify their bytes of a word and preserve the others against concurrent writes;
//! wider and unaligned accesses are composed of words. 64-bit atomics on the same memory exclude each other by a lock that is
//! selected by address (see [`super::atomics`]).
//!
//! Every access takes its offset from the start of the memory. An access out of bounds returns `None` or `false` and does
//! nothing; the callers define its meaning for a shader.

use crate::error::{ErrorKind, Result, RunError};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Shared, concurrently writable bytes.
#[derive(Debug)]
pub struct Memory {
    words: Box<[AtomicU32]>,
    size: u64,
}

impl Memory {
    /// `size` bytes of zero.
    ///
    /// # Errors
    /// Out of memory.
    pub fn zeroed(size: u64) -> Result<Memory> {
        let too_large = || RunError::new(ErrorKind::Limit, format!("{size} bytes are too many for one resource"));
        let count = usize::try_from(size.div_ceil(4)).map_err(|_| too_large())?;
        let mut words = Vec::new();
        words.try_reserve_exact(count).map_err(|_| too_large())?;
        words.resize_with(count, AtomicU32::default);
        Ok(Memory { words: words.into_boxed_slice(), size })
    }

    /// `size` bytes that begin with `data`; the rest is zero.
    ///
    /// # Errors
    /// Out of memory, or `data` is larger.
    pub fn filled(size: u64, data: &[u8]) -> Result<Memory> {
        let memory = Memory::zeroed(size)?;
        match memory.write(0, data) {
            true => Ok(memory),
            false => Err(RunError::new(ErrorKind::Binding, format!("{} bytes do not fit a resource of {size}", data.len()))),
        }
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Its words, the last one padded: for code that checks bounds itself.
    pub fn words(&self) -> &[AtomicU32] {
        &self.words
    }

    /// The word of the aligned four bytes at `offset`, if all four are in bounds.
    pub(super) fn word(&self, offset: u64) -> Option<&AtomicU32> {
        let whole = offset.is_multiple_of(4) && offset.checked_add(4)? <= self.size;
        self.words.get((offset / 4) as usize).filter(|_| whole)
    }

    fn inside(&self, offset: u64, len: u64) -> bool {
        offset.checked_add(len).is_some_and(|end| end <= self.size)
    }

    /// The four bytes at `offset`, which need not be aligned.
    #[inline]
    pub fn u32(&self, offset: u64) -> Option<u32> {
        if !self.inside(offset, 4) {
            return None;
        }
        let (at, shift) = ((offset / 4) as usize, (offset % 4) as u32 * 8);
        let low = self.words[at].load(Relaxed);
        if shift == 0 {
            return Some(low);
        }
        let high = self.words[at + 1].load(Relaxed);
        Some(low >> shift | high << (32 - shift))
    }

    /// The lowest `bytes` (1, 2, 4 or 8) of the result are the bytes at `offset`, which need not be aligned.
    #[inline]
    pub fn bits(&self, offset: u64, bytes: u32) -> Option<u64> {
        if bytes == 4 {
            return self.u32(offset).map(u64::from);
        }
        if !self.inside(offset, bytes.into()) {
            return None;
        }
        if bytes == 8 {
            let low = u64::from(self.u32(offset)?);
            return Some(low | u64::from(self.u32(offset + 4)?) << 32);
        }
        let byte = |i: u64| {
            let word = self.words[((offset + i) / 4) as usize].load(Relaxed);
            u64::from(word >> ((offset + i) % 4 * 8) & 0xff)
        };
        Some((0..u64::from(bytes)).fold(0, |all, i| all | byte(i) << (8 * i)))
    }

    /// Writes four bytes at `offset`, which need not be aligned; returns whether they are in bounds.
    #[inline]
    pub fn set_u32(&self, offset: u64, value: u32) -> bool {
        if !self.inside(offset, 4) {
            return false;
        }
        if offset.is_multiple_of(4) {
            self.words[(offset / 4) as usize].store(value, Relaxed);
        } else {
            self.set_bytes(offset, &value.to_le_bytes());
        }
        true
    }

    /// Writes the lowest `bytes` (1, 2, 4 or 8) of `value` at `offset`, which need not be aligned; returns whether they are in bounds.
    #[inline]
    pub fn set_bits(&self, offset: u64, bytes: u32, value: u64) -> bool {
        if !self.inside(offset, bytes.into()) {
            return false;
        }
        match bytes {
            4 => self.set_u32(offset, value as u32),
            8 => self.set_u32(offset, value as u32) && self.set_u32(offset + 4, (value >> 32) as u32),
            _ => {
                self.set_bytes(offset, &value.to_le_bytes()[..bytes as usize]);
                true
            }
        }
    }

    /// Writes bytes in bounds, without modifying the other bytes of their words.
    fn set_bytes(&self, offset: u64, bytes: &[u8]) {
        let mut at = offset;
        let mut rest = bytes;
        while !rest.is_empty() {
            let first = (at % 4) as usize;
            let (now, later) = rest.split_at(rest.len().min(4 - first));
            let (mut value, mut mask) = ([0u8; 4], [0u8; 4]);
            value[first..first + now.len()].copy_from_slice(now);
            mask[first..first + now.len()].fill(0xff);
            let (value, mask) = (u32::from_le_bytes(value), u32::from_le_bytes(mask));
            let word = &self.words[(at / 4) as usize];
            if mask == u32::MAX {
                word.store(value, Relaxed);
            } else {
                // Cannot fail: the closure always returns a value.
                let _ = word.fetch_update(Relaxed, Relaxed, |old| Some(old & !mask | value));
            }
            at += now.len() as u64;
            rest = later;
        }
    }

    /// Writes bytes from the host; returns whether they are in bounds.
    pub fn write(&self, offset: u64, data: &[u8]) -> bool {
        let inside = self.inside(offset, data.len() as u64);
        if inside {
            self.set_bytes(offset, data);
        }
        inside
    }

    /// A copy of the `len` bytes at `offset`, if in bounds.
    pub fn read(&self, offset: u64, len: u64) -> Option<Vec<u8>> {
        if !self.inside(offset, len) {
            return None;
        }
        let first = (offset / 4) as usize;
        let last = ((offset + len).div_ceil(4)) as usize;
        let bytes = self.words[first.min(last)..last].iter().flat_map(|w| w.load(Relaxed).to_le_bytes());
        Some(bytes.skip((offset % 4) as usize).take(len as usize).collect())
    }

    /// A copy of all bytes.
    pub fn to_vec(&self) -> Vec<u8> {
        let bytes = self.words.iter().flat_map(|w| w.load(Relaxed).to_le_bytes());
        bytes.take(self.size as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn any_offset_and_width_reads_the_bytes_that_are_there() {
        let bytes: Vec<u8> = (0..23).map(|i| i * 7 + 1).collect();
        let memory = Memory::filled(23, &bytes).expect("memory");
        for width in [1u32, 2, 4, 8] {
            for at in 0..30u64 {
                let expected = bytes.get(at as usize..at as usize + width as usize).map(|b| {
                    let mut full = [0; 8];
                    full[..b.len()].copy_from_slice(b);
                    u64::from_le_bytes(full)
                });
                assert_eq!(memory.bits(at, width), expected, "{width} bytes at {at}");
            }
        }
        assert_eq!(memory.to_vec(), bytes);
        assert_eq!(memory.read(5, 9).as_deref(), Some(&bytes[5..14]));
        assert_eq!(memory.read(23, 0).as_deref(), Some(&[][..]));
        assert_eq!(memory.read(20, 4), None);
        assert_eq!(memory.bits(u64::MAX, 8), None);
    }

    #[test]
    fn any_offset_and_width_writes_its_bytes_alone() {
        for width in [1u32, 2, 4, 8] {
            for at in 0..24u64 {
                let memory = Memory::filled(19, &[0xee; 19]).expect("memory");
                let fits = at + u64::from(width) <= 19;
                assert_eq!(memory.set_bits(at, width, 0x8877_6655_4433_2211), fits);
                let mut expected = vec![0xee; 19];
                if fits {
                    for i in 0..width as usize {
                        expected[at as usize + i] = 0x11 * (i as u8 + 1);
                    }
                }
                assert_eq!(memory.to_vec(), expected, "{width} bytes at {at}");
            }
        }
    }

    #[test]
    fn neighbours_in_a_word_are_written_by_different_threads() {
        let memory = Memory::zeroed(4096).expect("memory");
        (0..4096u64).into_par_iter().for_each(|i| {
            for round in 0..50 {
                assert!(memory.set_bits(i, 1, (i * 31 + round) & 0xff));
            }
        });
        let expected: Vec<u8> = (0..4096u64).map(|i| (i * 31 + 49) as u8).collect();
        assert_eq!(memory.to_vec(), expected);
    }

    #[test]
    fn sizes_out_of_memory_are_rejected() {
        assert!(Memory::zeroed(u64::MAX).is_err());
        assert!(Memory::filled(3, &[0; 4]).is_err());
        let nothing = Memory::zeroed(0).expect("memory");
        assert_eq!((nothing.bits(0, 1), nothing.set_bits(0, 1, 0)), (None, false));
        assert!(nothing.to_vec().is_empty());
    }
}
