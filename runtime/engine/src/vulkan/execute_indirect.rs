//! `ExecuteIndirect` with a count that the device knows: a compute shader prepares the arguments of the most dispatches that there may be.
//!
//! Vulkan traces rays indirectly one dispatch at a time. The shader copies D3D12's arguments and gives those at or after the count a size of
//! 0, so that [`Pipeline::dispatch_rays_indirect`](super::Pipeline::dispatch_rays_indirect) of all of them does what `ExecuteIndirect` does.

use super::device::Device;
use super::dispatch::{INDIRECT_SIZE, aligned, command_buffer};
use super::memory::Buffer;
use super::requirements::{Requirements, Uses};
use super::{failed, vk};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder};

/// `shaders/execute_indirect.hlsl`, compiled by rtc.
const SHADER: &[u8] = include_bytes!("shaders/execute_indirect.spv");
/// Threads of a group of it.
const GROUP: u32 = 64;
/// Bytes of arguments that it reaches.
const REACH: u64 = 1 << 28;
/// Bytes of its push constants: three addresses and three words.
const CONSTANTS: usize = 40;

/// Arguments of dispatches in the memory of the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Address of the first `D3D12_DISPATCH_RAYS_DESC`, a multiple of 4.
    pub address: u64,
    /// From one to the next: `ByteStride` of the command signature, a multiple of 4.
    pub stride: u64,
    /// The most dispatches: `MaxCommandCount`.
    pub max_count: u32,
    /// Address of the word that counts them, a multiple of 4: `pCountBuffer`. None: there are `max_count`.
    pub count: Option<u64>,
}

/// The compute pipeline that prepares arguments. One serves all frames; drop it when the device no longer uses it.
#[derive(Debug)]
pub struct ExecuteIndirect {
    device: Device,
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
}

