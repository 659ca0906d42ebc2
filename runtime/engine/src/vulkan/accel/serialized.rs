//! Structures as bytes, for the same device and driver.

use super::super::device::Device;
use super::super::dispatch::command_buffer;
use super::demand::aligned;
use super::inputs::Shape;
use super::raw::at;
use super::{Accel, barrier, vk};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::{HasBuilder, KhrAccelerationStructureExtensionDeviceCommands};

/// Records the serialisation of a structure to memory at a multiple of 256, which has the size that a [`super::SizeQueries`] gave.
///
/// # Errors
/// [`ErrorKind::Binding`]: the structure was not built, or the address is not aligned. [`ErrorKind::OtherDevice`].
///
/// # Safety
/// As [`super::build`]; the memory is large enough.
pub unsafe fn serialize(device: &Device, command_buffer_raw: u64, source: &Accel, address: u64) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    device.same(&source.device, "the structure to serialise")?;
    if source.shape.is_none() {
        return Err(Error::new(ErrorKind::Binding, "a serialisation of a structure that was not built"));
    }
    aligned(address, 256, "a serialised structure")?;
    let info = vk::CopyAccelerationStructureToMemoryInfoKHR {
        src: source.raw,
        dst: vk::DeviceOrHostAddressKHR { device_address: address },
        mode: vk::CopyAccelerationStructureModeKHR::SERIALIZE,
        ..Default::default()
    };
    // SAFETY: by the caller's promise.
    unsafe { device.raw().cmd_copy_acceleration_structure_to_memory_khr(cmd, &info) };
    barrier(device.raw(), cmd);
    Ok(())
}

/// Records the reading of a serialised structure, whose header the host has checked with [`SerializedHeader::read`] and whose addresses of
/// bottom-level structures it has replaced.
///
/// # Errors
/// [`ErrorKind::Binding`]: the structure is too small, or the address is not aligned. [`ErrorKind::OtherDevice`].
///
/// # Safety
/// As [`super::build`]; the memory has the bytes that the header is of.
pub unsafe fn deserialize(
    device: &Device,
    command_buffer_raw: u64,
    header: &SerializedHeader,
    address: u64,
    target: &mut Accel,
) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    header.fits(device, target)?;
    aligned(address, 256, "a serialised structure")?;
    let info = vk::CopyMemoryToAccelerationStructureInfoKHR {
        src: at(address),
        dst: target.raw,
        mode: vk::CopyAccelerationStructureModeKHR::DESERIALIZE,
        ..Default::default()
    };
    // SAFETY: by the caller's promise.
    unsafe { device.raw().cmd_copy_memory_to_acceleration_structure_khr(cmd, &info) };
    barrier(device.raw(), cmd);
    target.shape = Some(Shape::unknown());
    Ok(())
}

/// The header of a serialised structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SerializedHeader {
    /// Bytes of the structure after it is read.
    pub deserialized_size: u64,
    /// How many addresses of bottom-level structures follow the header.
    pub handles: u64,
}

/// Bytes before the addresses in a serialised structure.
pub const SERIALIZED_HEADER: usize = 56;

impl SerializedHeader {
    /// Reads and checks the header of a serialised structure: `D3D12`'s driver matching identifier included.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: bytes of another device or driver, or that are damaged.
    pub fn read(device: &Device, bytes: &[u8]) -> Result<SerializedHeader> {
        let (header, version) = SerializedHeader::parse(bytes)?;
        let info = vk::AccelerationStructureVersionInfoKHR::builder().version_data(&version);
        // SAFETY: `version` has the 32 bytes that the call reads.
        let fits = unsafe { device.raw().get_device_acceleration_structure_compatibility_khr(&info) };
        match fits == vk::AccelerationStructureCompatibilityKHR::COMPATIBLE {
            true => Ok(header),
            false => Err(bad_bytes("they were written by another device or driver")),
        }
    }

