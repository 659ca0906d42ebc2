//! Dispatches of divided ray generation shaders: the layer below records sorts and launches, and the loop here ends each tile when no ray is left.

use super::context::Context;
use super::program::GpuProgram;
use super::rays::unsorted;
use super::storage::full_barrier;
use super::vk;
use super::{VulkanDevice, known};
use crate::device::{Program, Sorting, Timing, WavefrontOptions};
use crate::error::Result;
use rtc_engine::vulkan::memory::HostAccess;
use rtc_engine::vulkan::wavefront::{Launch, Plan, Progress, Step, Tile};
use rtc_engine::vulkan::{Allocate, Buffer, DispatchRays, Range, Wavefront, failed};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::time::Duration;
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder};

/// Sorts of a submission, after which the host looks whether rays are left.
const SORTS: u32 = 4;
/// Sorts after which the rays of a tile run to their end, where the host counts them.
const MAX_SORTS: u32 = 1 << 12;
/// Sorts of a submission whose time is measured; two timestamps each.
const MEASURED: u32 = 64;

/// What sorts the rays of all programs of a device. Must be freed with [`Sorter::destroy`].
pub(super) struct Sorter {
    kernels: ManuallyDrop<Wavefront>,
    /// What the device counted.
    progress: ManuallyDrop<Buffer>,
    /// Timestamps before and after sorts; null: the device has no clock.
    clock: vk::QueryPool,
}

impl Sorter {
    fn new(context: &Context) -> Result<Sorter> {
        let memory: Arc<dyn Allocate> = context.memory.clone();
        let usage = vk::BufferUsageFlags::TRANSFER_DST.bits();
        let kernels = Wavefront::new(&context.device)?;
        let progress = Buffer::new(&context.device, &memory, Progress::SIZE, usage, HostAccess::Read)?;
        let mut clock = vk::QueryPool::null();
        if context.candidate.timestamp_bits > 0 {
            let info = vk::QueryPoolCreateInfo::builder().query_type(vk::QueryType::TIMESTAMP).query_count(2 * MEASURED);
            // SAFETY: destroyed in `destroy`.
            clock = unsafe { context.raw.create_query_pool(&info, None) }.map_err(failed("make a clock"))?;
        }
        Ok(Sorter { kernels: ManuallyDrop::new(kernels), progress: ManuallyDrop::new(progress), clock })
    }

    /// Frees it. Nothing on the device may use it any more.
    pub fn destroy(self, context: &Context) {
        if context.alive() {
            // SAFETY: by the caller's promise.
            unsafe { context.raw.destroy_query_pool(self.clock, None) };
            drop(ManuallyDrop::into_inner(self.kernels));
            drop(ManuallyDrop::into_inner(self.progress));
        }
    }

    /// The sum of the first `count` measured times.
    fn elapsed(&self, context: &Context, count: u32) -> Result<Duration> {
        if count == 0 {
            return Ok(Duration::ZERO);
        }
        let mut bytes = vec![0u8; 16 * count as usize];
        let flags = vk::QueryResultFlags::_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: the commands that wrote these have finished.
        unsafe { context.raw.get_query_pool_results(self.clock, 0, 2 * count, &mut bytes, 8, flags) }.map_err(failed("read its clock"))?;
        let word = |b: &[u8]| u64::from_le_bytes(b.try_into().unwrap_or_default());
        Ok(bytes.chunks_exact(16).map(|pair| context.between(word(&pair[..8]), word(&pair[8..]))).sum())
    }
}

impl VulkanDevice {
    /// Whether the rays of a program's dispatch are sorted.
    pub(super) fn sorts(&self, program: Program) -> Result<bool> {
        let p = known(&self.programs, program)?;
        let divided = p.tables.as_ref().is_some_and(|t| t.resume.is_some());
        Ok(divided && unsorted(&self.context, &p.library).is_none())
    }

    /// Runs a dispatch in tiles and sorts.
    pub(super) fn dispatch_sorted(&mut self, program: Program, size: [u32; 3]) -> Result<Timing> {
        // Tiles have the size that launches are limited to.
        let tables = self.check_dispatch(program, [0; 3])?;
        let push = self.push_constants(program)?;
        if self.sorter.is_none() {
            self.sorter = Some(Sorter::new(&self.context)?);
        }
        let options = self.wavefront;
        let (context, p, sorter) = (&mut self.context, &mut self.programs[program], self.sorter.as_ref());
        let (Some(sorter), Some(resume)) = (sorter, p.tables.as_ref().and_then(|t| t.resume.as_ref())) else {
            return Ok(Timing::default());
        };
        let memory = options.memory.unwrap_or_else(|| WavefrontOptions::memory_of(context.memory.largest_heap()));
        let plan = Plan::new(&context.device, &resume.shader, size, resume.rows, memory)?;
        let (records, mut timing) = (resume.records, Timing::default());
        let mut sorting = Sorting::default();
        if plan.tile_count() > 0 {
            let GpuProgram { rays, library, descriptors, .. } = p;
            if let Some(rays) = rays {
                rays.bind_memory(context, library, descriptors, &plan)?;
            }
            let dispatch = Dispatch { plan: &plan, tables, records, push: &push, options };
            let done = dispatch.run(context, p, sorter, &mut sorting, &mut timing);
            // Other dispatches find buffers where no point stops.
            let GpuProgram { rays, library, descriptors, .. } = p;
            if let (Some(rays), true) = (rays.as_ref(), context.alive()) {
                rays.bind_plain(context, library, descriptors)?;
            }
            done?;
        }
        self.sorting = Some(sorting);
        Ok(timing)
    }
}