impl ExecuteIndirect {
    /// Makes the pipeline.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: the device was made without what [`Uses::indirect_count`] asks for. A failure of the device.
    pub fn new(device: &Device) -> Result<ExecuteIndirect> {
        device.check(&Requirements::of(&[], Uses { indirect_count: true, ..Uses::default() }), "cannot count indirect dispatches")?;
        let raw = device.raw();
        let range = vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::COMPUTE, offset: 0, size: CONSTANTS as u32 };
        let ranges = [range];
        let info = vk::PipelineLayoutCreateInfo::builder().push_constant_ranges(&ranges);
        // SAFETY: destroyed in `drop`.
        let layout = unsafe { raw.create_pipeline_layout(&info, device.callbacks()) }.map_err(failed("make a pipeline layout"))?;
        let mut made = ExecuteIndirect { device: device.clone(), layout, pipeline: vk::Pipeline::null() };
        let code: Vec<u32> = SHADER.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
        let info = vk::ShaderModuleCreateInfo::builder().code_size(SHADER.len()).code(&code);
        // SAFETY: valid SPIR-V, whose capabilities the device has; destroyed below.
        let module = unsafe { raw.create_shader_module(&info, device.callbacks()) }.map_err(failed("make a shader module"))?;
        let stage = vk::PipelineShaderStageCreateInfo::builder().stage(vk::ShaderStageFlags::COMPUTE).module(module).name(b"Main\0");
        let info = vk::ComputePipelineCreateInfo::builder().stage(stage).layout(layout);
        // SAFETY: the module and the layout fit; the pipeline is destroyed in `drop`.
        let pipelines = unsafe {
            let pipelines = raw.create_compute_pipelines(vk::PipelineCache::null(), &[info], device.callbacks());
            raw.destroy_shader_module(module, device.callbacks());
            pipelines
        };
        made.pipeline = pipelines.map_err(failed("make a compute pipeline"))?.0.first().copied().unwrap_or_default();
        Ok(made)
    }

    /// Bytes that prepared arguments of `max_count` dispatches need.
    pub const fn size(max_count: u32) -> u64 {
        max_count as u64 * INDIRECT_SIZE
    }

    /// Records the preparation of arguments, and a barrier after it. The dispatches are
    /// [`Pipeline::dispatch_rays_indirect`](super::Pipeline::dispatch_rays_indirect) of `target`'s address, `max_count` and [`INDIRECT_SIZE`].
    ///
    /// A compute pipeline is bound and push constants are written: the caller sets its own for what comes after.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: addresses or the stride are not aligned, descriptions overlap, `target` is too small or overlaps the arguments or
    /// their count. [`ErrorKind::Limit`]: the
    /// arguments span more than 256 MiB, or the device dispatches fewer groups of threads. [`ErrorKind::OtherDevice`].
    ///
    /// # Safety
    /// `command_buffer` is a `VkCommandBuffer` of this device that records outside of a render pass. All of the arguments and the count can be
    /// read at their addresses until its work ends, and are synchronised with `VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT`. `target` has indirect
    /// buffer usage and is not in use. This and the buffers live until the work ends.
    pub unsafe fn prepare(&self, command_buffer_raw: u64, arguments: &Arguments, target: &Buffer) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        let device = &self.device;
        device.same(target.device(), "the buffer of prepared arguments")?;
        let groups = arguments.check(device.properties().limits.max_compute_work_group_count[0])?;
        let need = ExecuteIndirect::size(arguments.max_count);
        if target.size() < need {
            let why =
                format!("the prepared arguments of {} dispatches need {need} bytes, there are {}", arguments.max_count, target.size());
            return Err(Error::new(ErrorKind::Binding, why));
        }
        if groups == 0 {
            return Ok(());
        }
        arguments.is_apart_from(target.address(), need)?;
        let constants = arguments.constants(target.address());
        let barrier = vk::MemoryBarrier {
            src_access_mask: vk::AccessFlags::SHADER_WRITE,
            dst_access_mask: vk::AccessFlags::INDIRECT_COMMAND_READ,
            ..Default::default()
        };
        let (no_buffer, no_image): ([vk::BufferMemoryBarrier; 0], [vk::ImageMemoryBarrier; 0]) = ([], []);
        let (write, read) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::DRAW_INDIRECT);
        let raw = device.raw();
        // SAFETY: by the caller's promise; the shader reads and writes only what was checked.
        unsafe {
            raw.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, self.pipeline);
            raw.cmd_push_constants(cmd, self.layout, vk::ShaderStageFlags::COMPUTE, 0, &constants);
            raw.cmd_dispatch(cmd, groups, 1, 1);
            raw.cmd_pipeline_barrier(cmd, write, read, vk::DependencyFlags::empty(), &[barrier], &no_buffer, &no_image);
        }
        Ok(())
    }
}

impl Arguments {
    /// The groups of threads that prepare these arguments.
    fn check(&self, max_groups: u32) -> Result<u32> {
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        aligned(self.address)?;
        aligned(self.stride)?;
        aligned(self.count.unwrap_or(0))?;
        if self.count == Some(0) || self.address == 0 && self.max_count > 0 {
            return wrong("the address of indirect arguments or of their count is null".to_string());
        }
        if self.max_count > 1 && self.stride < INDIRECT_SIZE {
            return wrong(format!("descriptions of {INDIRECT_SIZE} bytes that are {} bytes apart", self.stride));
        }
        let groups = self.max_count.div_ceil(GROUP);
        let limit = |why: String| Err(Error::new(ErrorKind::Limit, why));
        match self.span().filter(|&n| n <= REACH) {
            None => limit(format!("{} descriptions that are {} bytes apart span more than {REACH} bytes", self.max_count, self.stride)),
            Some(n) if self.address.checked_add(n).is_none() => wrong("indirect arguments leave the address space".to_string()),
            Some(_) if groups > max_groups => limit(format!("{groups} groups of threads, the device allows {max_groups}")),
            Some(_) => Ok(groups),
        }
    }

