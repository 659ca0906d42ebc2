//! Acceleration structures: sizes, batches of builds, copies, and questions about them, recorded into the caller's command buffers.
//!
//! | file | what |
//! |---|---|
//! | `inputs` | what structures are built from, and its sizes |
//! | `formats` | vertex formats of DXGI and Vulkan |
//! | `raw` | inputs as Vulkan has them |
//! | `check` | what D3D12 and Vulkan demand of inputs |
//! | `demand` | demands that many functions share |
//! | `instances` | `D3D12_RAYTRACING_INSTANCE_DESC` with addresses of Vulkan |
//! | `d3d12` | D3D12's descriptions of inputs, in bytes |
//! | `inactive` | data of primitives that only D3D12 defines |
//! | `build` | batches of builds and updates, with scratch memory and barriers |
//! | `host` | builds and copies on the host |
//! | `copy` | clones and compacted copies |
//! | `serialized` | structures as bytes |
//! | `micromaps` | arrays of opacity micromaps |
//! | `operations` | clustered geometry and partitioned top-level structures |
//! | `queries` | questions that are answered some frames later |
//!
//! Inputs are device addresses; flags have D3D12's values.

mod build;
mod check;
mod copy;
pub mod d3d12;
mod demand;
mod formats;
mod host;
mod inactive;
mod inputs;
mod instances;
pub mod micromaps;
pub mod operations;
mod queries;
mod raw;
mod serialized;

pub use build::{Build, IndirectRanges, Scratch, Source, build, build_indirect, scratch_for};
pub use copy::{CopyMode, copy};
pub use formats::{VERTEX_FORMATS, VertexFormat, vertex_format_of_dxgi};
pub use host::{build_on_host, copy_on_host, deserialize_on_host, host_info, serialize_on_host};
pub use inactive::{BOX_SIZE, deactivate_triangles, upright, upright_boxes};
pub use inputs::{Geometry, Indices, Inputs, Sizes, Triangles};
pub use instances::{INSTANCE_SIZE, translate_instances};
pub use micromaps::{MicromapIndices, MicromapLinkage, MicromapUsage, Micromaps};
pub use queries::{PostbuildInfo, SizeQueries};
pub use serialized::{SERIALIZED_HEADER, SerializedHeader, deserialize, serialize};

use super::device::Device;
use super::memory::{Allocate, Buffer, HostAccess};
use super::{failed, vk};
use crate::error::Result;
use inputs::Shape;
use std::sync::Arc;
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder, KhrAccelerationStructureExtensionDeviceCommands};

/// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAG_*`.
pub mod build_flag {
    /// The structure may be updated.
    pub const ALLOW_UPDATE: u32 = 1;
    /// It may be compacted.
    pub const ALLOW_COMPACTION: u32 = 2;
    /// Rays should be fast.
    pub const PREFER_FAST_TRACE: u32 = 4;
    /// The build should be fast.
    pub const PREFER_FAST_BUILD: u32 = 8;
    /// It should be small.
    pub const MINIMIZE_MEMORY: u32 = 0x10;
    /// It is an update. [`super::Build::source`] says so too, and what is updated; the flag may be left out there.
    pub const PERFORM_UPDATE: u32 = 0x20;
    /// An update may refer to other micromaps.
    pub const ALLOW_OMM_LINKAGE_UPDATE: u32 = 0x40;
    /// Instances may disable micromaps.
    pub const ALLOW_DISABLE_OMMS: u32 = 0x80;
    /// Shaders may read positions of hits.
    pub const ALLOW_DATA_ACCESS: u32 = 0x100;
    /// All of them.
    pub const ALL: u32 = 0x1ff;
}

fn level(top: bool) -> vk::AccelerationStructureTypeKHR {
    if top { vk::AccelerationStructureTypeKHR::TOP_LEVEL } else { vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL }
}

