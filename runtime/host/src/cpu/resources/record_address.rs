//! Addresses in shader records: encoding and decoding of buffers and acceleration structures.

use crate::device::{Accel, Buffer};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::EntityRef;

/// An address in a shader record, decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordAddress {
    /// A null address.
    Nothing,
    /// A buffer from a byte offset on.
    Buffer(Buffer, u64),
    /// An acceleration structure.
    Accel(Accel),
}

/// Bits of an address below the buffer's index.
const OFFSET_BITS: u32 = 40;
const IS_ACCEL: u64 = 1 << 63;

impl RecordAddress {
    /// Encodes the address.
    ///
    /// # Errors
    /// The offset exceeds the address bits.
    pub fn encode(self) -> Result<u64> {
        let at = |n: usize| (n as u64 + 1) << OFFSET_BITS;
        match self {
            RecordAddress::Nothing => Ok(0),
            RecordAddress::Accel(a) => Ok(IS_ACCEL | at(a.index())),
            RecordAddress::Buffer(b, offset) if offset >> OFFSET_BITS == 0 => Ok(at(b.index()) | offset),
            RecordAddress::Buffer(b, offset) => Err(RunError::new(ErrorKind::Binding, format!("byte {offset} of {b} is not addressable"))),
        }
    }

    /// Decodes an address.
    pub fn decode(address: u64) -> RecordAddress {
        let Some(n) = ((address & !IS_ACCEL) >> OFFSET_BITS).checked_sub(1) else { return RecordAddress::Nothing };
        match address & IS_ACCEL {
            0 => RecordAddress::Buffer(Buffer::new(n as usize), address & ((1 << OFFSET_BITS) - 1)),
            _ => RecordAddress::Accel(Accel::new(n as usize)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_round_trip() {
        let buffer = Buffer::new(7);
        for place in [
            RecordAddress::Nothing,
            RecordAddress::Buffer(buffer, 0),
            RecordAddress::Buffer(buffer, 12345),
            RecordAddress::Accel(Accel::new(0)),
        ] {
            assert_eq!(RecordAddress::decode(place.encode().expect("an address")), place);
        }
        assert!(RecordAddress::Buffer(buffer, 1 << 40).encode().is_err());
        assert_eq!(RecordAddress::decode(99), RecordAddress::Nothing);
    }
}
