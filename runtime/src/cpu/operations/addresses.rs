//! Device addresses of the CPU device.
//!
//! An address is a number that is taken apart wherever it is used, so that any number is harmless. A buffer's are 2^40 bytes apart:
//! what lies behind its end belongs to nobody, and nothing that begins in one buffer can end in another. Structures and
//! micromaps that were built by number have addresses above all buffers, with nothing behind them to read.

use crate::cpu::objects::{Objects, known};
use crate::cpu::resources::Memory;
use crate::device::{Accel, Addressed, Buffer, Micromaps};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::EntityRef;

/// Bits of an address below the buffer's number.
const BUFFER_SHIFT: u32 = 40;
/// Above it: the number of a structure, by 256 bytes.
const ACCELS: u64 = 1 << 62;
/// Above it: the number of an array of micromaps, by 256 bytes.
const MICROMAPS: u64 = 1 << 61;
/// Distance of what has a number.
const NUMBERED_SHIFT: u32 = 8;

/// What an address is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A byte of a buffer, which may lie behind its end.
    Buffer(Buffer, u64),
    /// A structure.
    Accel(Accel),
    /// An array of micromaps.
    Micromaps(Micromaps),
}

pub(super) fn wrong(why: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Binding, why.to_string())
}

/// What is at an address; nothing at 0 and at what nobody was told.
pub fn place(address: u64) -> Option<Place> {
    let number = |base: u64| {
        let offset = address - base;
        let whole = offset.is_multiple_of(1 << NUMBERED_SHIFT) && offset >> NUMBERED_SHIFT < u64::from(u32::MAX);
        whole.then_some((offset >> NUMBERED_SHIFT) as u32)
    };
    if address >= ACCELS {
        return number(ACCELS).map(|n| Place::Accel(Accel::from_u32(n)));
    }
    if address >= MICROMAPS {
        return number(MICROMAPS).map(|n| Place::Micromaps(Micromaps::from_u32(n)));
    }
    let buffer = (address >> BUFFER_SHIFT).checked_sub(1)?;
    let offset = address & ((1 << BUFFER_SHIFT) - 1);
    Some(Place::Buffer(Buffer::from_u32(u32::try_from(buffer).ok()?), offset))
}

/// An address that is a multiple of `alignment` (a power of two).
pub(super) fn aligned(field: &str, address: u64, alignment: u64) -> Result<()> {
    match address.is_multiple_of(alignment) {
        true => Ok(()),
        false => Err(wrong(format!("{field}: address {address:#x} is no multiple of {alignment}"))),
    }
}

impl Objects {
    /// See [`crate::device::Device::address`].
    ///
    /// # Errors
    /// What is not there; a buffer that is larger than its addresses.
    pub fn address(&self, of: Addressed) -> Result<u64> {
        let numbered = |base: u64, index: usize| base + ((index as u64) << NUMBERED_SHIFT);
        Ok(match of {
            Addressed::Buffer(b) => {
                let size = known(&self.buffers, b)?.size();
                if size > 1 << BUFFER_SHIFT || b.index() as u64 >= (MICROMAPS >> BUFFER_SHIFT) - 1 {
                    return Err(wrong(format!("{b} of {size} bytes has no addresses")));
                }
                (b.index() as u64 + 1) << BUFFER_SHIFT
            }
            Addressed::Accel(a) => known(&self.accels, a).map(|_| numbered(ACCELS, a.index()))?,
            Addressed::Micromaps(m) => known(&self.micromaps, m).map(|_| numbered(MICROMAPS, m.index()))?,
        })
    }

    /// The memory in which all of `size` bytes at an address lie, and where in it.
    ///
    /// # Errors
    /// They lie in no buffer, or not all in one.
    pub(super) fn bytes_at(&self, field: &str, address: u64, size: u64) -> Result<(&Memory, u64)> {
        let Some(Place::Buffer(b, offset)) = place(address) else {
            return Err(wrong(format!("{field}: address {address:#x} is of no buffer")));
        };
        let Ok(memory) = known(&self.buffers, b) else {
            return Err(wrong(format!("{field}: address {address:#x} is of no buffer")));
        };
        match offset.checked_add(size) {
            Some(end) if end <= memory.size() => Ok((memory, offset)),
            _ => {
                let has = memory.size();
                Err(wrong(format!("{field}: {size} bytes at {address:#x} do not fit: byte {offset} of {b}, which has {has}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_an_address_of_one_thing_or_of_nothing() {
        let mut o = Objects::default();
        let buffers: Vec<Buffer> = (0..3).map(|n| o.create_buffer(n * 10, &[]).unwrap()).collect();
        let addresses: Vec<u64> = buffers.iter().map(|&b| o.address(Addressed::Buffer(b)).unwrap()).collect();
        for (n, &a) in addresses.iter().enumerate() {
            assert_eq!(place(a + 7), Some(Place::Buffer(buffers[n], 7)));
            assert!(a.is_multiple_of(256) && o.bytes_at("X", a, n as u64 * 10).is_ok());
            let why = o.bytes_at("X", a + 1, n as u64 * 10).unwrap_err().message;
            assert!(why.starts_with("X: ") && why.contains("do not fit"), "{why}");
        }
        assert!(o.bytes_at("X", addresses[2] + 5, u64::MAX).is_err());
        assert!(o.address(Addressed::Buffer(Buffer::new(3))).is_err() && o.address(Addressed::Accel(Accel::new(0))).is_err());
        assert_eq!(place(0), None);
        assert_eq!(place(ACCELS + 0x300), Some(Place::Accel(Accel::new(3))));
        assert_eq!(place(MICROMAPS + 0x301), None);
        for a in [0, 1, 255, addresses[0] - 1, addresses[2] * 2, MICROMAPS, ACCELS + 1, u64::MAX] {
            assert!(o.bytes_at("X", a, 0).unwrap_err().message.contains("no buffer"), "{a:#x}");
        }
    }
}
