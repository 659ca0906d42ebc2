//! `ExecuteIndirect`: dispatches that the device counts.

use crate::boundary::{Of, free, give, guarded, number, object};
use crate::device::rtcrt_device;
use crate::memory::rtcrt_buffer;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::{Arguments, ExecuteIndirect};
use std::ffi::c_void;

/// Arguments of dispatches in the memory of the device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_indirect_arguments {
    /// Address of the first `rtcrt_dispatch`, a multiple of 4.
    pub address: u64,
    /// From one to the next: `ByteStride` of the command signature, a multiple of 4.
    pub stride: u64,
    /// Address of the word that counts them, a multiple of 4: `pCountBuffer`. 0: there are `max_count`.
    pub count_address: u64,
    /// The most dispatches: `MaxCommandCount`.
    pub max_count: u32,
}

/// The compute pipeline that prepares arguments. One serves all frames.
pub struct rtcrt_execute_indirect {
    pipeline: ExecuteIndirect,
}

/// Makes the pipeline that prepares arguments. Needs `RTCRT_USE_INDIRECT_COUNT`.
///
/// # Safety
/// `device` is a device; `execute_indirect` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_execute_indirect_new(
    device: *const rtcrt_device,
    execute_indirect: *mut *mut rtcrt_execute_indirect,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let pipeline = ExecuteIndirect::new(&object(device).of("device")?.device)?;
            give(execute_indirect, rtcrt_execute_indirect { pipeline }, "execute_indirect")
        })
    }
}

/// Bytes that prepared arguments of `max_count` dispatches need.
#[unsafe(no_mangle)]
pub extern "C" fn rtcrt_execute_indirect_size(max_count: u32) -> u64 {
    ExecuteIndirect::size(max_count)
}

/// Records the preparation of arguments, and a barrier after it. The dispatches are `rtcrt_dispatch_rays_indirect` of the address of
/// `target`, `max_count` and the size of an `rtcrt_dispatch`. A compute pipeline is bound and push constants are written: the caller sets
/// its own for what comes after.
///
/// # Safety
/// `execute_indirect` was made by `rtcrt_execute_indirect_new`; `command_buffer` is a `VkCommandBuffer` of its device that records outside
/// of a render pass; `arguments` points to arguments. All of what they name can be read until the work ends, and is synchronised with
/// `VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT`. `target` has indirect buffer usage and is not in use. All live until the work ends. `error` is
/// null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_execute_indirect_prepare(
    execute_indirect: *const rtcrt_execute_indirect,
    command_buffer: *mut c_void,
    arguments: *const rtcrt_indirect_arguments,
    target: *const rtcrt_buffer,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let execute = object(execute_indirect).of("execute_indirect")?;
            let a = object(arguments).of("arguments")?;
            let count = (a.count_address != 0).then_some(a.count_address);
            let arguments = Arguments { address: a.address, stride: a.stride, max_count: a.max_count, count };
            Ok(execute.pipeline.prepare(number(command_buffer), &arguments, &object(target).of("target")?.buffer)?)
        })
    }
}

/// Frees the pipeline that prepares arguments.
///
/// # Safety
/// `execute_indirect` is null, or an object that neither the caller nor the device uses again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_execute_indirect_free(execute_indirect: *mut rtcrt_execute_indirect) {
    // SAFETY: this function's contract.
    unsafe { free(execute_indirect) };
}
