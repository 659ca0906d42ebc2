//! The compute pipelines of the sort, and their push constants.

use super::digits::Digit;
use crate::error::{Error, ErrorKind, Result};
use crate::vulkan::device::Device;
use crate::vulkan::requirements::{Requirements, Uses};
use crate::vulkan::{failed, vk};
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder};

/// `shaders/wavefront.hlsl`, compiled by rtc.
const SHADERS: &[u8] = include_bytes!("../shaders/wavefront.spv");
/// Bytes of the push constants: seven addresses and eight words.
const CONSTANTS: usize = 88;
/// Bytes of memory that the threads of a group share.
const SHARED: u32 = 4 * (32 * 132 + 128 + 64 + 64);

/// A kernel; the number is that of its pipeline.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kernel {
    Histogram,
    Scan,
    Scatter,
    Count,
    Copy,
}

impl Kernel {
    /// In the order of their numbers, with the names of their entry points.
    const ALL: [(Kernel, &'static [u8]); 5] = [
        (Kernel::Histogram, b"Histogram\0"),
        (Kernel::Scan, b"Scan\0"),
        (Kernel::Scatter, b"Scatter\0"),
        (Kernel::Count, b"Count\0"),
        (Kernel::Copy, b"Copy\0"),
    ];
}

/// Flags of [`Job::flags`].
pub(super) mod flag {
    /// The first pass after a launch, which drops rays.
    pub const FIRST: u32 = 1;
    /// The slots of this launch are its positions.
    pub const IDENTITY: u32 = 2;
    /// No pass follows.
    pub const LAST: u32 = 4;
    /// The rays that are resumed next run to their end.
    pub const FINISH: u32 = 8;
}

/// `Job` of the kernels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Job {
    pub keys: u64,
    pub slots: u64,
    pub sorted_keys: u64,
    pub sorted_slots: u64,
    pub histogram: u64,
    pub progress: u64,
    pub control: u64,
    pub digit: Digit,
    pub blocks: u32,
    pub points: u32,
    pub parity: u32,
    pub flags: u32,
}

impl Job {
    fn to_bytes(self) -> [u8; CONSTANTS] {
        let addresses =
            [self.keys, self.slots, self.sorted_keys, self.sorted_slots, self.histogram, self.progress, self.control].map(u64::to_le_bytes);
        let d = self.digit;
        let words = [d.low_shift, d.low_bits, d.high_shift, d.high_bits, self.blocks, self.points, self.parity, self.flags];
        let mut out = [0; CONSTANTS];
        out[..56].copy_from_slice(addresses.as_flattened());
        out[56..].copy_from_slice(words.map(u32::to_le_bytes).as_flattened());
        out
    }
}

/// The pipelines.
#[derive(Debug)]
pub(super) struct Kernels {
    device: Device,
    layout: vk::PipelineLayout,
    pipelines: [vk::Pipeline; 5],
}

impl Kernels {
    pub fn new(device: &Device) -> Result<Kernels> {
        device.check(&Requirements::of(&[], Uses { wavefront: true, ..Uses::default() }), "cannot sort rays")?;
        let shared = device.properties().limits.max_compute_shared_memory_size;
        if shared < SHARED {
            let why = format!("threads that sort rays share {SHARED} bytes of memory, {} has {shared}", device.name());
            return Err(Error::new(ErrorKind::Limit, why));
        }
        let raw = device.raw();
        let range = vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::COMPUTE, offset: 0, size: CONSTANTS as u32 };
        let ranges = [range];
        let info = vk::PipelineLayoutCreateInfo::builder().push_constant_ranges(&ranges);
        // SAFETY: destroyed in `drop`.
        let layout = unsafe { raw.create_pipeline_layout(&info, device.callbacks()) }.map_err(failed("make a pipeline layout"))?;
        let mut made = Kernels { device: device.clone(), layout, pipelines: [vk::Pipeline::null(); 5] };
        let code: Vec<u32> = SHADERS.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
        let info = vk::ShaderModuleCreateInfo::builder().code_size(SHADERS.len()).code(&code);
        // SAFETY: valid SPIR-V, whose capabilities the device has; destroyed below.
        let module = unsafe { raw.create_shader_module(&info, device.callbacks()) }.map_err(failed("make a shader module"))?;
        let result = made.make(module);
        // SAFETY: its pipelines are made.
        unsafe { raw.destroy_shader_module(module, device.callbacks()) };
        result.map(|()| made)
    }

    fn make(&mut self, module: vk::ShaderModule) -> Result<()> {
        for (kernel, name) in Kernel::ALL {
            let stage = vk::PipelineShaderStageCreateInfo::builder().stage(vk::ShaderStageFlags::COMPUTE).module(module).name(name);
            let info = vk::ComputePipelineCreateInfo::builder().stage(stage).layout(self.layout);
            // SAFETY: the module and the layout fit; destroyed in `drop`.
            let made = unsafe { self.device.raw().create_compute_pipelines(vk::PipelineCache::null(), &[info], self.device.callbacks()) };
            self.pipelines[kernel as usize] = made.map_err(failed("make a compute pipeline"))?.0.first().copied().unwrap_or_default();
        }
        Ok(())
    }

    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Records the binding of a kernel with its push constants.
    ///
    /// # Safety
    /// The command buffer records outside of a render pass; the addresses are those of buffers that live until its work ends.
    pub unsafe fn bind(&self, cmd: vk::CommandBuffer, kernel: Kernel, job: Job) {
        let raw = self.device.raw();
        // SAFETY: by the caller's promise.
        unsafe {
            raw.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, self.pipelines[kernel as usize]);
            raw.cmd_push_constants(cmd, self.layout, vk::ShaderStageFlags::COMPUTE, 0, &job.to_bytes());
        }
    }
}

impl Drop for Kernels {
    fn drop(&mut self) {
        let raw = self.device.raw();
        // SAFETY: by the caller's promise the device no longer uses them.
        unsafe {
            for pipeline in self.pipelines {
                raw.destroy_pipeline(pipeline, self.device.callbacks());
            }
            raw.destroy_pipeline_layout(self.layout, self.device.callbacks());
        }
    }
}
