//! `DispatchRays` into the caller's command buffer, directly and indirectly.

use crate::boundary::{Failure, Of, guarded, number, object};
use crate::device::rtcrt_device;
use crate::memory::rtcrt_buffer;
use crate::pipeline::rtcrt_pipeline;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::{DispatchRays, Range, StridedRange, dispatch};
use std::ffi::c_void;

/// `D3D12_GPU_VIRTUAL_ADDRESS_RANGE`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_range {
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub size: u64,
}

/// `D3D12_GPU_VIRTUAL_ADDRESS_RANGE_AND_STRIDE`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_strided_range {
    /// First byte; 0: no table.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// From record to record; 0: there is only one.
    pub stride: u64,
}

/// `D3D12_DISPATCH_RAYS_DESC`, whose bytes are an indirect argument too.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_dispatch {
    /// The ray generation record.
    pub raygen: rtcrt_range,
    /// The miss table.
    pub miss: rtcrt_strided_range,
    /// The hit group table.
    pub hit: rtcrt_strided_range,
    /// The callable table.
    pub callable: rtcrt_strided_range,
    /// Rays along the first axis.
    pub width: u32,
    /// Rays along the second axis.
    pub height: u32,
    /// Rays along the third axis.
    pub depth: u32,
}

const _: () = assert!(size_of::<rtcrt_dispatch>() as u64 == dispatch::INDIRECT_SIZE);
const _: () = assert!(std::mem::offset_of!(rtcrt_dispatch, width) as u64 == dispatch::INDIRECT_SIZES_OFFSET);

impl From<&rtcrt_dispatch> for DispatchRays {
    fn from(d: &rtcrt_dispatch) -> DispatchRays {
        let strided = |r: &rtcrt_strided_range| StridedRange { address: r.address, size: r.size, stride: r.stride };
        DispatchRays {
            raygen: Range { address: d.raygen.address, size: d.raygen.size },
            miss: strided(&d.miss),
            hit: strided(&d.hit),
            callable: strided(&d.callable),
            size: [d.width, d.height, d.depth],
        }
    }
}

impl From<DispatchRays> for rtcrt_dispatch {
    fn from(d: DispatchRays) -> rtcrt_dispatch {
        let strided = |r: StridedRange| rtcrt_strided_range { address: r.address, size: r.size, stride: r.stride };
        rtcrt_dispatch {
            raygen: rtcrt_range { address: d.raygen.address, size: d.raygen.size },
            miss: strided(d.miss),
            hit: strided(d.hit),
            callable: strided(d.callable),
            width: d.size[0],
            height: d.size[1],
            depth: d.size[2],
        }
    }
}

/// Checks what D3D12 and Vulkan demand of addresses, strides and sizes, as dispatches do; for arguments of indirect ones.
///
/// # Safety
/// `device` is a device; `desc` points to a description; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_dispatch_check(
    device: *const rtcrt_device,
    desc: *const rtcrt_dispatch,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let limits = object(device).of("device")?.device.limits();
            Ok(DispatchRays::from(object(desc).of("desc")?).check(limits)?)
        })
    }
}

/// Records a dispatch. The pipeline is bound; descriptor sets and push constants are the caller's, bound before to the pipeline's layout.
///
/// # Safety
/// `pipeline` is a pipeline; `command_buffer` is a `VkCommandBuffer` of its device that records outside of a render pass; `desc` points to
/// a description. Pipeline, tables and whatever shaders use live until the work ends, and are synchronised with what writes them. Records
/// hold handles of this pipeline, and traces and calls reach no record outside of the tables. `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_dispatch_rays(
    pipeline: *const rtcrt_pipeline,
    command_buffer: *mut c_void,
    desc: *const rtcrt_dispatch,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (pipeline, desc) = (object(pipeline).of("pipeline")?, object(desc).of("desc")?);
            Ok(pipeline.pipeline.dispatch_rays(number(command_buffer), &desc.into())?)
        })
    }
}

/// Records dispatches whose tables and sizes the device reads: `count` of `rtcrt_dispatch`, `stride` bytes apart, at a device address.
/// Needs `RTCRT_USE_INDIRECT_TABLES`.
///
/// # Safety
/// As `rtcrt_dispatch_rays`; the descriptions are what `rtcrt_dispatch_check` accepts, and are synchronised with
/// `VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_dispatch_rays_indirect(
    pipeline: *const rtcrt_pipeline,
    command_buffer: *mut c_void,
    address: u64,
    count: u32,
    stride: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let pipeline = object(pipeline).of("pipeline")?;
            Ok(pipeline.pipeline.dispatch_rays_indirect(number(command_buffer), address, count, stride)?)
        })
    }
}

/// Records a dispatch whose sizes the device reads: three words at a device address. `desc` has the tables; its sizes do not count. Needs
/// `RTCRT_USE_INDIRECT_SIZES`.
///
/// # Safety
/// As `rtcrt_dispatch_rays`; the sizes are what the device allows, and are synchronised with `VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_dispatch_rays_indirect_sizes(
    pipeline: *const rtcrt_pipeline,
    command_buffer: *mut c_void,
    desc: *const rtcrt_dispatch,
    address: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (pipeline, desc) = (object(pipeline).of("pipeline")?, object(desc).of("desc")?);
            Ok(pipeline.pipeline.dispatch_rays_indirect_sizes(number(command_buffer), &desc.into(), address)?)
        })
    }
}

/// Records a copy of the sizes of an `rtcrt_dispatch` at offset `from` of a buffer to offset `to` of another, and a barrier after it, for
/// `rtcrt_dispatch_rays_indirect_sizes` on devices that cannot read tables.
///
/// # Safety
/// As `rtcrt_dispatch_rays`; `source` has transfer source usage, `target` transfer destination and indirect buffer usage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_convert_indirect_sizes(
    pipeline: *const rtcrt_pipeline,
    command_buffer: *mut c_void,
    source: *const rtcrt_buffer,
    from: u64,
    target: *const rtcrt_buffer,
    to: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let pipeline = object(pipeline).of("pipeline")?;
            let (source, target) = (&object(source).of("source")?.buffer, &object(target).of("target")?.buffer);
            pipeline.pipeline.convert_indirect_sizes(number(command_buffer), (source, from), (target, to)).map_err(Failure::from)
        })
    }
}
