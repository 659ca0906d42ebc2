//! Builds whose numbers of primitives the device reads, and builds and copies on the host.

use crate::accel::{copy_mode, read_inputs, rtcrt_accel, rtcrt_build, rtcrt_inputs, rtcrt_sizes, with_builds};
use crate::boundary::{Of, bytes, give, guarded, number, object, put, slice};
use crate::device::rtcrt_device;
use crate::library::rtcrt_blob;
use crate::memory::rtcrt_memory;
use crate::serialized::postbuild_info;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::accel::{self, IndirectRanges};
use rtc_engine::vulkan::{Accel, Build, Device};
use std::ffi::c_void;

/// Where a build reads how many primitives each of its geometries has: a `VkAccelerationStructureBuildRangeInfoKHR` for each.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_indirect_ranges {
    /// Address of the first, a multiple of 4.
    pub address: u64,
    /// From one to the next, a multiple of 4.
    pub stride: u32,
}

/// As `rtcrt_build_accels`, where the device reads the numbers of primitives when it builds: `ranges` has an element for each build. The
/// numbers of its inputs are the most that there may be. Needs `RTCRT_USE_INDIRECT_BUILDS`.
///
/// # Safety
/// As `rtcrt_build_accels`; `ranges` points to `count` elements. What they name is synchronised as indirect arguments, and has at most the
/// primitives of the inputs; that of an update has as many as the build.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_build_accels_indirect(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    builds: *const rtcrt_build,
    ranges: *const rtcrt_indirect_ranges,
    count: usize,
    scratch_address: u64,
    scratch_size: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let ranges = slice(ranges, count).of("ranges")?;
            let ranges: Vec<_> = ranges.iter().map(|r| IndirectRanges { address: r.address, stride: r.stride }).collect();
            let record = |device: &Device, builds: &mut [Build], scratch| {
                accel::build_indirect(device, number(command_buffer), builds, &ranges, scratch)
            };
            with_builds(device, builds, count, (scratch_address, scratch_size), record)
        })
    }
}

/// As `rtcrt_inputs_sizes`, for builds on the host. Needs `RTCRT_USE_HOST_BUILDS`, as all functions about the host do.
///
/// # Safety
/// As `rtcrt_inputs_sizes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_inputs_host_sizes(
    device: *const rtcrt_device,
    inputs: *const rtcrt_inputs,
    sizes: *mut rtcrt_sizes,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || put(sizes, read_inputs(inputs)?.host_sizes(&object(device).of("device")?.device)?.into(), "sizes")) }
}

/// As `rtcrt_accel_new`, in memory that the host sees, for builds on the host.
///
/// # Safety
/// As `rtcrt_accel_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_accel_new_on_host(
    device: *const rtcrt_device,
    memory: *const rtcrt_memory,
    top: bool,
    size: u64,
    accel: *mut *mut rtcrt_accel,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (device, memory) = (object(device).of("device")?, object(memory).of("memory")?);
            give(accel, rtcrt_accel::new(Accel::on_host(&device.device, &memory.memory, top, size)?), "accel")
        })
    }
}

/// Builds on the host, bottom-level structures before top-level ones; they are done when the function returns. Addresses, that of scratch
/// memory too, are those of the process, and instances refer to bottom-level structures by `rtcrt_accel_handle`.
///
/// # Safety
/// `device` is a device; `builds` points to `count` builds with valid pointers, of structures of `rtcrt_accel_new_on_host` that nothing
/// else uses now. Inputs are as described, and there are `scratch_size` bytes at `scratch_address`, all in host memory. `error` is null or
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_build_accels_on_host(
    device: *const rtcrt_device,
    builds: *const rtcrt_build,
    count: usize,
    scratch_address: u64,
    scratch_size: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let build = |device: &Device, builds: &mut [Build], scratch| accel::build_on_host(device, builds, scratch);
            with_builds(device, builds, count, (scratch_address, scratch_size), build)
        })
    }
}

/// Copies a structure on the host (`rtcrt_copy_mode`).
///
/// # Safety
/// `device` is a device; `source` and `target` are structures of `rtcrt_accel_new_on_host`, of which nothing else writes the source or uses
/// the target now; for a compaction the target has the size that `rtcrt_accel_host_info` gave. `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_copy_accel_on_host(
    device: *const rtcrt_device,
    source: *const rtcrt_accel,
    target: *mut rtcrt_accel,
    mode: u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let device = object(device).of("device")?;
            let mode = copy_mode(mode)?;
            let source = object(source).of("source")?.read("source")?;
            let copy = |target: &mut Accel| accel::copy_on_host(&device.device, &source, target, mode);
            object(target).of("target")?.change("target", copy)
        })
    }
}

/// A structure as bytes, on the host. `rtcrt_serialized_patch` replaces the addresses in a copy of them.
///
/// # Safety
/// `device` is a device; `source` is a structure of `rtcrt_accel_new_on_host` that nothing writes now; `serialized` can be written; `error`
/// is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_serialize_accel_on_host(
    device: *const rtcrt_device,
    source: *const rtcrt_accel,
    serialized: *mut *mut rtcrt_blob,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let source = object(source).of("source")?.read("source")?;
            let bytes = accel::serialize_on_host(&object(device).of("device")?.device, &source)?;
            give(serialized, rtcrt_blob::new(bytes), "serialized")
        })
    }
}

/// Reads a serialised structure on the host, whose addresses of bottom-level structures were replaced.
///
/// # Safety
/// `device` is a device; `data` points to `size` bytes, which are those of a structure; `target` is a structure of
/// `rtcrt_accel_new_on_host` that nothing else uses now; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_deserialize_accel_on_host(
    device: *const rtcrt_device,
    data: *const c_void,
    size: usize,
    target: *mut rtcrt_accel,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let device = &object(device).of("device")?.device;
            let data = bytes(data.cast(), size).of("data")?;
            let target = object(target).of("target")?;
            target.change("target", |target| accel::deserialize_on_host(device, data, target))
        })
    }
}

/// The answer to a question about a structure after its build on the host (`rtcrt_postbuild_info`).
///
/// # Safety
/// `device` is a device; `accel` is a structure of `rtcrt_accel_new_on_host` that nothing writes now; `answer` can be written; `error` is
/// null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_accel_host_info(
    device: *const rtcrt_device,
    accel: *const rtcrt_accel,
    info: u32,
    answer: *mut u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let structure = object(accel).of("accel")?.read("accel")?;
            put(answer, accel::host_info(&object(device).of("device")?.device, &structure, postbuild_info(info)?)?, "answer")
        })
    }
}
