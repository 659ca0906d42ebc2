//! Virtual device addresses: encoding and decoding of buffers, acceleration structures and micromap arrays.
//!
//! An address is decoded wherever it is used, so that any number is safe. Buffers are 2^40 bytes apart: addresses after the end
//! of a buffer belong to none, and no range that begins in one buffer ends in another. Structures and micromap arrays that were
//! built by handle have addresses above all buffers, without accessible memory.

use crate::cpu::objects::{Objects, lookup};
use crate::cpu::resources::Memory;
use crate::device::{Accel, Addressed, Buffer, Micromaps};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::EntityRef;

/// Bits of an address below the buffer's index.
const BUFFER_SHIFT: u32 = 40;
/// Bit of a structure's address; its index is in units of 256 bytes.
const ACCELS: u64 = 1 << 62;
/// Bit of a micromap array's address; its index is in units of 256 bytes.
const MICROMAPS: u64 = 1 << 61;
/// Address distance of objects with an index.
const NUMBERED_SHIFT: u32 = 8;

/// A decoded address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceAddress {
    /// A byte of a buffer, possibly after its end.
    Buffer(Buffer, u64),
    /// A structure.
    Accel(Accel),
    /// An array of micromaps.
    Micromaps(Micromaps),
}

pub(super) fn error(why: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Binding, why.to_string())
}

/// Decodes an address; `None` for null and for addresses that are never assigned.
pub fn decode(address: u64) -> Option<DeviceAddress> {
    let number = |base: u64| {
        let offset = address - base;
        let whole = offset.is_multiple_of(1 << NUMBERED_SHIFT) && offset >> NUMBERED_SHIFT < u64::from(u32::MAX);
        whole.then_some((offset >> NUMBERED_SHIFT) as u32)
    };
    if address >= ACCELS {
        return number(ACCELS).map(|n| DeviceAddress::Accel(Accel::from_u32(n)));
    }
    if address >= MICROMAPS {
        return number(MICROMAPS).map(|n| DeviceAddress::Micromaps(Micromaps::from_u32(n)));
    }
    let buffer = (address >> BUFFER_SHIFT).checked_sub(1)?;
    let offset = address & ((1 << BUFFER_SHIFT) - 1);
    Some(DeviceAddress::Buffer(Buffer::from_u32(u32::try_from(buffer).ok()?), offset))
}

/// Checks that an address is a multiple of `alignment` (a power of two).
pub(super) fn aligned(field: &str, address: u64, alignment: u64) -> Result<()> {
    match address.is_multiple_of(alignment) {
        true => Ok(()),
        false => Err(error(format!("{field}: address {address:#x} is not a multiple of {alignment}"))),
    }
}

impl Objects {
    /// See [`crate::device::Device::address`].
    ///
    /// # Errors
    /// An unknown object; a buffer larger than its address range.
    pub fn address(&self, of: Addressed) -> Result<u64> {
        let numbered = |base: u64, index: usize| base + ((index as u64) << NUMBERED_SHIFT);
        Ok(match of {
            Addressed::Buffer(b) => {
                let size = lookup(&self.buffers, b)?.size();
                if size > 1 << BUFFER_SHIFT || b.index() as u64 >= (MICROMAPS >> BUFFER_SHIFT) - 1 {
                    return Err(error(format!("{b} of {size} bytes exceeds the address range")));
                }
                (b.index() as u64 + 1) << BUFFER_SHIFT
            }
            Addressed::Accel(a) => lookup(&self.accels, a).map(|_| numbered(ACCELS, a.index()))?,
            Addressed::Micromaps(m) => lookup(&self.micromaps, m).map(|_| numbered(MICROMAPS, m.index()))?,
        })
    }

    /// The memory that contains all of `size` bytes at an address, and the offset in it.
    ///
    /// # Errors
    /// They are not in a buffer, or not all in one.
    pub(super) fn bytes_at(&self, field: &str, address: u64, size: u64) -> Result<(&Memory, u64)> {
        let Some(DeviceAddress::Buffer(b, offset)) = decode(address) else {
            return Err(error(format!("{field}: address {address:#x} is not in a buffer")));
        };
        let Ok(memory) = lookup(&self.buffers, b) else {
            return Err(error(format!("{field}: address {address:#x} is not in a buffer")));
        };
        match offset.checked_add(size) {
            Some(end) if end <= memory.size() => Ok((memory, offset)),
            _ => {
                let has = memory.size();
                Err(error(format!("{field}: {size} bytes at {address:#x} are out of bounds: offset {offset} in {b} of {has} bytes")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_decodes_to_at_most_one_object() {
        let mut o = Objects::default();
        let buffers: Vec<Buffer> = (0..3).map(|n| o.create_buffer(n * 10, &[]).unwrap()).collect();
        let addresses: Vec<u64> = buffers.iter().map(|&b| o.address(Addressed::Buffer(b)).unwrap()).collect();
        for (n, &a) in addresses.iter().enumerate() {
            assert_eq!(decode(a + 7), Some(DeviceAddress::Buffer(buffers[n], 7)));
            assert!(a.is_multiple_of(256) && o.bytes_at("X", a, n as u64 * 10).is_ok());
            let why = o.bytes_at("X", a + 1, n as u64 * 10).unwrap_err().message;
            assert!(why.starts_with("X: ") && why.contains("out of bounds"), "{why}");
        }
        assert!(o.bytes_at("X", addresses[2] + 5, u64::MAX).is_err());
        assert!(o.address(Addressed::Buffer(Buffer::new(3))).is_err() && o.address(Addressed::Accel(Accel::new(0))).is_err());
        assert_eq!(decode(0), None);
        assert_eq!(decode(ACCELS + 0x300), Some(DeviceAddress::Accel(Accel::new(3))));
        assert_eq!(decode(MICROMAPS + 0x301), None);
        for a in [0, 1, 255, addresses[0] - 1, addresses[2] * 2, MICROMAPS, ACCELS + 1, u64::MAX] {
            assert!(o.bytes_at("X", a, 0).unwrap_err().message.contains("is not in a buffer"), "{a:#x}");
        }
    }
}
