//! Builds and copies on the host, where the device has `accelerationStructureHostCommands`.
//!
//! They are done when the functions return. Inputs, scratch memory and bytes are in host memory: addresses are those of the process, and
//! instances refer to bottom-level structures by [`Accel::handle`]. The structures are in host-visible memory ([`Accel::on_host`]).

use super::super::device::Device;
use super::super::failed;
use super::build::batch;
use super::demand::need;
use super::inputs::Shape;
use super::raw::RawInputs;
use super::{Accel, Build, CopyMode, Inputs, PostbuildInfo, Scratch, SerializedHeader, Sizes, vk};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder, KhrAccelerationStructureExtensionDeviceCommands};

fn need_host(device: &Device) -> Result<()> {
    need(device, "builds on the host", "accelerationStructureHostCommands", "VK_KHR_acceleration_structure")
}

fn wrong<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::new(ErrorKind::Binding, why))
}

impl Inputs {
    /// Bytes that the structure and its builds on the host need.
    ///
    /// # Errors
    /// See [`Inputs::check`]; [`ErrorKind::Limit`]: the device has no builds on the host.
    pub fn host_sizes(&self, device: &Device) -> Result<Sizes> {
        need_host(device)?;
        self.check(device)?;
        Ok(self.sizes_with(device, self.flags(), vk::AccelerationStructureBuildTypeKHR::HOST))
    }
}

/// Builds on the host, bottom-level structures before top-level ones. Nothing is built if there is an error in the inputs.
///
/// # Errors
/// As [`super::build`]; [`ErrorKind::Limit`]: the device has no builds on the host; a failure of the device.
///
/// # Safety
/// Inputs are as described, and there are `scratch.size` bytes at `scratch.address`, all in host memory. Nothing else uses the structures now.
/// They are in host-visible memory.
pub unsafe fn build_on_host(device: &Device, builds: &mut [Build], scratch: Scratch) -> Result<()> {
    need_host(device)?;
    let raw = device.raw();
    let function = DeviceV1_0::commands(raw).build_acceleration_structures_khr;
    batch(device, builds, scratch, vk::AccelerationStructureBuildTypeKHR::HOST, |_, infos, inputs| {
        let ranges: Vec<_> = inputs.iter().map(RawInputs::ranges).collect();
        let lists: Vec<_> = ranges.iter().map(|r| r.as_ptr()).collect();
        let none = vk::DeferredOperationKHR::null();
        // SAFETY: by the caller's promise; counts and lists are alive and belong together. The function is called as it is because the
        // binding passes several lists of ranges on wrongly.
        let result = unsafe { function(DeviceV1_0::handle(raw), none, infos.len() as u32, infos.as_ptr(), lists.as_ptr()) };
        match result >= vk::Result::SUCCESS {
            true => Ok(()),
            false => Err(failed("build acceleration structures on the host")(result.into())),
        }
    })
}

/// Copies on the host.
///
/// # Errors
/// As [`super::copy`]; [`ErrorKind::Limit`]: the device has no builds on the host; a failure of the device.
///
/// # Safety
/// Nothing else writes the source or uses the target now; for a compaction the target has the size that [`host_info`] gave. Both are in
/// host-visible memory.
pub unsafe fn copy_on_host(device: &Device, source: &Accel, target: &mut Accel, mode: CopyMode) -> Result<()> {
    need_host(device)?;
    let mode = super::copy::check(device, source, target, mode)?;
    let info = vk::CopyAccelerationStructureInfoKHR::builder().src(source.raw).dst(target.raw).mode(mode);
    // SAFETY: by the caller's promise.
    let copied = unsafe { device.raw().copy_acceleration_structure_khr(vk::DeferredOperationKHR::null(), &info) };
    copied.map_err(failed("copy an acceleration structure on the host"))?;
    target.shape.clone_from(&source.shape);
    Ok(())
}

