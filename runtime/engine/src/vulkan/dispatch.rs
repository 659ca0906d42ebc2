//! `DispatchRays` into the caller's command buffer, directly and indirectly, with D3D12's description of tables.

use super::device::Device;
use super::memory::Buffer;
use super::physical::Limits;
use super::pipeline::Pipeline;
use super::vk;
use crate::error::{Error, ErrorKind, Result};
use crate::tables::{Region, Table};
use vulkanalia::vk::{DeviceV1_0, Handle, KhrRayTracingMaintenance1ExtensionDeviceCommands, KhrRayTracingPipelineExtensionDeviceCommands};

/// `D3D12_GPU_VIRTUAL_ADDRESS_RANGE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Range {
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub size: u64,
}

/// `D3D12_GPU_VIRTUAL_ADDRESS_RANGE_AND_STRIDE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StridedRange {
    /// First byte; 0: no table.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// From record to record; 0: there is only one.
    pub stride: u64,
}

/// `D3D12_DISPATCH_RAYS_DESC`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DispatchRays {
    /// The ray generation record.
    pub raygen: Range,
    /// The miss table.
    pub miss: StridedRange,
    /// The hit group table.
    pub hit: StridedRange,
    /// The callable table.
    pub callable: StridedRange,
    /// Rays along each axis.
    pub size: [u32; 3],
}

/// Bytes of `D3D12_DISPATCH_RAYS_DESC` and of `VkTraceRaysIndirectCommand2KHR`, which have the same members in the same order.
pub const INDIRECT_SIZE: u64 = 104;
/// Where the sizes are in it: the three words that `VkTraceRaysIndirectCommandKHR` consists of.
pub const INDIRECT_SIZES_OFFSET: u64 = 88;

impl DispatchRays {
    /// The tables at an address of a buffer that holds an image.
    pub fn of(address: u64, regions: &[Region; 4], size: [u32; 3]) -> DispatchRays {
        let strided = |table: Table| {
            let r = regions[table as usize];
            let address = if r.size == 0 { 0 } else { address + r.offset };
            StridedRange { address, size: r.size, stride: r.stride }
        };
        let raygen = strided(Table::RayGeneration);
        DispatchRays {
            raygen: Range { address: raygen.address, size: raygen.size },
            miss: strided(Table::Miss),
            hit: strided(Table::Hit),
            callable: strided(Table::Callable),
            size,
        }
    }

    /// As the bytes of an indirect argument.
    pub fn to_bytes(&self) -> [u8; INDIRECT_SIZE as usize] {
        let mut out = [0; INDIRECT_SIZE as usize];
        let strided = |r: &StridedRange| [r.address, r.size, r.stride];
        let words =
            [[self.raygen.address, self.raygen.size].as_slice(), &strided(&self.miss), &strided(&self.hit), &strided(&self.callable)]
                .concat();
        for (at, word) in words.iter().enumerate() {
            out[at * 8..at * 8 + 8].copy_from_slice(&word.to_le_bytes());
        }
        for (i, n) in self.size.iter().enumerate() {
            let at = INDIRECT_SIZES_OFFSET as usize + i * 4;
            out[at..at + 4].copy_from_slice(&n.to_le_bytes());
        }
        out
    }

