//! Arrays of opacity micromaps: sizes, builds, copies.

use super::super::super::device::Device;
use super::super::super::dispatch::command_buffer;
use super::super::super::failed;
use super::super::super::memory::{Allocate, Buffer, HostAccess};
use super::super::build::{Room, groups};
use super::super::demand::aligned;
use super::super::raw::at;
use super::super::{CopyMode, Scratch, build_flag, vk};
use super::linkage::check_levels;
use super::{MicromapUsage, barrier, need_micromaps};
use crate::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use vulkanalia::vk::{ExtOpacityMicromapExtensionDeviceCommands, Handle, HasBuilder};

/// `D3D12_RAYTRACING_OPACITY_MICROMAP_ARRAY_DESC`, with the flags of the build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MicromapInputs {
    /// How many micromaps there are of each level and format.
    pub usage: MicromapUsage,
    /// Address of the states of micro-triangles, a multiple of 256 (D3D12 takes multiples of 128).
    pub data: u64,
    /// Address of `D3D12_RAYTRACING_OPACITY_MICROMAP_DESC`s, one for each micromap, a multiple of 256 (D3D12 takes multiples of 4).
    pub entries: u64,
    /// From one of them to the next: a multiple of 4, at least 8.
    pub stride: u64,
    /// [`build_flag`]s: `ALLOW_COMPACTION`, `PREFER_FAST_TRACE`, `PREFER_FAST_BUILD`.
    pub flags: u32,
}

/// Bytes that an array and its build need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MicromapSizes {
    /// Bytes of the array.
    pub result: u64,
    /// Scratch bytes of the build.
    pub scratch: u64,
    /// The array may be dropped after the structures that refer to it are built.
    pub discardable: bool,
}

impl MicromapInputs {
    /// Checks what D3D12 and Vulkan demand.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: the device has no micromaps, or not of these levels. [`ErrorKind::Binding`]: invalid inputs.
    pub fn check(&self, device: &Device) -> Result<()> {
        need_micromaps(device)?;
        self.check_values()?;
        check_levels(device, &self.usage)
    }

    fn check_values(&self) -> Result<()> {
        use build_flag::{ALLOW_COMPACTION, PREFER_FAST_BUILD, PREFER_FAST_TRACE};
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        match self.flags & !(ALLOW_COMPACTION | PREFER_FAST_TRACE | PREFER_FAST_BUILD) {
            0 => {}
            other => return wrong(format!("build flags {other:#x}, which arrays of micromaps do not have")),
        }
        if self.flags & PREFER_FAST_TRACE != 0 && self.flags & PREFER_FAST_BUILD != 0 {
            return wrong("an array of micromaps prefers both fast rays and a fast build".into());
        }
        if self.usage.total() > u64::from(u32::MAX) {
            return wrong(format!("{} micromaps in an array", self.usage.total()));
        }
        if self.usage.total() > 0 {
            aligned(self.data, 256, "states of micro-triangles")?;
            aligned(self.entries, 256, "descriptions of micromaps")?;
            if self.stride < 8 || !self.stride.is_multiple_of(4) {
                return wrong(format!("a stride of {} bytes between descriptions of micromaps", self.stride));
            }
        }
        Ok(())
    }

    /// Bytes that the array and its build need.
    ///
    /// # Errors
    /// See [`MicromapInputs::check`].
    pub fn sizes(&self, device: &Device) -> Result<MicromapSizes> {
        self.check(device)?;
        let usage = self.usage.raw();
        let mut sizes = vk::MicromapBuildSizesInfoEXT::default();
        // SAFETY: `usage` outlives the call.
        unsafe {
            let device_build = vk::AccelerationStructureBuildTypeKHR::DEVICE;
            device.raw().get_micromap_build_sizes_ext(device_build, &self.describe(&usage), &mut sizes);
        }
        Ok(MicromapSizes { result: sizes.micromap_size, scratch: sizes.build_scratch_size, discardable: sizes.discardable == vk::TRUE })
    }

    /// The build without its array and scratch memory; `usage` must outlive it.
    fn describe(&self, usage: &[vk::MicromapUsageEXT]) -> vk::MicromapBuildInfoEXT {
        vk::MicromapBuildInfoEXT {
            type_: vk::MicromapTypeEXT::OPACITY_MICROMAP,
            flags: raw_flags(self.flags),
            mode: vk::BuildMicromapModeEXT::BUILD,
            usage_counts_count: usage.len() as u32,
            usage_counts: usage.as_ptr(),
            data: at(self.data),
            triangle_array: at(self.entries),
            triangle_array_stride: self.stride,
            ..Default::default()
        }
    }
}

