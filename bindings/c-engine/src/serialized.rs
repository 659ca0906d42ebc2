//! Serialised structures, and questions about structures that are answered some frames later.

use crate::accel::rtcrt_accel;
use crate::boundary::{
    Failure, Of, bytes, bytes_mut, free, give, guarded, invalid, lock, number, object, objects, put, put_list, slice, variant,
};
use crate::device::rtcrt_device;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::accel::{self, PostbuildInfo, SerializedHeader, SizeQueries};
use std::ffi::c_void;
use std::sync::Mutex;

/// The header of a serialised structure.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_serialized_header {
    /// Bytes of the structure after it is read.
    pub deserialized_size: u64,
    /// How many addresses of bottom-level structures follow the header.
    pub handles: u64,
}

impl From<&rtcrt_serialized_header> for SerializedHeader {
    fn from(h: &rtcrt_serialized_header) -> SerializedHeader {
        SerializedHeader { deserialized_size: h.deserialized_size, handles: h.handles }
    }
}

/// Records the serialisation of a structure to memory at a multiple of 256, which has the size that a query gave, and a barrier after it.
///
/// # Safety
/// As `rtcrt_build_accels`, of `source`; the memory is large enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_serialize_accel(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    source: *const rtcrt_accel,
    address: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let source = object(source).of("source")?.read("source")?;
            Ok(accel::serialize(&object(device).of("device")?.device, number(command_buffer), &source, address)?)
        })
    }
}

/// Reads and checks the header of serialised bytes: whether they are whole, and of this device and driver.
///
/// # Safety
/// `device` is a device; `data` points to `size` bytes; `header` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_serialized_read(
    device: *const rtcrt_device,
    data: *const c_void,
    size: usize,
    header: *mut rtcrt_serialized_header,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let data = bytes(data.cast(), size).of("data")?;
            let h = SerializedHeader::read(&object(device).of("device")?.device, data)?;
            put(header, rtcrt_serialized_header { deserialized_size: h.deserialized_size, handles: h.handles }, "header")
        })
    }
}

/// Replaces the addresses of bottom-level structures in serialised bytes by others (`rtcrt_accel_address`).
///
/// # Safety
/// `header` points to a header; `data` points to `size` bytes that nothing else uses; `bottoms` points to `count` addresses; `error` is
/// null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_serialized_patch(
    header: *const rtcrt_serialized_header,
    data: *mut c_void,
    size: usize,
    bottoms: *const u64,
    count: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let header = SerializedHeader::from(object(header).of("header")?);
            if size < accel::SERIALIZED_HEADER {
                return Err(invalid(format!("`data` has {size} bytes, less than a header")));
            }
            let (data, bottoms) = (bytes_mut(data.cast(), size).of("data")?, slice(bottoms, count).of("bottoms")?);
            Ok(header.patch(data, bottoms)?)
        })
    }
}

/// Records the reading of a serialised structure, whose header `rtcrt_serialized_read` has checked and whose addresses of bottom-level
/// structures `rtcrt_serialized_patch` has replaced, and a barrier after it.
///
/// # Safety
/// As `rtcrt_build_accels`, of `target`; `header` points to a header; the memory at `address` has the bytes that it is
/// of.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_deserialize_accel(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    header: *const rtcrt_serialized_header,
    address: u64,
    target: *mut rtcrt_accel,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let device = &object(device).of("device")?.device;
            let header = SerializedHeader::from(object(header).of("header")?);
            let target = object(target).of("target")?;
            target.change("target", |target| accel::deserialize(device, number(command_buffer), &header, address, target))
        })
    }
}

/// What is queried of structures after their builds: `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_*`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_postbuild_info {
    /// Bytes after a compaction.
    CompactedSize = 0,
    /// Bytes of the serialised structure.
    SerializationSize = 1,
    /// Bytes that it has now. Needs `rayTracingMaintenance1`.
    CurrentSize = 2,
    /// How many bottom-level structures its serialised bytes refer to. Needs `rayTracingMaintenance1`.
    SerializationPointers = 3,
}