/// An acceleration structure with its memory. Drop it when the device no longer uses it.
#[derive(Debug)]
pub struct Accel {
    device: Device,
    raw: vk::AccelerationStructureKHR,
    address: u64,
    size: u64,
    top: bool,
    /// What the last recorded build was.
    shape: Option<Shape>,
    _buffer: Buffer,
}

impl Accel {
    /// Room for a structure of `size` bytes ([`Sizes::result`]); it is empty until a build or a copy into it has run.
    ///
    /// # Errors
    /// No memory; a failure of the device.
    pub fn new(device: &Device, memory: &Arc<dyn Allocate>, top: bool, size: u64) -> Result<Accel> {
        Accel::within(device, memory, top, size, HostAccess::None)
    }

    /// The same in memory that the host sees, for builds on the host.
    ///
    /// # Errors
    /// No memory; a failure of the device.
    pub fn on_host(device: &Device, memory: &Arc<dyn Allocate>, top: bool, size: u64) -> Result<Accel> {
        Accel::within(device, memory, top, size, HostAccess::Read)
    }

    fn within(device: &Device, memory: &Arc<dyn Allocate>, top: bool, size: u64, host: HostAccess) -> Result<Accel> {
        let size = size.max(1);
        let usage = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_STORAGE_KHR;
        let buffer = Buffer::new(device, memory, size, usage.bits(), host)?;
        let info = vk::AccelerationStructureCreateInfoKHR::builder().buffer(buffer.raw()).offset(0).size(size).type_(level(top));
        // SAFETY: the buffer is large enough and lives as long as the structure.
        let raw = unsafe { device.raw().create_acceleration_structure_khr(&info, device.callbacks()) }
            .map_err(failed("make an acceleration structure"))?;
        let info = vk::AccelerationStructureDeviceAddressInfoKHR::builder().acceleration_structure(raw);
        // SAFETY: just made.
        let address = unsafe { device.raw().get_acceleration_structure_device_address_khr(&info) };
        Ok(Accel { device: device.clone(), raw, address, size, top, shape: None, _buffer: buffer })
    }

    /// `VkAccelerationStructureKHR`.
    pub fn handle(&self) -> u64 {
        self.raw.as_raw()
    }

    /// Its device address, for instances and root descriptors.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Bytes that it has room for.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Whether it is a top-level structure.
    pub fn is_top(&self) -> bool {
        self.top
    }
}

impl Drop for Accel {
    fn drop(&mut self) {
        // SAFETY: by the caller's promise the device no longer uses it.
        unsafe { self.device.raw().destroy_acceleration_structure_khr(self.raw, self.device.callbacks()) };
    }
}

/// A memory barrier from writes of acceleration structures to later builds, copies and traces; scratch memory may be used again.
fn barrier(raw: &vulkanalia::Device, cmd: vk::CommandBuffer) {
    use vk::AccessFlags as A;
    use vk::PipelineStageFlags as S;
    let memory = vk::MemoryBarrier {
        src_access_mask: A::ACCELERATION_STRUCTURE_WRITE_KHR | A::ACCELERATION_STRUCTURE_READ_KHR | A::TRANSFER_WRITE,
        dst_access_mask: A::ACCELERATION_STRUCTURE_READ_KHR | A::ACCELERATION_STRUCTURE_WRITE_KHR | A::TRANSFER_READ,
        ..Default::default()
    };
    let (no_buffer, no_image): ([vk::BufferMemoryBarrier; 0], [vk::ImageMemoryBarrier; 0]) = ([], []);
    let after = S::ACCELERATION_STRUCTURE_BUILD_KHR | S::RAY_TRACING_SHADER_KHR | S::COMPUTE_SHADER | S::TRANSFER;
    let before = S::ACCELERATION_STRUCTURE_BUILD_KHR | S::TRANSFER;
    // SAFETY: plain command.
    unsafe { raw.cmd_pipeline_barrier(cmd, before, after, vk::DependencyFlags::empty(), &[memory], &no_buffer, &no_image) };
}