/// A dispatch whose memory is bound.
struct Dispatch<'a> {
    plan: &'a Plan,
    tables: DispatchRays,
    records: Range,
    push: &'a [u8],
    options: WavefrontOptions,
}

impl Dispatch<'_> {
    fn run(&self, context: &mut Context, p: &GpuProgram, sorter: &Sorter, sorting: &mut Sorting, timing: &mut Timing) -> Result<()> {
        let clock = sorter.clock != vk::QueryPool::null();
        sorting.time = clock.then_some(Duration::ZERO);
        timing.device = clock.then_some(Duration::ZERO);
        for tile in self.plan.tiles() {
            let mut n = 0;
            loop {
                let (count, finish) = match self.options.iterations {
                    Some(iterations) => (iterations.min(WavefrontOptions::MAX_ITERATIONS) + 1, true),
                    None => (SORTS, n + SORTS >= MAX_SORTS),
                };
                let (once, measured) = self.submit(context, p, sorter, (&tile, n, count, finish))?;
                n += count;
                timing.host += once.host;
                timing.device = timing.device.zip(once.device).map(|(a, b)| a + b);
                let time = sorter.elapsed(context, measured)?;
                sorting.time = sorting.time.map(|before| before + time);
                // SAFETY: the device has finished.
                let progress = Progress::read(&unsafe { sorter.progress.read(0, Progress::SIZE)? });
                if finish || progress.live == 0 {
                    sorting.tiles += 1;
                    sorting.sorts += u64::from(progress.sorts);
                    sorting.rays += progress.sorted;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Runs `count` iterations of a tile from the `n`th on, and says how many of their sorts were measured.
    fn submit(
        &self,
        context: &mut Context,
        p: &GpuProgram,
        sorter: &Sorter,
        (tile, n, count, finish): (&Tile, u32, u32, bool),
    ) -> Result<(Timing, u32)> {
        let Some(memory) = p.rays.as_ref().and_then(|r| r.memory()) else {
            return Ok((Timing::default(), 0));
        };
        let launch = Launch {
            pipeline: p.raytracing()?,
            tables: self.tables,
            resume: self.records,
            push_constants: self.push,
            plan: self.plan,
            memory,
        };
        let (layout, sets, clock) = (p.descriptors.layout(), &p.descriptors.sets, sorter.clock);
        let measured = if clock == vk::QueryPool::null() { 0 } else { count.min(MEASURED) };
        let mut recorded = Ok(());
        let timing = context.run("finish the dispatch", |raw, cmd| {
            let own = cmd.as_raw() as u64;
            let mut stamps = 0;
            let mut stamp = |step: Step| {
                if matches!(step, Step::Sort | Step::Resume) && stamps < 2 * measured {
                    // SAFETY: the queries were reset.
                    unsafe { raw.cmd_write_timestamp(cmd, vk::PipelineStageFlags::BOTTOM_OF_PIPE, clock, stamps) };
                    stamps += 1;
                }
            };
            full_barrier(raw, cmd);
            // SAFETY: pipeline, sets, what is bound to them, tables and memory live through the wait; sizes and bindings were checked.
            unsafe {
                if measured > 0 {
                    raw.cmd_reset_query_pool(cmd, clock, 0, 2 * measured);
                }
                let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
                if !sets.is_empty() {
                    raw.cmd_bind_descriptor_sets(cmd, point, layout, 0, sets, &[]);
                }
                let start = if n == 0 { sorter.kernels.start(own, &launch, tile) } else { Ok(()) };
                recorded = start.and_then(|()| {
                    for i in 0..count {
                        sorter.kernels.iterate(own, &launch, n + i, finish && i + 1 == count, &mut stamp)?;
                    }
                    sorter.kernels.copy_progress(own, memory, n + count, &sorter.progress)
                });
            }
            full_barrier(raw, cmd);
        })?;
        recorded.map(|()| (timing, measured))
    }
}
