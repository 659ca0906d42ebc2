//! Opacity micromaps (`VK_EXT_opacity_micromap`): arrays of them, and how triangles refer to an array.
//!
//! | file | what |
//! |---|---|
//! | `usage` | how many micromaps there are of each level and format |
//! | `linkage` | what triangles of a geometry have for micromaps |
//! | `array` | arrays: sizes, builds, copies |
//! | `serialized` | arrays as bytes |
//!
//! D3D12 builds an array as it builds structures; in Vulkan it is an object of its own, with functions of its own. Its entries and its
//! data have the same bytes in both.

mod array;
mod linkage;
mod serialized;
mod usage;

pub use array::{MicromapBuild, MicromapInputs, MicromapSizes, Micromaps, build_micromaps, copy_micromaps};
pub use linkage::{MicromapIndices, MicromapLinkage, special_index};
pub use serialized::{MICROMAP_HEADER, MicromapHeader, deserialize_micromaps, serialize_micromaps};
pub use usage::{FOUR_STATES, MAX_LEVEL, MicromapUsage, TWO_STATES};

pub(super) use linkage::check_linkage;

use super::super::device::Device;
use super::demand::need;
use super::vk;
use crate::error::Result;
use vulkanalia::vk::{DeviceV1_0, InstanceV1_1};

/// # Errors
/// The device was made without micromaps.
pub(super) fn need_micromaps(device: &Device) -> Result<()> {
    need(device, "opacity micromaps", "micromap", "VK_EXT_opacity_micromap")
}

/// The finest levels of micromaps with two and with four states.
///
/// # Errors
/// The device was made without micromaps.
pub fn max_levels(device: &Device) -> Result<[u32; 2]> {
    need_micromaps(device)?;
    let mut limits = vk::PhysicalDeviceOpacityMicromapPropertiesEXT::default();
    let mut head = vk::PhysicalDeviceProperties2 { next: std::ptr::from_mut(&mut limits).cast(), ..Default::default() };
    let (instance, physical) = device.physical();
    // SAFETY: the extension is on, so the device knows the structure, which outlives the call.
    unsafe { instance.get_physical_device_properties2(physical, &mut head) };
    Ok([limits.max_opacity2_state_subdivision_level, limits.max_opacity4_state_subdivision_level])
}

/// Builds and copies of micromaps are seen by whatever comes after them; scratch memory may be used again. The stage of micromap builds has a
/// name only in newer barriers; all commands contain it.
fn barrier(raw: &vulkanalia::Device, cmd: vk::CommandBuffer) {
    use vk::AccessFlags as A;
    let both = A::MEMORY_READ | A::MEMORY_WRITE;
    let memory = vk::MemoryBarrier { src_access_mask: both, dst_access_mask: both, ..Default::default() };
    let (no_buffer, no_image): ([vk::BufferMemoryBarrier; 0], [vk::ImageMemoryBarrier; 0]) = ([], []);
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    // SAFETY: plain command.
    unsafe { raw.cmd_pipeline_barrier(cmd, all, all, vk::DependencyFlags::empty(), &[memory], &no_buffer, &no_image) };
}