/// D3D12's build flags as Vulkan has them for micromaps, which is not as it has them for structures.
fn raw_flags(flags: u32) -> vk::BuildMicromapFlagsEXT {
    use vk::BuildMicromapFlagsEXT as B;
    let mut raw = B::empty();
    for (flag, bit) in [
        (build_flag::ALLOW_COMPACTION, B::ALLOW_COMPACTION),
        (build_flag::PREFER_FAST_TRACE, B::PREFER_FAST_TRACE),
        (build_flag::PREFER_FAST_BUILD, B::PREFER_FAST_BUILD),
    ] {
        if flags & flag != 0 {
            raw |= bit;
        }
    }
    raw
}

/// An array of micromaps with its memory. Drop it when the device no longer uses it, nor a structure that refers to it.
#[derive(Debug)]
pub struct Micromaps {
    pub(in super::super) device: Device,
    pub(in super::super) raw: vk::MicromapEXT,
    pub(super) size: u64,
    /// Flags and counts of the last recorded build. What was read from bytes has neither.
    pub(in super::super) built: Option<(u32, MicromapUsage)>,
    buffer: Buffer,
}

impl Micromaps {
    /// Room for an array of `size` bytes ([`MicromapSizes::result`]); it is empty until a build or a copy into it has run.
    ///
    /// # Errors
    /// The device has no micromaps; no memory; a failure of the device.
    pub fn new(device: &Device, memory: &Arc<dyn Allocate>, size: u64) -> Result<Micromaps> {
        need_micromaps(device)?;
        let size = size.max(1);
        let usage = vk::BufferUsageFlags::MICROMAP_STORAGE_EXT;
        let buffer = Buffer::new(device, memory, size, usage.bits(), HostAccess::None)?;
        let info = vk::MicromapCreateInfoEXT::builder().buffer(buffer.raw()).size(size).type_(vk::MicromapTypeEXT::OPACITY_MICROMAP);
        // SAFETY: the buffer is large enough and lives as long as the array.
        let raw = unsafe { device.raw().create_micromap_ext(&info, device.callbacks()) }.map_err(failed("make an array of micromaps"))?;
        Ok(Micromaps { device: device.clone(), raw, size, built: None, buffer })
    }

    /// `VkMicromapEXT`, for [`super::MicromapLinkage`].
    pub fn handle(&self) -> u64 {
        self.raw.as_raw()
    }

    /// The device address of its memory, for clusters.
    pub fn address(&self) -> u64 {
        self.buffer.address()
    }

    /// Bytes that it has room for.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many micromaps of each level and format the last recorded build has; none: not built, or read from bytes.
    pub fn usage(&self) -> Option<MicromapUsage> {
        self.built.map(|(_, usage)| usage)
    }
}

impl Drop for Micromaps {
    fn drop(&mut self) {
        // SAFETY: by the caller's promise the device no longer uses it.
        unsafe { self.device.raw().destroy_micromap_ext(self.raw, self.device.callbacks()) };
    }
}

/// The build of an array.
#[derive(Debug)]
pub struct MicromapBuild<'a> {
    /// What it is built from.
    pub inputs: MicromapInputs,
    /// The array to write.
    pub target: &'a mut Micromaps,
}

/// Records builds of arrays, and a barrier after them. Structures that refer to them are built afterwards. Nothing is recorded if there is an
/// error.
///
/// # Errors
/// [`ErrorKind::Binding`]: invalid inputs, an array that is too small, scratch memory that is smaller than one build needs.
/// [`ErrorKind::OtherDevice`]. [`ErrorKind::Limit`].
///
/// # Safety
/// As [`super::super::build`].
pub unsafe fn build_micromaps(device: &Device, command_buffer_raw: u64, builds: &mut [MicromapBuild], scratch: Scratch) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    need_micromaps(device)?;
    let room = Room::new(device, scratch)?;
    let mut needs = Vec::with_capacity(builds.len());
    for (i, b) in builds.iter().enumerate() {
        needs.push(plan(device, b, &room).map_err(|e| e.at(format!("array {i}")))?);
    }
    let usages: Vec<_> = builds.iter().map(|b| b.inputs.usage.raw()).collect();
    for group in groups(&needs, &room) {
        let mut infos = Vec::with_capacity(group.len());
        for (i, scratch) in group {
            let mut info = builds[i].inputs.describe(&usages[i]);
            info.dst_micromap = builds[i].target.raw;
            info.scratch_data = vk::DeviceOrHostAddressKHR { device_address: scratch };
            infos.push(info);
        }
        // SAFETY: by the caller's promise; the counts are alive.
        unsafe { device.raw().cmd_build_micromaps_ext(cmd, &infos) };
        barrier(device.raw(), cmd);
    }
    for b in builds {
        b.target.built = Some((b.inputs.flags, b.inputs.usage));
    }
    Ok(())
}