    /// Checks what D3D12 and Vulkan demand of addresses, strides and sizes.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: an address or a stride is not aligned, a table has no whole record. [`ErrorKind::Limit`]: more than the device
    /// allows.
    pub fn check(&self, limits: &Limits) -> Result<()> {
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        let too_much = |why: String| Err(Error::new(ErrorKind::Limit, why));
        let base = u64::from(limits.base_alignment);
        let tables = [
            ("ray generation", self.raygen.address),
            ("miss", self.miss.address),
            ("hit group", self.hit.address),
            ("callable", self.callable.address),
        ];
        for (name, address) in tables {
            if !address.is_multiple_of(base) {
                return wrong(format!("the {name} table begins at {address:#x}, which is not a multiple of {base}"));
            }
        }
        let handle = u64::from(limits.handle_size);
        if self.raygen.address == 0 || self.raygen.size < handle {
            return wrong("there is no ray generation record".to_string());
        }
        if self.raygen.size > u64::from(limits.max_stride) {
            return too_much(format!("a ray generation record of {} bytes, the device allows {}", self.raygen.size, limits.max_stride));
        }
        for (name, r) in [("miss", &self.miss), ("hit group", &self.hit), ("callable", &self.callable)] {
            if !r.stride.is_multiple_of(limits.handle_alignment.into()) {
                return wrong(format!(
                    "the stride of the {name} table is {}, which is not a multiple of {}",
                    r.stride, limits.handle_alignment
                ));
            }
            if r.stride > u64::from(limits.max_stride) {
                return too_much(format!("the stride of the {name} table is {}, the device allows {}", r.stride, limits.max_stride));
            }
            if r.address != 0 && r.size < handle.max(r.stride) {
                return wrong(format!("the {name} table has {} bytes, less than one record", r.size));
            }
            if r.address == 0 && r.size != 0 {
                return wrong(format!("the {name} table has {} bytes and no address", r.size));
            }
            if r.address.checked_add(r.size).is_none() {
                return wrong(format!("the {name} table of {} bytes at {:#x} ends beyond the largest address", r.size, r.address));
            }
        }
        for (axis, n) in self.size.iter().enumerate() {
            if u64::from(*n) > limits.max_size[axis] {
                return too_much(format!("a dispatch of {n} along axis {axis}, the device allows {}", limits.max_size[axis]));
            }
        }
        let total = self.size.iter().map(|n| u128::from(*n)).product::<u128>();
        if total > u128::from(limits.max_rays) {
            return too_much(format!("a dispatch of {total} rays, the device allows {}", limits.max_rays));
        }
        Ok(())
    }

    fn regions(&self, limits: &Limits) -> [vk::StridedDeviceAddressRegionKHR; 4] {
        let strided = |r: &StridedRange| vk::StridedDeviceAddressRegionKHR { device_address: r.address, stride: r.stride, size: r.size };
        // Vulkan requires stride and size of the ray generation record to be equal, and the stride to be aligned.
        let one = self.raygen.size.next_multiple_of(limits.handle_alignment.into());
        let raygen = vk::StridedDeviceAddressRegionKHR { device_address: self.raygen.address, stride: one, size: one };
        [raygen, strided(&self.miss), strided(&self.hit), strided(&self.callable)]
    }
}

/// A command buffer of the caller.
pub(super) fn command_buffer(raw: u64) -> Result<vk::CommandBuffer> {
    match usize::try_from(raw).unwrap_or(0) {
        0 => Err(Error::new(ErrorKind::Binding, "VkCommandBuffer is null")),
        raw => Ok(vk::CommandBuffer::from_raw(raw)),
    }
}

