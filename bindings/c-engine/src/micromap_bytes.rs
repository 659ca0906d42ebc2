//! Arrays of micromaps as bytes, and questions about them that are answered some frames later.

use crate::boundary::{Of, bytes, give, guarded, lock, number, object, objects, put};
use crate::device::rtcrt_device;
use crate::micromaps::rtcrt_micromaps;
use crate::serialized::{postbuild_info, rtcrt_size_queries};
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::accel::SizeQueries;
use rtc_engine::vulkan::accel::micromaps::{MicromapHeader, deserialize_micromaps, serialize_micromaps};
use std::ffi::c_void;
use std::sync::Mutex;

/// Records the serialisation of an array to memory at a multiple of 256, which has the size that a query gave, and a barrier after it.
///
/// # Safety
/// As `rtcrt_build_accels`, of `source`; the memory is large enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_serialize_micromaps(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    source: *const rtcrt_micromaps,
    address: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let source = object(source).of("source")?.read("source")?;
            Ok(serialize_micromaps(&object(device).of("device")?.device, number(command_buffer), &source, address)?)
        })
    }
}

/// Reads and checks the header of a serialised array, whether it is whole, and of this device and driver; `deserialized_size` is for the
/// room that it is read into.
///
/// # Safety
/// `device` is a device; `data` points to `size` bytes; `deserialized_size` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_serialized_micromaps_read(
    device: *const rtcrt_device,
    data: *const c_void,
    size: usize,
    deserialized_size: *mut u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let header = MicromapHeader::read(&object(device).of("device")?.device, bytes(data.cast(), size).of("data")?)?;
            put(deserialized_size, header.deserialized_size, "deserialized_size")
        })
    }
}

/// Records the reading of a serialised array, whose header `rtcrt_serialized_micromaps_read` has checked, and a barrier after it.
///
/// # Safety
/// As `rtcrt_build_accels`, of `target`; the memory at `address` has the bytes of which `deserialized_size` was read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_deserialize_micromaps(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    deserialized_size: u64,
    address: u64,
    target: *mut rtcrt_micromaps,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let device = &object(device).of("device")?.device;
            let header = MicromapHeader { deserialized_size };
            let target = object(target).of("target")?;
            target.change("target", |target| deserialize_micromaps(device, number(command_buffer), &header, address, target))
        })
    }
}

/// Room for `capacity` questions about arrays of micromaps: sizes after a compaction, or of the serialised array (`rtcrt_postbuild_info`).
///
/// # Safety
/// `device` is a device; `queries` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_size_queries_of_micromaps(
    device: *const rtcrt_device,
    info: u32,
    capacity: u32,
    queries: *mut *mut rtcrt_size_queries,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let made = SizeQueries::of_micromaps(&object(device).of("device")?.device, postbuild_info(info)?, capacity)?;
            give(queries, rtcrt_size_queries { queries: Mutex::new(made) }, "queries")
        })
    }
}

/// Records the questions about arrays that were built before in the same or an earlier command buffer.
///
/// # Safety
/// As `rtcrt_size_queries_record`, of `count` arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_size_queries_record_micromaps(
    queries: *mut rtcrt_size_queries,
    command_buffer: *mut c_void,
    arrays: *const *const rtcrt_micromaps,
    count: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let queries = object(queries).of("queries")?;
            let arrays = objects(arrays, count, "arrays")?;
            let arrays = arrays.into_iter().map(|m| m.read("arrays")).collect::<Result<Vec<_>, _>>()?;
            let arrays: Vec<_> = arrays.iter().map(|m| &**m).collect();
            Ok(lock(&queries.queries, "queries")?.record_micromaps(number(command_buffer), &arrays)?)
        })
    }
}