    /// Bytes from the first description to the end of the last, if that is a number.
    fn span(&self) -> Option<u64> {
        u64::from(self.max_count.saturating_sub(1)).checked_mul(self.stride)?.checked_add(INDIRECT_SIZE)
    }

    /// Checks that the `size` bytes at `target`, which threads write, are none that other threads read. The arguments were checked.
    fn is_apart_from(&self, target: u64, size: u64) -> Result<()> {
        let meets = |at: u64, len: u64| at < target.saturating_add(size) && target < at.saturating_add(len);
        if meets(self.address, self.span().unwrap_or(u64::MAX)) || self.count.is_some_and(|at| meets(at, 4)) {
            return Err(Error::new(ErrorKind::Binding, "the buffer of prepared arguments overlaps the arguments or their count"));
        }
        Ok(())
    }

    /// `Job` of the shader.
    fn constants(&self, target: u64) -> [u8; CONSTANTS] {
        let mut out = [0; CONSTANTS];
        let addresses = [self.address, target, self.count.unwrap_or(self.address)];
        for (room, address) in out.chunks_exact_mut(8).zip(addresses) {
            room.copy_from_slice(&address.to_le_bytes());
        }
        let words = [(self.stride / 4) as u32, self.max_count, self.count.is_some().into()];
        for (room, word) in out[24..].chunks_exact_mut(4).zip(words) {
            room.copy_from_slice(&word.to_le_bytes());
        }
        out
    }
}

impl Drop for ExecuteIndirect {
    fn drop(&mut self) {
        let raw = self.device.raw();
        // SAFETY: by the caller's promise the device no longer uses it.
        unsafe {
            raw.destroy_pipeline(self.pipeline, self.device.callbacks());
            raw.destroy_pipeline_layout(self.layout, self.device.callbacks());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_checked() {
        let good = Arguments { address: 256, stride: 112, max_count: 100, count: Some(64) };
        assert_eq!(good.check(2).unwrap(), 2);
        assert_eq!(Arguments { max_count: 0, address: 0, ..good }.check(2).unwrap(), 0);
        assert_eq!(Arguments { max_count: 1, stride: 0, ..good }.check(2).unwrap(), 1);
        let rows = [
            (Arguments { address: 258, ..good }, "not a multiple of 4"),
            (Arguments { stride: 110, ..good }, "not a multiple of 4"),
            (Arguments { count: Some(6), ..good }, "not a multiple of 4"),
            (Arguments { count: Some(0), ..good }, "is null"),
            (Arguments { address: 0, ..good }, "is null"),
            (Arguments { stride: 100, ..good }, "100 bytes apart"),
            (Arguments { max_count: 200, ..good }, "4 groups of threads, the device allows 2"),
            (Arguments { max_count: u32::MAX, stride: 1 << 40, ..good }, "span more than"),
            (Arguments { max_count: u32::MAX, stride: u64::MAX - 3, ..good }, "span more than"),
            (Arguments { address: u64::MAX - 3, ..good }, "leave the address space"),
        ];
        for (bad, why) in rows {
            let e = bad.check(2).expect_err(why);
            assert!(e.message.contains(why), "{e} instead of {why}");
        }
    }

    #[test]
    fn what_is_written_is_not_read() {
        // 256 up to 584, and 64 up to 68.
        let arguments = Arguments { address: 256, stride: 112, max_count: 3, count: Some(64) };
        for (target, size, apart) in
            [(584, 312, true), (0, 64, true), (68, 188, true), (583, 312, false), (68, 189, false), (0, 65, false), (67, 1, false)]
        {
            assert_eq!(arguments.is_apart_from(target, size).is_ok(), apart, "{size} bytes at {target}");
        }
        assert!(Arguments { count: None, ..arguments }.is_apart_from(0, 256).is_ok());
    }
}
