//! Records a dispatch of a divided shader: for each tile a launch that starts its rays, then iterations of a sort and launches that resume them.

use super::kernels::Kernels;
use super::memory::{Memory, progress};
use super::plan::Plan;
use super::sort;
use super::tiles::Tile;
use crate::error::{Error, ErrorKind, Result};
use crate::vulkan::device::Device;
use crate::vulkan::dispatch::{DispatchRays, Range, command_buffer};
use crate::vulkan::memory::Buffer;
use crate::vulkan::pipeline::Pipeline;
use crate::vulkan::vk;
use rtc_tables::wavefront as contract;
use vk::{AccessFlags as Access, PipelineStageFlags as Stage};
use vulkanalia::vk::{DeviceV1_0, Handle};

/// The kernels that sort rays. One serves all dispatches and frames; drop it when the device no longer uses it.
#[derive(Debug)]
pub struct Wavefront {
    kernels: Kernels,
}

/// What the launches of a dispatch have in common.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The pipeline with the shader and the shaders that resume it.
    pub pipeline: &'a Pipeline,
    /// The shader tables; the size does not count.
    pub tables: DispatchRays,
    /// The records that resume rays ([`resume_records`](super::resume_records)), the first at a multiple of the base alignment.
    pub resume: Range,
    /// The push constants of the pipeline's layout; empty if it has none. Sorts overwrite those of the command buffer.
    pub push_constants: &'a [u8],
    /// How the dispatch proceeds.
    pub plan: &'a Plan,
    /// Its buffers, which are also bound to the resources that [`Memory::named`] names.
    pub memory: &'a Memory,
}

/// What is recorded next, for callers that measure time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The launch that starts the rays of a tile.
    Start,
    /// A sort.
    Sort,
    /// The launches that resume rays.
    Resume,
    /// Nothing more.
    End,
}

/// What the sorts of tiles counted, where the host reads it: [`Wavefront::copy_progress`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Rays that the last sort found at a point; 0: the tile is done.
    pub live: u32,
    /// Sorts that found a ray.
    pub sorts: u32,
    /// The rays that they found, together.
    pub sorted: u64,
}

impl Progress {
    /// Bytes of it in a buffer.
    pub const SIZE: u64 = 16;

    /// From the bytes of a buffer; of less than [`Progress::SIZE`] bytes there is none.
    pub fn read(bytes: &[u8]) -> Progress {
        let word = |n: usize| bytes.get(4 * n..4 * n + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        Progress { live: word(0), sorts: word(1), sorted: u64::from(word(2)) | u64::from(word(3)) << 32 }
    }
}

impl Launch<'_> {
    /// Checks what does not change from tile to tile.
    fn check(&self, device: &Device) -> Result<()> {
        let limits = device.limits();
        device.same(self.pipeline.device(), "the pipeline")?;
        device.same(self.memory.control().device(), "the memory of the rays")?;
        DispatchRays { size: [0; 3], ..self.tables }.check(limits)?;
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        if !self.memory.holds(self.plan) {
            let (need, have) = (self.plan.sizes().total(), self.memory.sizes().total());
            return wrong(format!("the dispatch needs buffers of {need} bytes, those that are given have {have}"));
        }
        let records = self.plan.resumes().len() as u64;
        let stride = self.record_stride();
        let need = (records - 1) * stride + self.tables.raygen.size;
        if self.resume.address == 0 || !self.resume.address.is_multiple_of(limits.base_alignment.into()) || self.resume.size < need {
            return wrong(format!(
                "{} bytes at {:#x} for the records of {records} reorder point(s): {need} are needed, at a multiple of {}",
                self.resume.size, self.resume.address, limits.base_alignment
            ));
        }
        let layout = self.pipeline.layout().push_size().next_multiple_of(4) as usize;
        if self.push_constants.len() != layout {
            return wrong(format!("{} bytes of push constants, the pipeline's layout has {layout}", self.push_constants.len()));
        }
        Ok(())
    }

    fn record_stride(&self) -> u64 {
        self.tables.raygen.size.next_multiple_of(self.pipeline.device().limits().base_alignment.into())
    }

    /// The control block that a tile begins with.
    fn control(&self, tile: &Tile) -> [u32; contract::CONTROL_WORDS as usize] {
        let mut words = [0; contract::CONTROL_WORDS as usize];
        words[contract::CONTROL_STOP as usize] = 1;
        words[contract::CONTROL_CAPACITY as usize] = self.plan.capacity() as u32;
        for (first, values) in
            [(contract::CONTROL_ORIGIN, tile.origin), (contract::CONTROL_SIZE, tile.size), (contract::CONTROL_DIMENSIONS, self.plan.size())]
        {
            words[first as usize..first as usize + 3].copy_from_slice(&values);
        }
        words
    }

    /// Records the push constants, which a sort overwrites.
    ///
    /// # Safety
    /// The command buffer records.
    unsafe fn push(&self, cmd: vk::CommandBuffer) {
        let layout = self.pipeline.layout();
        if !self.push_constants.is_empty() {
            let stages = vk::ShaderStageFlags::from_bits_truncate(layout.push_stages());
            let raw = self.pipeline.device().raw();
            // SAFETY: by the caller's promise; the size was checked.
            unsafe { raw.cmd_push_constants(cmd, vk::PipelineLayout::from_raw(layout.handle()), stages, 0, self.push_constants) };
        }
    }
}

impl Wavefront {
    /// Makes the kernels.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: the device was made without what [`Uses::wavefront`](crate::vulkan::Uses::wavefront) asks for. A failure of the device.
    pub fn new(device: &Device) -> Result<Wavefront> {
        Ok(Wavefront { kernels: Kernels::new(device)? })
    }