pub(crate) fn postbuild_info(number: u32) -> Result<PostbuildInfo, Failure> {
    use rtcrt_postbuild_info::{CompactedSize, CurrentSize, SerializationPointers, SerializationSize};
    let all = [CompactedSize, SerializationSize, CurrentSize, SerializationPointers];
    Ok(match variant(&all, number, |i| i as u32, "info")? {
        CompactedSize => PostbuildInfo::CompactedSize,
        SerializationSize => PostbuildInfo::SerializationSize,
        CurrentSize => PostbuildInfo::CurrentSize,
        SerializationPointers => PostbuildInfo::SerializationPointers,
    })
}

/// Questions about structures.
pub struct rtcrt_size_queries {
    pub(crate) queries: Mutex<SizeQueries>,
}

/// Room for `capacity` questions of a kind (`rtcrt_postbuild_info`).
///
/// # Safety
/// `device` is a device; `queries` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_size_queries_new(
    device: *const rtcrt_device,
    info: u32,
    capacity: u32,
    queries: *mut *mut rtcrt_size_queries,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let made = SizeQueries::new(&object(device).of("device")?.device, postbuild_info(info)?, capacity)?;
            give(queries, rtcrt_size_queries { queries: Mutex::new(made) }, "queries")
        })
    }
}

/// Records the questions about structures that were built before in the same or an earlier command buffer.
///
/// # Safety
/// As `rtcrt_build_accels`, of `count` structures that `structures` points to; `queries` are queries whose earlier
/// questions the device has answered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_size_queries_record(
    queries: *mut rtcrt_size_queries,
    command_buffer: *mut c_void,
    structures: *const *const rtcrt_accel,
    count: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let queries = object(queries).of("queries")?;
            let structures = objects(structures, count, "structures")?;
            let structures = structures.into_iter().map(|s| s.read("structures")).collect::<Result<Vec<_>, _>>()?;
            let structures: Vec<_> = structures.iter().map(|s| &**s).collect();
            Ok(lock(&queries.queries, "queries")?.record(number(command_buffer), &structures)?)
        })
    }
}

/// The answers in the order of the structures, if the device has given all: `ready` says so. `count` says for how many there is room in
/// `answers`, and then how many there are.
///
/// # Safety
/// `queries` are queries; `answers` points to `count` numbers that can be written; `count` and `ready` can be written; `error` is null or
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_size_queries_answers(
    queries: *const rtcrt_size_queries,
    answers: *mut u64,
    count: *mut usize,
    ready: *mut bool,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let found = lock(&object(queries).of("queries")?.queries, "queries")?.answers()?;
            put(ready, found.is_some(), "ready")?;
            put_list(answers, count, &found.unwrap_or_default(), "answers")
        })
    }
}

/// Records that the answers to the questions that were recorded last are written to a `VkBuffer`, 8 bytes each, as D3D12 does. `offset` is
/// a multiple of 8.
///
/// # Safety
/// `queries` are queries; `command_buffer` is a `VkCommandBuffer` of their device that records outside of a render pass. `buffer` is a
/// buffer that transfers may write, with room for the answers, that lives until the work ends. `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_size_queries_write(
    queries: *const rtcrt_size_queries,
    command_buffer: *mut c_void,
    buffer: u64,
    offset: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let queries = object(queries).of("queries")?;
            Ok(lock(&queries.queries, "queries")?.write_to(number(command_buffer), buffer, offset)?)
        })
    }
}

/// Frees queries.
///
/// # Safety
/// `queries` is null, or queries that neither the caller nor the device uses again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_size_queries_free(queries: *mut rtcrt_size_queries) {
    // SAFETY: this function's contract.
    unsafe { free(queries) };
}
