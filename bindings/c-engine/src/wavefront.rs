//! Dispatches of divided ray generation shaders (`-fspv-ser=wavefront`), with a sort of the rays between their stages.
//!
//! A dispatch has a plan (tiles and bytes), memory for it, and records that resume rays. It is recorded whole, or step by step by callers that
//! read after each submission how many rays are left.

use crate::boundary::{Failure, Of, bytes, free, get, give, guarded, invalid, number, object, put, text};
use crate::device::rtcrt_device;
use crate::dispatch::{rtcrt_dispatch, rtcrt_range};
use crate::library::{rtcrt_blob, rtcrt_library};
use crate::memory::{rtcrt_buffer, rtcrt_memory};
use crate::pipeline::rtcrt_pipeline;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_c_common::Text;
use rtc_engine::tables::{Region, Table};
use rtc_engine::vulkan::wavefront::{Launch, Memory, PLAIN_SIZES, Plan, Progress, WavefrontShader, resume_records};
use rtc_engine::vulkan::{DispatchRays, Range, Wavefront};
use std::ffi::{c_char, c_void};

/// The kernels that sort rays: one for all dispatches and frames of a device.
pub struct rtcrt_wavefront {
    wavefront: Wavefront,
}

/// What a dispatch of a divided shader needs, and how it proceeds.
pub struct rtcrt_wavefront_plan {
    plan: Plan,
    shader: WavefrontShader,
}

/// The buffers of a dispatch.
pub struct rtcrt_wavefront_memory {
    memory: Memory,
    names: [Text; 4],
}

/// A buffer that divided shaders use.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_wavefront_buffer {
    /// The name of the resource to bind it to; a library has those that its shaders use. It belongs to the memory.
    pub name: *const c_char,
    /// `VkBuffer`.
    pub buffer: u64,
    /// Its bytes.
    pub size: u64,
}

/// What the launches of a dispatch have in common.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_wavefront_launch {
    /// The pipeline with the shader and the shaders that resume it.
    pub pipeline: *const rtcrt_pipeline,
    /// The shader tables; the sizes do not count.
    pub tables: rtcrt_dispatch,
    /// The records that resume rays (`rtcrt_wavefront_records`) in a buffer, at a multiple of the device's `shaderGroupBaseAlignment`.
    pub resume: rtcrt_range,
    /// The push constants of the pipeline's layout; sorts overwrite those of the command buffer.
    pub push_constants: *const c_void,
    /// Bytes of them; 0 if the layout has none.
    pub push_constants_size: usize,
    /// How the dispatch proceeds.
    pub plan: *const rtcrt_wavefront_plan,
    /// Its buffers, which are also bound to the resources that `rtcrt_wavefront_memory_buffer` names.
    pub memory: *const rtcrt_wavefront_memory,
}

/// What the sorts of a tile counted.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct rtcrt_wavefront_progress {
    /// Rays that the last sort found at a point; 0: the tile is done.
    pub live: u32,
    /// Sorts that found a ray.
    pub sorts: u32,
    /// The rays that they found, together.
    pub sorted: u64,
}

/// Bytes that `rtcrt_wavefront_copy_progress` writes.
pub const RTCRT_WAVEFRONT_PROGRESS_SIZE: u64 = 16;
const _: () = assert!(RTCRT_WAVEFRONT_PROGRESS_SIZE == Progress::SIZE);

/// Makes the kernels. Needs `RTCRT_USE_WAVEFRONT`.
///
/// # Safety
/// `device` is a device; `wavefront` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_new(
    device: *const rtcrt_device,
    wavefront: *mut *mut rtcrt_wavefront,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let made = Wavefront::new(&object(device).of("device")?.device)?;
            give(wavefront, rtcrt_wavefront { wavefront: made }, "wavefront")
        })
    }
}

/// Frees kernels.
///
/// # Safety
/// `wavefront` is null, or kernels that neither the caller nor the device uses again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_free(wavefront: *mut rtcrt_wavefront) {
    // SAFETY: this function's contract.
    unsafe { free(wavefront) };
}