impl Pipeline {
    /// Records the binding of the pipeline, and its stack size where that is dynamic.
    fn bind(&self, cmd: vk::CommandBuffer) {
        let raw = self.device().raw();
        // SAFETY: the caller of each function below promises that the command buffer records and that the pipeline outlives it.
        unsafe {
            raw.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::RAY_TRACING_KHR, self.raw());
            if self.dynamic_stack() {
                let size = u32::try_from(self.stack_size()).unwrap_or(u32::MAX);
                raw.cmd_set_ray_tracing_pipeline_stack_size_khr(cmd, size);
            }
        }
    }

    /// Records a dispatch. The pipeline is bound; descriptor sets and push constants are the caller's, bound before to the pipeline's layout.
    ///
    /// # Errors
    /// See [`DispatchRays::check`]; nothing is recorded then.
    ///
    /// # Safety
    /// `command_buffer` is a `VkCommandBuffer` of this device that records outside of a render pass. Pipeline, tables and whatever shaders use
    /// live until its work ends, and are synchronised with what writes them. Records hold handles of this pipeline, and traces and
    /// calls reach no record outside of the tables.
    pub unsafe fn dispatch_rays(&self, command_buffer_raw: u64, desc: &DispatchRays) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        let limits = self.device().limits();
        desc.check(limits)?;
        self.bind(cmd);
        let [raygen, miss, hit, callable] = desc.regions(limits);
        let [w, h, d] = desc.size;
        // SAFETY: by the caller's promise; alignments and sizes were checked.
        unsafe { self.device().raw().cmd_trace_rays_khr(cmd, &raygen, &miss, &hit, &callable, w, h, d) };
        Ok(())
    }

    /// Records a dispatch whose sizes the device reads: three words at `address`. `desc` has the tables; its sizes do not count.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: `rayTracingPipelineTraceRaysIndirect` is off. [`ErrorKind::Binding`]: the address is not a multiple of 4, or the
    /// words end beyond the largest address. See [`DispatchRays::check`].
    ///
    /// # Safety
    /// As [`Pipeline::dispatch_rays`]; the words are within the device's limits and synchronised with
    /// `VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT`.
    pub unsafe fn dispatch_rays_indirect_sizes(&self, command_buffer_raw: u64, desc: &DispatchRays, address: u64) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        let device = self.device();
        needs(device, "rayTracingPipelineTraceRaysIndirect", "VK_KHR_ray_tracing_pipeline")?;
        aligned(address)?;
        addressable(Some(address), 12, address)?;
        let limits = device.limits();
        DispatchRays { size: [0; 3], ..*desc }.check(limits)?;
        self.bind(cmd);
        let [raygen, miss, hit, callable] = desc.regions(limits);
        // SAFETY: by the caller's promise.
        unsafe { device.raw().cmd_trace_rays_indirect_khr(cmd, &raygen, &miss, &hit, &callable, address) };
        Ok(())
    }

    /// Records dispatches whose tables and sizes the device reads, as `ExecuteIndirect` does: `count` descriptions in D3D12's layout
    /// ([`INDIRECT_SIZE`] bytes), `stride` bytes apart. A description with a size of 0 does nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: `rayTracingPipelineTraceRaysIndirect2` is off. [`ErrorKind::Binding`]: an address is not a multiple of 4, the
    /// descriptions overlap, or the last one ends beyond the largest address.
    ///
    /// # Safety
    /// As [`Pipeline::dispatch_rays`]; the descriptions are what [`DispatchRays::check`] accepts for this device and are synchronised with
    /// `VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT`.
    pub unsafe fn dispatch_rays_indirect(&self, command_buffer_raw: u64, address: u64, count: u32, stride: u64) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        let device = self.device();
        needs(device, "rayTracingPipelineTraceRaysIndirect2", "VK_KHR_ray_tracing_maintenance1")?;
        aligned(address)?;
        aligned(stride)?;
        if count > 1 && stride < INDIRECT_SIZE {
            return Err(Error::new(ErrorKind::Binding, format!("descriptions of {INDIRECT_SIZE} bytes that are {stride} bytes apart")));
        }
        if count > 0 {
            let last = u64::from(count - 1).checked_mul(stride).and_then(|n| n.checked_add(address));
            addressable(last, INDIRECT_SIZE, address)?;
        }
        self.bind(cmd);
        for i in 0..u64::from(count) {
            // SAFETY: by the caller's promise.
            unsafe { device.raw().cmd_trace_rays_indirect2_khr(cmd, address + i * stride) };
        }
        Ok(())
    }

    /// Records a copy of the sizes of a D3D12 description into a buffer for [`Pipeline::dispatch_rays_indirect_sizes`], for devices that
    /// cannot read the tables of a dispatch, and a barrier after it. `from` and `to` are offsets in the buffers.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: a range leaves its buffer or is not aligned. [`ErrorKind::OtherDevice`].
    ///
    /// # Safety
    /// As [`Pipeline::dispatch_rays`]; `source` has transfer source usage, `target` transfer destination and indirect buffer usage.
    pub unsafe fn convert_indirect_sizes(
        &self,
        command_buffer_raw: u64,
        (source, from): (&Buffer, u64),
        (target, to): (&Buffer, u64),
    ) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        let device = self.device();
        device.same(source.device(), "the buffer of descriptions")?;
        device.same(target.device(), "the buffer of sizes")?;
        aligned(from)?;
        aligned(to)?;
        let inside = |b: &Buffer, at: u64, len: u64| at.checked_add(len).is_some_and(|end| end <= b.size());
        if !inside(source, from, INDIRECT_SIZE) || !inside(target, to, 12) {
            return Err(Error::new(ErrorKind::Binding, "a description or its sizes leave their buffer"));
        }
        let region = vk::BufferCopy { src_offset: from + INDIRECT_SIZES_OFFSET, dst_offset: to, size: 12 };
        let barrier = vk::MemoryBarrier {
            src_access_mask: vk::AccessFlags::TRANSFER_WRITE,
            dst_access_mask: vk::AccessFlags::INDIRECT_COMMAND_READ,
            ..Default::default()
        };
        let (no_buffer, no_image): ([vk::BufferMemoryBarrier; 0], [vk::ImageMemoryBarrier; 0]) = ([], []);
        let (copy, read) = (vk::PipelineStageFlags::TRANSFER, vk::PipelineStageFlags::DRAW_INDIRECT);
        // SAFETY: by the caller's promise; the ranges were checked.
        unsafe {
            device.raw().cmd_copy_buffer(cmd, source.raw(), target.raw(), &[region]);
            device.raw().cmd_pipeline_barrier(cmd, copy, read, vk::DependencyFlags::empty(), &[barrier], &no_buffer, &no_image);
        }
        Ok(())
    }
}