    /// Records a whole dispatch: all tiles, each with a start and `iterations` of a sort and launches whose rays stop at their next points;
    /// after a last sort they run to their end. `step` is called before each step is recorded, and at the end.
    ///
    /// Compute pipelines are bound and push constants are written: the caller sets its own for what comes after. Descriptor sets stay.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: memory, records or push constants do not fit. See [`DispatchRays::check`]. Nothing is recorded then.
    ///
    /// # Safety
    /// As [`Pipeline::dispatch_rays`]. The memory is bound to the shaders' resources, and no other work that may run at the same time uses it.
    pub unsafe fn dispatch_rays(
        &self,
        command_buffer_raw: u64,
        launch: &Launch,
        iterations: u32,
        mut step: impl FnMut(Step),
    ) -> Result<()> {
        command_buffer(command_buffer_raw)?;
        launch.check(self.kernels.device())?;
        for tile in launch.plan.tiles() {
            // SAFETY: by the caller's promise.
            unsafe {
                step(Step::Start);
                self.start(command_buffer_raw, launch, &tile)?;
                for n in 0..=iterations {
                    self.iterate(command_buffer_raw, launch, n, n == iterations, &mut step)?;
                }
            }
        }
        step(Step::End);
        Ok(())
    }

    /// Records the launch that starts the rays of a tile.
    ///
    /// # Errors
    /// See [`Wavefront::dispatch_rays`]; [`ErrorKind::Limit`]: the tile is larger than the plan's.
    ///
    /// # Safety
    /// See [`Wavefront::dispatch_rays`].
    pub unsafe fn start(&self, command_buffer_raw: u64, launch: &Launch, tile: &Tile) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        launch.check(self.kernels.device())?;
        if tile.rays() > launch.plan.capacity() {
            let why = format!("a tile of {} rays, the plan has room for {}", tile.rays(), launch.plan.capacity());
            return Err(Error::new(ErrorKind::Limit, why));
        }
        let desc = DispatchRays { size: tile.size, ..launch.tables };
        desc.check(self.kernels.device().limits())?;
        // SAFETY: by the caller's promise.
        unsafe {
            sort::begin(&self.kernels, cmd, launch.memory, &launch.control(tile), tile.rays());
            launch.push(cmd);
            launch.pipeline.dispatch_rays(command_buffer_raw, &desc)
        }
    }

    /// Records iteration `n` of a tile, counted from 0 after its start: a sort, and for each point the launch that resumes its rays. They
    /// stop at their next points, or `finish`. `step` is called before each of the two.
    ///
    /// # Errors
    /// See [`Wavefront::dispatch_rays`].
    ///
    /// # Safety
    /// See [`Wavefront::dispatch_rays`].
    pub unsafe fn iterate(&self, command_buffer_raw: u64, launch: &Launch, n: u32, finish: bool, step: &mut dyn FnMut(Step)) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        launch.check(self.kernels.device())?;
        let stride = launch.record_stride();
        // SAFETY: by the caller's promise; the sort writes the sizes of the launches, which are within the plan's capacity.
        unsafe {
            step(Step::Sort);
            sort::record(&self.kernels, cmd, launch.plan, launch.memory, n, finish);
            step(Step::Resume);
            launch.push(cmd);
            let sizes = launch.memory.progress.address() + 4 * progress::LAUNCHES;
            for point in 0..launch.plan.resumes().len() as u64 {
                // The sort has written that of the first.
                if point > 0 && launch.plan.index_read() {
                    sort::resumes(&self.kernels, cmd, launch.memory, point as u32);
                }
                let raygen = Range { address: launch.resume.address + point * stride, size: launch.tables.raygen.size };
                let desc = DispatchRays { raygen, ..launch.tables };
                launch.pipeline.dispatch_rays_indirect_sizes(command_buffer_raw, &desc, sizes + 12 * point)?;
            }
        }
        Ok(())
    }

    /// Records a copy of what `iterations` of the tile counted to a buffer of [`Progress::SIZE`] bytes that the host reads ([`Progress::read`]) after
    /// it has waited.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: the buffer is smaller. [`ErrorKind::OtherDevice`].
    ///
    /// # Safety
    /// As [`Wavefront::dispatch_rays`]; `target` has transfer destination usage and is not in use.
    pub unsafe fn copy_progress(&self, command_buffer_raw: u64, memory: &Memory, iterations: u32, target: &Buffer) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        let device = self.kernels.device();
        device.same(memory.control().device(), "the memory of the rays")?;
        device.same(target.device(), "the buffer for progress")?;
        if target.size() < Progress::SIZE {
            return Err(Error::new(ErrorKind::Binding, format!("progress has {} bytes, the buffer {}", Progress::SIZE, target.size())));
        }
        let copy = |word: u64, to: u64, size: u64| vk::BufferCopy { src_offset: 4 * word, dst_offset: to, size };
        let regions = [copy(progress::COUNT + u64::from(iterations & 1), 0, 4), copy(progress::STATISTICS, 4, 12)];
        // SAFETY: by the caller's promise; the ranges are within the buffers.
        unsafe {
            let transfer = (Stage::TRANSFER, Access::TRANSFER_READ);
            sort::between(
                &self.kernels,
                cmd,
                (Stage::COMPUTE_SHADER | Stage::TRANSFER, Access::SHADER_WRITE | Access::TRANSFER_WRITE),
                transfer,
            );
            device.raw().cmd_copy_buffer(cmd, memory.progress.raw(), target.raw(), &regions);
            sort::between(&self.kernels, cmd, (Stage::TRANSFER, Access::TRANSFER_WRITE), (Stage::HOST, Access::HOST_READ));
        }
        Ok(())
    }
}
