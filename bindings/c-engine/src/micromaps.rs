//! Arrays of opacity micromaps: their sizes, builds and copies.

use crate::accel::copy_mode;
use crate::boundary::{Failure, HasSize, Of, free, get, give, guarded, number, object, put, put_list, read, slice, structure, write};
use crate::device::rtcrt_device;
use crate::memory::rtcrt_memory;
use crate::micromap_linkage::{counts_of, read_usage, rtcrt_micromap_count};
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::Scratch;
use rtc_engine::vulkan::accel::Micromaps;
use rtc_engine::vulkan::accel::micromaps::{MicromapBuild, MicromapInputs, build_micromaps, copy_micromaps, max_levels};
use std::ffi::c_void;
use std::sync::{RwLock, RwLockReadGuard};

/// What an array is built from: `D3D12_RAYTRACING_OPACITY_MICROMAP_ARRAY_DESC`. Set all members to zero and `size` to
/// `sizeof(rtcrt_micromap_inputs)` first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_micromap_inputs {
    /// `sizeof(rtcrt_micromap_inputs)`.
    pub size: usize,
    /// How many micromaps there are of each level and format.
    pub counts: *const rtcrt_micromap_count,
    /// How many counts.
    pub count: usize,
    /// Address of the states of micro-triangles, a multiple of 256.
    pub data: u64,
    /// Address of `D3D12_RAYTRACING_OPACITY_MICROMAP_DESC`s, one for each micromap, a multiple of 256.
    pub entries: u64,
    /// From one of them to the next: a multiple of 4, at least 8.
    pub stride: u64,
    /// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAG_*`: those about compaction and preferences.
    pub flags: u32,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_micromap_inputs {}

/// Inputs of the caller.
///
/// # Safety
/// `at` is null or points to inputs, whose counts are valid.
unsafe fn read_inputs(at: *const rtcrt_micromap_inputs) -> Result<MicromapInputs, Failure> {
    // SAFETY: this function's contract.
    let (i, usage) = unsafe {
        let i = structure(at, "inputs")?;
        (i, read_usage(i.counts, i.count)?)
    };
    Ok(MicromapInputs { usage, data: i.data, entries: i.entries, stride: i.stride, flags: i.flags })
}

/// Bytes that an array and its build need.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_micromap_sizes {
    /// Bytes of the array.
    pub result: u64,
    /// Scratch bytes of the build.
    pub scratch: u64,
    /// Not 0: the array may be freed after the structures that refer to it are built.
    pub discardable: u32,
}

/// Bytes that an array and its build need. Needs `RTCRT_USE_MICROMAPS`, as all functions about micromaps do.
///
/// # Safety
/// `device` is a device; `inputs` points to inputs with valid pointers; `sizes` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_micromap_inputs_sizes(
    device: *const rtcrt_device,
    inputs: *const rtcrt_micromap_inputs,
    sizes: *mut rtcrt_micromap_sizes,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let s = read_inputs(inputs)?.sizes(&object(device).of("device")?.device)?;
            put(sizes, rtcrt_micromap_sizes { result: s.result, scratch: s.scratch, discardable: s.discardable.into() }, "sizes")
        })
    }
}

/// The finest levels of micromaps with two and with four states.
///
/// # Safety
/// `device` is a device; `two_states` and `four_states` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_micromap_max_levels(
    device: *const rtcrt_device,
    two_states: *mut u32,
    four_states: *mut u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let [two, four] = max_levels(&object(device).of("device")?.device)?;
            put(two_states, two, "two_states")?;
            put(four_states, four, "four_states")
        })
    }
}

/// An array of micromaps with its memory.
pub struct rtcrt_micromaps {
    micromaps: RwLock<Micromaps>,
    handle: u64,
    address: u64,
    size: u64,
}

impl rtcrt_micromaps {
    pub(crate) fn read(&self, argument: &str) -> Result<RwLockReadGuard<'_, Micromaps>, Failure> {
        read(&self.micromaps, argument)
    }

    /// Changes it.
    pub(crate) fn change<R>(&self, argument: &str, f: impl FnOnce(&mut Micromaps) -> rtc_engine::Result<R>) -> Result<R, Failure> {
        Ok(f(&mut *write(&self.micromaps, argument)?)?)
    }
}

