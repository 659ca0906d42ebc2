//! Records a sort of the rays of a tile: passes of the kernels with barriers between them, and what the launches that follow read.

use super::kernels::{Job, Kernel, Kernels, flag};
use super::memory::{Memory, progress};
use super::plan::{BLOCK, Plan};
use crate::vulkan::vk;
use rtc_tables::wavefront as contract;
use vk::{AccessFlags as Access, PipelineStageFlags as Stage};
use vulkanalia::vk::DeviceV1_0;

/// The stages that work on the buffers of a dispatch.
fn work() -> Stage {
    Stage::COMPUTE_SHADER | Stage::RAY_TRACING_SHADER_KHR
}

/// Records a barrier between shaders: kernels, launches, and the arguments of both.
///
/// # Safety
/// The command buffer records outside of a render pass.
pub(super) unsafe fn barrier(kernels: &Kernels, cmd: vk::CommandBuffer) {
    let read_write = Access::SHADER_READ | Access::SHADER_WRITE;
    // SAFETY: by the caller's promise.
    unsafe {
        between(kernels, cmd, (work(), Access::SHADER_WRITE), (work() | Stage::DRAW_INDIRECT, read_write | Access::INDIRECT_COMMAND_READ))
    };
}

/// Records a memory barrier.
///
/// # Safety
/// As [`barrier`].
pub(super) unsafe fn between(kernels: &Kernels, cmd: vk::CommandBuffer, before: (Stage, Access), after: (Stage, Access)) {
    let memory = vk::MemoryBarrier { src_access_mask: before.1, dst_access_mask: after.1, ..Default::default() };
    let (no_buffer, no_image): ([vk::BufferMemoryBarrier; 0], [vk::ImageMemoryBarrier; 0]) = ([], []);
    let none = vk::DependencyFlags::empty();
    // SAFETY: by the caller's promise.
    unsafe { kernels.device().raw().cmd_pipeline_barrier(cmd, before.0, after.0, none, &[memory], &no_buffer, &no_image) };
}

/// Records what a tile of `rays` rays begins with: its control block, and their number.
///
/// # Safety
/// As [`record`].
pub(super) unsafe fn begin(kernels: &Kernels, cmd: vk::CommandBuffer, memory: &Memory, control: &[u32], rays: u64) {
    let mut words = [0u32; super::plan::PROGRESS_WORDS as usize];
    words[progress::COUNT as usize] = rays as u32;
    words[progress::GROUPS as usize..][..3].copy_from_slice(&[rays.div_ceil(BLOCK) as u32, 1, 1]);
    let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let shaders = Access::SHADER_READ | Access::SHADER_WRITE;
    let raw = kernels.device().raw();
    // SAFETY: by the caller's promise; both buffers are as long as their words.
    unsafe {
        // The tile before may still use them.
        let used = work() | Stage::DRAW_INDIRECT | Stage::TRANSFER;
        between(kernels, cmd, (used, Access::SHADER_WRITE | Access::TRANSFER_WRITE), (Stage::TRANSFER, Access::TRANSFER_WRITE));
        raw.cmd_update_buffer(cmd, memory.control().raw(), 0, &bytes(control));
        raw.cmd_update_buffer(cmd, memory.progress.raw(), 0, &bytes(&words));
        let next = (work() | Stage::DRAW_INDIRECT, shaders | Access::INDIRECT_COMMAND_READ);
        between(kernels, cmd, (Stage::TRANSFER, Access::TRANSFER_WRITE), next);
    }
}

/// Records that the next launch resumes the rays of a point, for shaders that look up the ray of their thread.
///
/// # Safety
/// As [`record`].
pub(super) unsafe fn resumes(kernels: &Kernels, cmd: vk::CommandBuffer, memory: &Memory, point: u32) {
    let word = contract::CONTROL_LAUNCH as usize;
    let bytes = (point + 1).to_le_bytes();
    let launch = Stage::RAY_TRACING_SHADER_KHR;
    // SAFETY: by the caller's promise; the control block has the word.
    unsafe {
        // The launch before reads the word, so it ends first. What it wrote is not made available: rays of other points do not read it.
        between(kernels, cmd, (launch, Access::empty()), (Stage::TRANSFER, Access::TRANSFER_WRITE));
        kernels.device().raw().cmd_update_buffer(cmd, memory.control().raw(), 4 * word as u64, &bytes);
        between(kernels, cmd, (Stage::TRANSFER, Access::TRANSFER_WRITE), (launch, Access::SHADER_READ));
    }
}

/// Records sort `n` of a tile, counted from 0, with barriers before, in and after it. The rays that are resumed next stop at their next
/// points, or `finish`.
///
/// # Safety
/// The command buffer records outside of a render pass. The memory, which holds the plan, lives until its work ends, and no other work uses it.
pub(super) unsafe fn record(kernels: &Kernels, cmd: vk::CommandBuffer, plan: &Plan, memory: &Memory, n: u32, finish: bool) {
    let column = 4 * plan.capacity();
    let scratch = memory.scratch.address();
    let blocks = plan.capacity().div_ceil(BLOCK);
    let parity = n & 1;
    let (own, other) = ((memory.keys().address(), memory.slots().address()), (scratch, scratch + column));
    let groups = |first: bool| {
        let count = if first { parity } else { 1 - parity };
        4 * (progress::GROUPS + 4 * u64::from(count))
    };
    let last = plan.digits().len() - 1;
    let mut job = Job {
        histogram: scratch + 2 * column,
        progress: memory.progress.address(),
        control: memory.control().address(),
        blocks: blocks as u32,
        points: plan.resumes().len() as u32,
        parity,
        ..Job::default()
    };
    let raw = kernels.device().raw();
    let args = memory.progress.raw();
    // SAFETY: by the caller's promise; the kernels work on as many pairs as were launched.
    unsafe {
        barrier(kernels, cmd);
        for (pass, digit) in plan.digits().iter().enumerate() {
            let first = pass == 0;
            let (from, to) = if pass % 2 == 0 { (own, other) } else { (other, own) };
            job = Job { keys: from.0, slots: from.1, sorted_keys: to.0, sorted_slots: to.1, digit: *digit, ..job };
            job.flags = [(first, flag::FIRST), (first && n == 0, flag::IDENTITY), (pass == last, flag::LAST), (finish, flag::FINISH)]
                .iter()
                .filter(|f| f.0)
                .map(|f| f.1)
                .sum();
            kernels.bind(cmd, Kernel::Histogram, job);
            raw.cmd_dispatch_indirect(cmd, args, groups(first));
            barrier(kernels, cmd);
            kernels.bind(cmd, Kernel::Scan, job);
            raw.cmd_dispatch(cmd, digit.count(), 1, 1);
            if first {
                kernels.bind(cmd, Kernel::Count, job);
                raw.cmd_dispatch(cmd, 1, 1, 1);
            }
            barrier(kernels, cmd);
            kernels.bind(cmd, Kernel::Scatter, job);
            raw.cmd_dispatch_indirect(cmd, args, groups(first));
            barrier(kernels, cmd);
        }
        if last.is_multiple_of(2) {
            job = Job { slots: own.1, sorted_slots: other.1, flags: flag::LAST, ..job };
            kernels.bind(cmd, Kernel::Copy, job);
            raw.cmd_dispatch_indirect(cmd, args, groups(false));
            barrier(kernels, cmd);
        }
    }
}