fn needs(device: &Device, feature: &str, extension: &str) -> Result<()> {
    match device.enabled().has(feature) {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::Limit, format!("{} was made without {feature} ({extension})", device.name()))),
    }
}

pub(super) fn aligned(n: u64) -> Result<()> {
    match n.is_multiple_of(4) {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::Binding, format!("indirect arguments at {n:#x}, which is not a multiple of 4"))),
    }
}

/// Checks that `size` bytes from `at` on do not exceed the largest address; `at` is `None` where its own computation overflowed. `first` is for the message: the
/// address of the first argument.
fn addressable(at: Option<u64>, size: u64, first: u64) -> Result<()> {
    match at.and_then(|a| a.checked_add(size)) {
        Some(_) => Ok(()),
        None => Err(Error::new(ErrorKind::Binding, format!("indirect arguments at {first:#x} end beyond the largest address"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            handle_size: 32,
            handle_alignment: 32,
            base_alignment: 64,
            max_stride: 4096,
            max_rays: 1 << 30,
            max_size: [1 << 20; 3],
            ..Limits::default()
        }
    }

    fn good() -> DispatchRays {
        DispatchRays {
            raygen: Range { address: 64, size: 32 },
            miss: StridedRange { address: 128, size: 64, stride: 32 },
            hit: StridedRange { address: 256, size: 192, stride: 96 },
            callable: StridedRange::default(),
            size: [8, 8, 1],
        }
    }

    #[test]
    fn descriptions_are_checked() {
        good().check(&limits()).unwrap();
        // One record for all indices.
        DispatchRays { miss: StridedRange { address: 128, size: 32, stride: 0 }, ..good() }.check(&limits()).unwrap();
        DispatchRays { size: [0, 8, 1], ..good() }.check(&limits()).unwrap();
        let miss = |address, size, stride| DispatchRays { miss: StridedRange { address, size, stride }, ..good() };
        let rows = [
            (DispatchRays { raygen: Range { address: 32, size: 32 }, ..good() }, "ray generation table begins at 0x20"),
            (DispatchRays { raygen: Range::default(), ..good() }, "no ray generation record"),
            (DispatchRays { raygen: Range { address: 64, size: 8192 }, ..good() }, "a ray generation record of 8192 bytes"),
            (miss(96, 64, 32), "miss table begins at 0x60"),
            (miss(128, 64, 48), "stride of the miss table is 48"),
            (miss(128, 8192, 8192), "stride of the miss table is 8192"),
            (miss(128, 32, 64), "miss table has 32 bytes, less than one record"),
            (miss(0, 32, 32), "miss table has 32 bytes and no address"),
            (miss(u64::MAX - 63, 96, 32), "miss table of 96 bytes at 0xffffffffffffffc0 ends beyond the largest address"),
            (DispatchRays { size: [1, 1 << 21, 1], ..good() }, "2097152 along axis 1"),
            (DispatchRays { size: [1 << 20, 1 << 20, 1], ..good() }, "1099511627776 rays"),
        ];
        for (desc, why) in rows {
            let e = desc.check(&limits()).expect_err(why);
            assert!(e.message.contains(why), "{e} instead of {why}");
        }
    }

    /// The members of `D3D12_DISPATCH_RAYS_DESC` at their offsets.
    #[test]
    fn the_layout_of_indirect_arguments() {
        let bytes =
            DispatchRays { callable: StridedRange { address: 0x5000, size: 0x60, stride: 0x20 }, size: [7, 8, 9], ..good() }.to_bytes();
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let found: Vec<u64> = (0..11).map(|i| word(i * 8)).collect();
        assert_eq!(found, [64, 32, 128, 64, 32, 256, 192, 96, 0x5000, 0x60, 0x20]);
        assert_eq!(word(88), 7 | 8 << 32);
        assert_eq!(word(96), 9);
        assert_eq!(std::mem::size_of::<vk::TraceRaysIndirectCommand2KHR>() as u64, INDIRECT_SIZE);
        assert_eq!(std::mem::offset_of!(vk::TraceRaysIndirectCommand2KHR, width) as u64, INDIRECT_SIZES_OFFSET);
        assert_eq!(std::mem::offset_of!(vk::TraceRaysIndirectCommand2KHR, hit_shader_binding_table_stride), 56);
    }
}