fn plan(device: &Device, b: &MicromapBuild, room: &Room) -> Result<u64> {
    device.same(&b.target.device, "the array")?;
    let sizes = b.inputs.sizes(device)?;
    if sizes.result > b.target.size {
        let why = format!("the array needs {} bytes and has {}", sizes.result, b.target.size);
        return Err(Error::new(ErrorKind::Binding, why));
    }
    room.check(sizes.scratch)?;
    Ok(sizes.scratch)
}

/// Records a copy of an array, and a barrier after it.
///
/// # Errors
/// [`ErrorKind::Binding`]: the source was not built, or not to allow compaction; the target is too small for a clone.
/// [`ErrorKind::OtherDevice`].
///
/// # Safety
/// As [`super::super::build`]; for a compaction the target has the size that a [`super::super::SizeQueries`] gave.
pub unsafe fn copy_micromaps(
    device: &Device,
    command_buffer_raw: u64,
    source: &Micromaps,
    target: &mut Micromaps,
    mode: CopyMode,
) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    let wrong = |why: &str| Err(Error::new(ErrorKind::Binding, why));
    device.same(&source.device, "the array to copy")?;
    device.same(&target.device, "the copy")?;
    let Some((flags, usage)) = source.built else {
        return wrong("a copy of an array that was not built");
    };
    let mode = match mode {
        CopyMode::Clone if target.size < source.size => return wrong("a clone needs as many bytes as the array"),
        CopyMode::Clone => vk::CopyMicromapModeEXT::CLONE,
        CopyMode::Compact if flags & build_flag::ALLOW_COMPACTION == 0 => {
            return wrong("a compaction of an array that was not built to allow it");
        }
        CopyMode::Compact => vk::CopyMicromapModeEXT::COMPACT,
    };
    let info = vk::CopyMicromapInfoEXT::builder().src(source.raw).dst(target.raw).mode(mode);
    // SAFETY: by the caller's promise.
    unsafe { device.raw().cmd_copy_micromap_ext(cmd, &info) };
    barrier(device.raw(), cmd);
    target.built = Some((flags, usage));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_micromaps_are_not_those_of_structures() {
        use vk::BuildMicromapFlagsEXT as B;
        assert_eq!(raw_flags(build_flag::PREFER_FAST_TRACE), B::PREFER_FAST_TRACE);
        assert_eq!(raw_flags(build_flag::PREFER_FAST_BUILD | build_flag::ALLOW_COMPACTION), B::PREFER_FAST_BUILD | B::ALLOW_COMPACTION);
        assert_eq!(B::PREFER_FAST_TRACE.bits(), 1);
    }

    #[test]
    fn inputs_that_are_wrong() {
        let mut usage = MicromapUsage::default();
        usage.add(2, super::super::FOUR_STATES, 5).unwrap();
        let usual = MicromapInputs { usage, data: 256, entries: 512, stride: 8, flags: build_flag::PREFER_FAST_TRACE };
        usual.check_values().unwrap();
        let empty = MicromapInputs { usage: MicromapUsage::default(), data: 0, entries: 0, stride: 0, flags: 0 };
        empty.check_values().unwrap();
        for (inputs, what) in [
            (MicromapInputs { data: 128, ..usual }, "states of micro-triangles at 0x80"),
            (MicromapInputs { entries: 0, ..usual }, "descriptions of micromaps at 0x0"),
            (MicromapInputs { stride: 4, ..usual }, "a stride of 4"),
            (MicromapInputs { stride: 10, ..usual }, "a stride of 10"),
            (MicromapInputs { flags: build_flag::ALLOW_UPDATE, ..usual }, "flags 0x1, which arrays of micromaps do not have"),
            (MicromapInputs { flags: 12, ..usual }, "both fast rays and a fast build"),
        ] {
            let e = inputs.check_values().unwrap_err();
            assert!(e.message.contains(what), "{e} instead of {what}");
        }
    }

    /// Entries have the same bytes in both.
    #[test]
    fn entries_of_d3d12() {
        let entry = vk::MicromapTriangleEXT { data_offset: 0x01020304, subdivision_level: 0x0506, format: 0x0708 };
        assert_eq!(std::mem::size_of_val(&entry), 8);
        // SAFETY: plain numbers without gaps.
        let bytes: [u8; 8] = unsafe { std::mem::transmute(entry) };
        assert_eq!(bytes, [4, 3, 2, 1, 6, 5, 8, 7]);
    }
}