/// Room for an array of `size` bytes (`rtcrt_micromap_sizes`); it is empty until a build or a copy into it has run.
///
/// # Safety
/// `device` is a device, `memory` is memory of it; `micromaps` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_micromaps_new(
    device: *const rtcrt_device,
    memory: *const rtcrt_memory,
    size: u64,
    micromaps: *mut *mut rtcrt_micromaps,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (device, memory) = (object(device).of("device")?, object(memory).of("memory")?);
            let made = Micromaps::new(&device.device, &memory.memory, size)?;
            let (handle, address, size) = (made.handle(), made.address(), made.size());
            give(micromaps, rtcrt_micromaps { micromaps: RwLock::new(made), handle, address, size }, "micromaps")
        })
    }
}

/// `VkMicromapEXT`, for `rtcrt_micromap_linkage`.
///
/// # Safety
/// `micromaps` is null or an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_micromaps_handle(micromaps: *const rtcrt_micromaps) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(micromaps, 0, |m| m.handle) }
}

/// The device address of its memory, for clusters.
///
/// # Safety
/// `micromaps` is null or an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_micromaps_address(micromaps: *const rtcrt_micromaps) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(micromaps, 0, |m| m.address) }
}

/// Bytes that it has room for.
///
/// # Safety
/// `micromaps` is null or an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_micromaps_size(micromaps: *const rtcrt_micromaps) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(micromaps, 0, |m| m.size) }
}

/// How many micromaps of each level and format the last recorded build has; none if it was not built or was read from bytes. `count` says
/// for how many there is room in `counts` (26 are enough), and then how many there are.
///
/// # Safety
/// `micromaps` is an array; `counts` points to `count` counts that can be written; `count` can be read and written; `error` is null or can
/// be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_micromaps_counts(
    micromaps: *const rtcrt_micromaps,
    counts: *mut rtcrt_micromap_count,
    count: *mut usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let usage = object(micromaps).of("micromaps")?.read("micromaps")?.usage().unwrap_or_default();
            put_list(counts, count, &counts_of(&usage), "counts")
        })
    }
}

/// Frees an array.
///
/// # Safety
/// `micromaps` is null, or an array that neither the caller nor the device uses again, nor a structure that refers to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_micromaps_free(micromaps: *mut rtcrt_micromaps) {
    // SAFETY: this function's contract.
    unsafe { free(micromaps) };
}

/// The build of an array. Set all members to zero and `size` to `sizeof(rtcrt_micromap_build)` first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_micromap_build {
    /// `sizeof(rtcrt_micromap_build)`.
    pub size: usize,
    /// What it is built from.
    pub inputs: *const rtcrt_micromap_inputs,
    /// The array to write. No other build of the batch writes it.
    pub target: *mut rtcrt_micromaps,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_micromap_build {}

/// Records builds of arrays, and a barrier after them. Structures that refer to them are built afterwards.
///
/// # Safety
/// As `rtcrt_build_accels`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_build_micromaps(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    builds: *const rtcrt_micromap_build,
    count: usize,
    scratch_address: u64,
    scratch_size: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let device = object(device).of("device")?;
            let (mut all, mut targets) = (Vec::new(), Vec::new());
            for (i, b) in slice(builds, count).of("builds")?.iter().enumerate() {
                let b = structure(b, &format!("builds[{i}]"))?;
                let name = format!("builds[{i}].target");
                targets.push(write(&object(b.target).of(&name)?.micromaps, &name)?);
                all.push(read_inputs(b.inputs)?);
            }
            let build = |(inputs, target)| MicromapBuild { inputs, target };
            let mut recorded: Vec<_> = all.into_iter().zip(targets.iter_mut().map(|t| &mut **t)).map(build).collect();
            let scratch = Scratch { address: scratch_address, size: scratch_size };
            Ok(build_micromaps(&device.device, number(command_buffer), &mut recorded, scratch)?)
        })
    }
}

/// Records a copy of an array (`rtcrt_copy_mode`), and a barrier after it.
///
/// # Safety
/// As `rtcrt_copy_accel`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_copy_micromaps(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    source: *const rtcrt_micromaps,
    target: *mut rtcrt_micromaps,
    mode: u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let device = object(device).of("device")?;
            let mode = copy_mode(mode)?;
            let source = object(source).of("source")?.read("source")?;
            let copy = |target: &mut Micromaps| copy_micromaps(&device.device, number(command_buffer), &source, target, mode);
            object(target).of("target")?.change("target", copy)
        })
    }
}