/// Plans dispatches of a ray generation shader with tables and a size, in at most `most` bytes of memory. A shader that is not divided is an error:
/// `rtcrt_dispatch_rays` dispatches it.
///
/// # Safety
/// `device` is a device, `library` is a library; `shader` is a text; `dispatch` points to a description; `plan` can be written; `error` is null or
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_plan_new(
    device: *const rtcrt_device,
    library: *const rtcrt_library,
    shader: *const c_char,
    dispatch: *const rtcrt_dispatch,
    most: u64,
    plan: *mut *mut rtcrt_wavefront_plan,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (device, library) = (&object(device).of("device")?.device, &object(library).of("library")?.library);
            let (name, d) = (text(shader).of("shader")?, DispatchRays::from(object(dispatch).of("dispatch")?));
            let divided = library.divided(name).ok_or_else(|| invalid(format!("`shader` is `{name}`, which is not divided")))?.clone();
            let rows = |r: rtc_engine::vulkan::StridedRange| r.size.checked_div(r.stride).unwrap_or(0);
            let made = Plan::new(device, &divided, d.size, rows(d.miss).max(rows(d.hit)), most)?;
            give(plan, rtcrt_wavefront_plan { plan: made, shader: divided }, "plan")
        })
    }
}

/// Bytes of memory that the dispatch needs.
///
/// # Safety
/// `plan` is null or a plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_plan_size(plan: *const rtcrt_wavefront_plan) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(plan, 0, |p| p.plan.sizes().total()) }
}

/// How many tiles the dispatch is divided into, one after the other; the largest number if there are more.
///
/// # Safety
/// `plan` is null or a plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_plan_tiles(plan: *const rtcrt_wavefront_plan) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(plan, 0, |p| u64::try_from(p.plan.tile_count()).unwrap_or(u64::MAX)) }
}

/// Frees a plan.
///
/// # Safety
/// `plan` is null, or a plan that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_plan_free(plan: *mut rtcrt_wavefront_plan) {
    // SAFETY: this function's contract.
    unsafe { free(plan) };
}

/// Makes the buffers of a dispatch.
///
/// # Safety
/// `device` is a device, `memory` is memory of it, `plan` is a plan; `made` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_memory_new(
    device: *const rtcrt_device,
    memory: *const rtcrt_memory,
    plan: *const rtcrt_wavefront_plan,
    made: *mut *mut rtcrt_wavefront_memory,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (device, memory) = (object(device).of("device")?, object(memory).of("memory")?);
            let of = Memory::new(&device.device, &memory.memory, &object(plan).of("plan")?.plan)?;
            let names = of.named().map(|(name, _)| Text::new(name));
            give(made, rtcrt_wavefront_memory { memory: of, names }, "made")
        })
    }
}

/// Buffer `index` (0 to 3) of those that shaders use.
///
/// # Safety
/// `memory` is such memory; `buffer` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_memory_buffer(
    memory: *const rtcrt_wavefront_memory,
    index: usize,
    buffer: *mut rtcrt_wavefront_buffer,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let m = object(memory).of("memory")?;
            let named = m.memory.named();
            let (Some((_, b)), Some(name)) = (named.get(index), m.names.get(index)) else {
                return Err(invalid(format!("`index` is {index}, there are {} buffers", named.len())));
            };
            put(buffer, rtcrt_wavefront_buffer { name: name.data().cast(), buffer: b.handle(), size: b.size() }, "buffer")
        })
    }
}

/// Bytes of zeros to bind in place of buffer `index` where a divided shader is dispatched as any other: then its rays are not sorted.
#[unsafe(no_mangle)]
pub extern "C" fn rtcrt_wavefront_plain_size(index: usize) -> u64 {
    PLAIN_SIZES.get(index).copied().unwrap_or(0)
}

/// Frees the buffers of a dispatch.
///
/// # Safety
/// `memory` is null, or such memory that neither the caller nor the device uses again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_memory_free(memory: *mut rtcrt_wavefront_memory) {
    // SAFETY: this function's contract.
    unsafe { free(memory) };
}

/// The records that resume rays, for a buffer with `VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR`: `record` is that of the plan's shader, as
/// `rtcrt_tables_encode` wrote it at `dispatch.raygen`.
///
/// # Safety
/// `pipeline` is a pipeline, `plan` is a plan; `record` points to `size` bytes; `records` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_records(
    pipeline: *const rtcrt_pipeline,
    plan: *const rtcrt_wavefront_plan,
    record: *const u8,
    size: usize,
    records: *mut *mut rtcrt_blob,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (pipeline, plan) = (&object(pipeline).of("pipeline")?.pipeline, object(plan).of("plan")?);
            let record = bytes(record, size).of("record")?;
            let handle = pipeline.table_rules().handle_size as usize;
            if record.len() < handle {
                return Err(invalid(format!("`size` is {size}, an identifier has {handle} bytes")));
            }
            let mut regions = [Region::default(); 4];
            regions[Table::RayGeneration as usize] = Region { offset: 0, size: size as u64, stride: size as u64 };
            give(records, rtcrt_blob::new(resume_records(pipeline, (record, &regions), &plan.shader)?), "records")
        })
    }
}

