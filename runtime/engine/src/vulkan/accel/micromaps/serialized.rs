//! Arrays of micromaps as bytes, for the same device and driver.

use super::super::super::device::Device;
use super::super::super::dispatch::command_buffer;
use super::super::demand::aligned;
use super::super::raw::at;
use super::super::vk;
use super::{MicromapUsage, Micromaps, barrier, need_micromaps};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::{ExtOpacityMicromapExtensionDeviceCommands, HasBuilder};

/// Bytes before the data of a serialised array: identifiers of driver and format, its size, and the size of the array.
pub const MICROMAP_HEADER: usize = 48;

/// The header of a serialised array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MicromapHeader {
    /// Bytes of the array after it is read.
    pub deserialized_size: u64,
}

impl MicromapHeader {
    /// Reads and checks the header of a serialised array.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: bytes of another device or driver, or that are damaged. [`ErrorKind::Limit`]: the device has no micromaps.
    pub fn read(device: &Device, bytes: &[u8]) -> Result<MicromapHeader> {
        need_micromaps(device)?;
        let (header, version) = MicromapHeader::parse(bytes)?;
        let info = vk::MicromapVersionInfoEXT { version_data: version.as_ptr(), ..Default::default() };
        // SAFETY: `version` has the 32 bytes that the call reads.
        let fits = unsafe { device.raw().get_device_micromap_compatibility_ext(&info) };
        match fits == vk::AccelerationStructureCompatibilityKHR::COMPATIBLE {
            true => Ok(header),
            false => Err(bad_bytes("they were written by another device or driver")),
        }
    }

    fn parse(bytes: &[u8]) -> Result<(MicromapHeader, [u8; 32])> {
        let Some(head) = bytes.first_chunk::<MICROMAP_HEADER>() else {
            return Err(bad_bytes(&format!("{} bytes are too few for a header", bytes.len())));
        };
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
        let (size, deserialized_size) = (word(32), word(40));
        if size != bytes.len() as u64 {
            return Err(bad_bytes(&format!("the header says {size} bytes, there are {}", bytes.len())));
        }
        Ok((MicromapHeader { deserialized_size }, std::array::from_fn(|i| head[i])))
    }
}

fn bad_bytes(why: &str) -> Error {
    Error::new(ErrorKind::Binding, format!("not an array of micromaps of this device: {why}"))
}

/// Records the serialisation of an array to memory at a multiple of 256, which has the size that a [`super::super::SizeQueries`] gave.
///
/// # Errors
/// [`ErrorKind::Binding`]: the array was not built, or the address is not aligned. [`ErrorKind::OtherDevice`].
///
/// # Safety
/// As [`super::super::build`]; the memory is large enough.
pub unsafe fn serialize_micromaps(device: &Device, command_buffer_raw: u64, source: &Micromaps, address: u64) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    device.same(&source.device, "the array to serialise")?;
    if source.built.is_none() {
        return Err(Error::new(ErrorKind::Binding, "a serialisation of an array that was not built"));
    }
    aligned(address, 256, "a serialised array")?;
    let info = vk::CopyMicromapToMemoryInfoEXT::builder()
        .src(source.raw)
        .dst(vk::DeviceOrHostAddressKHR { device_address: address })
        .mode(vk::CopyMicromapModeEXT::SERIALIZE);
    // SAFETY: by the caller's promise.
    unsafe { device.raw().cmd_copy_micromap_to_memory_ext(cmd, &info) };
    barrier(device.raw(), cmd);
    Ok(())
}

/// Records the reading of a serialised array, whose header the host has checked with [`MicromapHeader::read`].
///
/// # Errors
/// [`ErrorKind::Binding`]: the array is too small, or the address is not aligned. [`ErrorKind::OtherDevice`].
///
/// # Safety
/// As [`super::super::build`]; the memory has the bytes that the header is of.
pub unsafe fn deserialize_micromaps(
    device: &Device,
    command_buffer_raw: u64,
    header: &MicromapHeader,
    address: u64,
    target: &mut Micromaps,
) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    device.same(&target.device, "the array")?;
    aligned(address, 256, "a serialised array")?;
    if target.size < header.deserialized_size {
        let why = format!("the array needs {} bytes and has {}", header.deserialized_size, target.size);
        return Err(Error::new(ErrorKind::Binding, why));
    }
    let info = vk::CopyMemoryToMicromapInfoEXT::builder().src(at(address)).dst(target.raw).mode(vk::CopyMicromapModeEXT::DESERIALIZE);
    // SAFETY: by the caller's promise.
    unsafe { device.raw().cmd_copy_memory_to_micromap_ext(cmd, &info) };
    barrier(device.raw(), cmd);
    // It can be used, cloned and serialised; what it was built from is unknown.
    target.built = Some((0, MicromapUsage::default()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_checked() {
        let mut bytes = vec![0; 60];
        assert!(MicromapHeader::parse(&bytes[..47]).unwrap_err().message.contains("47 bytes are too few"));
        assert!(MicromapHeader::parse(&bytes).unwrap_err().message.contains("the header says 0 bytes, there are 60"));
        bytes[31] = 9;
        bytes[32] = 60;
        bytes[41] = 1;
        let (header, version) = MicromapHeader::parse(&bytes).unwrap();
        assert_eq!((header.deserialized_size, version[31]), (256, 9));
    }
}