    fn parse(bytes: &[u8]) -> Result<(SerializedHeader, [u8; 32])> {
        let Some(head) = bytes.get(..SERIALIZED_HEADER) else {
            return Err(bad_bytes(&format!("{} bytes are too few for a header", bytes.len())));
        };
        let word = |at: usize| {
            let mut w = [0; 8];
            w.copy_from_slice(&head[at..at + 8]);
            u64::from_le_bytes(w)
        };
        let mut version = [0; 32];
        version.copy_from_slice(&head[..32]);
        let (size, deserialized_size, handles) = (word(32), word(40), word(48));
        if size != bytes.len() as u64 {
            return Err(bad_bytes(&format!("the header says {size} bytes, there are {}", bytes.len())));
        }
        if handles.checked_mul(8).is_none_or(|n| n > size - SERIALIZED_HEADER as u64) {
            return Err(bad_bytes(&format!("{handles} handles do not fit in {size} bytes")));
        }
        Ok((SerializedHeader { deserialized_size, handles }, version))
    }

    /// # Errors
    /// The structure cannot be read into `target`.
    pub(super) fn fits(&self, device: &Device, target: &Accel) -> Result<()> {
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        device.same(&target.device, "the structure")?;
        if self.handles > 0 && !target.top {
            return wrong(format!("a top-level structure of {} bottom-level ones is read into a bottom-level one", self.handles));
        }
        if target.size < self.deserialized_size {
            return wrong(format!("the structure needs {} bytes and has {}", self.deserialized_size, target.size));
        }
        Ok(())
    }

    /// Replaces the addresses of bottom-level structures in serialised bytes by others ([`Accel::address`]).
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: another number of structures; bytes that have no room for them.
    pub fn patch(&self, bytes: &mut [u8], bottoms: &[u64]) -> Result<()> {
        if self.handles != bottoms.len() as u64 {
            return Err(bad_bytes(&format!("they refer to {} bottom-level structures, {} are given", self.handles, bottoms.len())));
        }
        let len = bytes.len();
        let Some(handles) = bytes.get_mut(SERIALIZED_HEADER..).filter(|handles| handles.len() / 8 >= bottoms.len()) else {
            return Err(bad_bytes(&format!("{} handles do not fit in {len} bytes", self.handles)));
        };
        for (handle, bottom) in handles.chunks_exact_mut(8).zip(bottoms) {
            handle.copy_from_slice(&bottom.to_le_bytes());
        }
        Ok(())
    }
}

fn bad_bytes(why: &str) -> Error {
    Error::new(ErrorKind::Binding, format!("not an acceleration structure of this device: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialized_headers_are_checked() {
        assert!(SerializedHeader::parse(&[0; 10]).is_err());
        let mut bytes = vec![0; 64];
        assert!(SerializedHeader::parse(&bytes).is_err());
        bytes[32] = 64;
        bytes[48] = 1;
        assert_eq!(SerializedHeader::parse(&bytes).unwrap().0.handles, 1);
        bytes[48] = 2;
        assert!(SerializedHeader::parse(&bytes).is_err());
    }

    #[test]
    fn handles_are_replaced_where_there_are_some() {
        let header = SerializedHeader { deserialized_size: 1, handles: 2 };
        let mut bytes = vec![0; SERIALIZED_HEADER + 24];
        header.patch(&mut bytes, &[0x1100, 0x2200]).unwrap();
        assert_eq!(bytes[SERIALIZED_HEADER..SERIALIZED_HEADER + 16], [0, 0x11, 0, 0, 0, 0, 0, 0, 0, 0x22, 0, 0, 0, 0, 0, 0]);
        assert!(bytes[..SERIALIZED_HEADER].iter().chain(&bytes[SERIALIZED_HEADER + 16..]).all(|b| *b == 0));
        for len in [0, 8, SERIALIZED_HEADER, SERIALIZED_HEADER + 15] {
            let e = header.patch(&mut bytes[..len], &[0; 2]).unwrap_err();
            assert!(e.message.contains(&format!("2 handles do not fit in {len} bytes")), "{e}");
        }
        assert!(header.patch(&mut bytes, &[0; 3]).unwrap_err().message.contains("2 bottom-level structures, 3 are given"));
    }
}