/// A structure as bytes, on the host.
///
/// # Errors
/// [`ErrorKind::Binding`]: the structure was not built. [`ErrorKind::Limit`]: the device has no builds on the host. [`ErrorKind::OtherDevice`];
/// a failure of the device.
///
/// # Safety
/// Nothing writes the structure now; it is in host-visible memory.
pub unsafe fn serialize_on_host(device: &Device, source: &Accel) -> Result<Vec<u8>> {
    // SAFETY: by the caller's promise.
    let size = unsafe { host_info(device, source, PostbuildInfo::SerializationSize)? };
    // Vulkan writes at multiples of 16.
    let mut room = vec![0u128; (size as usize).div_ceil(16)];
    let info = vk::CopyAccelerationStructureToMemoryInfoKHR {
        src: source.raw,
        dst: vk::DeviceOrHostAddressKHR { host_address: room.as_mut_ptr().cast() },
        mode: vk::CopyAccelerationStructureModeKHR::SERIALIZE,
        ..Default::default()
    };
    // SAFETY: there is as much room as the structure needs.
    let written = unsafe { device.raw().copy_acceleration_structure_to_memory_khr(vk::DeferredOperationKHR::null(), &info) };
    written.map_err(failed("serialise an acceleration structure on the host"))?;
    let mut bytes: Vec<u8> = room.iter().flat_map(|word| word.to_ne_bytes()).collect();
    bytes.truncate(size as usize);
    Ok(bytes)
}

/// Reads a serialised structure on the host, whose addresses ([`SerializedHeader::patch`]) were replaced.
///
/// # Errors
/// As [`super::deserialize`], and bytes of another device or driver; [`ErrorKind::Limit`]: the device has no builds on the host; a failure of
/// the device.
///
/// # Safety
/// The bytes are those of a structure. Nothing else uses the target now; it is in host-visible memory.
pub unsafe fn deserialize_on_host(device: &Device, bytes: &[u8], target: &mut Accel) -> Result<()> {
    need_host(device)?;
    let header = SerializedHeader::read(device, bytes)?;
    header.fits(device, target)?;
    let mut room = vec![0u128; bytes.len().div_ceil(16)];
    for (word, bytes) in room.iter_mut().zip(bytes.chunks(16)) {
        *word = u128::from_ne_bytes(std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0)));
    }
    let info = vk::CopyMemoryToAccelerationStructureInfoKHR {
        src: vk::DeviceOrHostAddressConstKHR { host_address: room.as_ptr().cast() },
        dst: target.raw,
        mode: vk::CopyAccelerationStructureModeKHR::DESERIALIZE,
        ..Default::default()
    };
    // SAFETY: the header was checked against the device, and the bytes are alive.
    let read = unsafe { device.raw().copy_memory_to_acceleration_structure_khr(vk::DeferredOperationKHR::null(), &info) };
    read.map_err(failed("deserialise an acceleration structure on the host"))?;
    target.shape = Some(Shape::unknown());
    Ok(())
}

/// Post-build information of a structure, on the host.
///
/// # Errors
/// [`ErrorKind::Binding`]: it was not built, or not to allow compaction. [`ErrorKind::Limit`]: the device has no builds on the host, or not
/// this question. [`ErrorKind::OtherDevice`]; a failure of the device.
///
/// # Safety
/// Nothing writes the structure now; it is in host-visible memory.
pub unsafe fn host_info(device: &Device, structure: &Accel, info: PostbuildInfo) -> Result<u64> {
    need_host(device)?;
    device.same(&structure.device, "the structure")?;
    let kind = info.query(device)?;
    match &structure.shape {
        None => return wrong("the structure was not built"),
        Some(shape) if !info.answers(shape) => return wrong("the structure was not built to allow compaction"),
        Some(_) => {}
    }
    if !info.asks_of(structure.is_top()) {
        return Ok(0);
    }
    let mut answer = 0u64;
    // SAFETY: the bytes of `answer`, which has no other user.
    let bytes = unsafe { std::slice::from_raw_parts_mut(std::ptr::from_mut(&mut answer).cast::<u8>(), 8) };
    // SAFETY: there is room for one answer of 64 bits.
    let told = unsafe { device.raw().write_acceleration_structures_properties_khr(&[structure.raw], kind, bytes, 8) };
    told.map_err(failed("tell the size of an acceleration structure"))?;
    Ok(answer)
}