/// Calls `f` with a launch of the caller.
///
/// # Safety
/// `launch` points to a launch with valid pointers.
unsafe fn with_launch(
    wavefront: *const rtcrt_wavefront,
    launch: *const rtcrt_wavefront_launch,
    f: impl FnOnce(&Wavefront, &Launch) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // SAFETY: this function's contract.
    unsafe {
        let (kernels, l) = (object(wavefront).of("wavefront")?, object(launch).of("launch")?);
        let launch = Launch {
            pipeline: &object(l.pipeline).of("pipeline")?.pipeline,
            tables: DispatchRays::from(&l.tables),
            resume: Range { address: l.resume.address, size: l.resume.size },
            push_constants: bytes(l.push_constants.cast(), l.push_constants_size).of("push_constants")?,
            plan: &object(l.plan).of("plan")?.plan,
            memory: &object(l.memory).of("memory")?.memory,
        };
        f(&kernels.wavefront, &launch)
    }
}

/// Records a whole dispatch: for each tile a launch that starts its rays, `iterations` of a sort and launches that resume them, and a last sort after
/// which they run to their end. Compute pipelines are bound and push constants are written; descriptor sets stay.
///
/// # Safety
/// As `rtcrt_dispatch_rays`; `wavefront` are kernels of the pipeline's device; `launch` points to a launch with valid pointers. The memory is bound
/// to the shaders' resources, and no other work that may run at the same time uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_dispatch_rays(
    wavefront: *const rtcrt_wavefront,
    command_buffer: *mut c_void,
    launch: *const rtcrt_wavefront_launch,
    iterations: u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || with_launch(wavefront, launch, |w, l| Ok(w.dispatch_rays(number(command_buffer), l, iterations, |_| {})?))) }
}

/// Records the launch that starts the rays of a tile.
///
/// # Safety
/// As `rtcrt_wavefront_dispatch_rays`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_start(
    wavefront: *const rtcrt_wavefront,
    command_buffer: *mut c_void,
    launch: *const rtcrt_wavefront_launch,
    tile: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            with_launch(wavefront, launch, |w, l| {
                let found = l.plan.tile(tile.into());
                let found = found.ok_or_else(|| invalid(format!("`tile` is {tile}, the plan has {}", l.plan.tile_count())))?;
                Ok(w.start(number(command_buffer), l, &found)?)
            })
        })
    }
}

/// Records iteration `n` of a tile, counted from 0 after its start: a sort, and the launches that resume its rays. They stop at their next points, or,
/// if `finish` is not 0, run to their end.
///
/// # Safety
/// As `rtcrt_wavefront_dispatch_rays`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_iterate(
    wavefront: *const rtcrt_wavefront,
    command_buffer: *mut c_void,
    launch: *const rtcrt_wavefront_launch,
    n: u32,
    finish: u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || with_launch(wavefront, launch, |w, l| Ok(w.iterate(number(command_buffer), l, n, finish != 0, &mut |_| {})?)))
    }
}

/// Records a copy of what `iterations` of the tile counted to a buffer that the host reads, for `rtcrt_wavefront_read_progress`.
///
/// # Safety
/// As `rtcrt_wavefront_dispatch_rays`; `memory` is that of the launch; `target` is a buffer with transfer destination usage that is not in
/// use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_copy_progress(
    wavefront: *const rtcrt_wavefront,
    command_buffer: *mut c_void,
    memory: *const rtcrt_wavefront_memory,
    iterations: u32,
    target: *const rtcrt_buffer,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (w, m) = (&object(wavefront).of("wavefront")?.wavefront, &object(memory).of("memory")?.memory);
            let target = &object(target).of("target")?.buffer;
            Ok(w.copy_progress(number(command_buffer), m, iterations, target)?)
        })
    }
}

/// What was counted, from the bytes of the buffer.
///
/// # Safety
/// `data` points to `size` bytes; `progress` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_wavefront_read_progress(
    data: *const u8,
    size: usize,
    progress: *mut rtcrt_wavefront_progress,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let data = bytes(data, size).of("data")?;
            if (data.len() as u64) < Progress::SIZE {
                return Err(invalid(format!("`size` is {size}, progress has {} bytes", Progress::SIZE)));
            }
            let Progress { live, sorts, sorted } = Progress::read(data);
            put(progress, rtcrt_wavefront_progress { live, sorts, sorted }, "progress")
        })
    }
}
