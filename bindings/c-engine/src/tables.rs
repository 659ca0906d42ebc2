//! Shader tables: records by name, in a copy for each frame in flight or as bytes.

use crate::boundary::{Failure, Of, free, give, guarded, invalid, lock, object, optional_text, put, variant};
use crate::dispatch::rtcrt_dispatch;
use crate::library::{read_arguments, rtcrt_argument, rtcrt_blob};
use crate::memory::rtcrt_memory;
use crate::pipeline::rtcrt_pipeline;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::tables::{Reach, Record, ShaderTables, Table, hit_index};
use rtc_engine::vulkan::{DispatchRays, FrameTables};
use std::ffi::c_char;
use std::sync::Mutex;

/// A kind of shader table.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_table {
    /// Ray generation: one record.
    RayGeneration = 0,
    /// Miss.
    Miss = 1,
    /// Hit groups.
    Hit = 2,
    /// Callable.
    Callable = 3,
}

fn read_table(number: u32) -> Result<Table, Failure> {
    variant(&Table::ALL, number, |t| t as u32, "table")
}

/// A record of a shader table.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_record {
    /// The export or hit group; null: the null shader identifier.
    pub name: *const c_char,
    /// Arguments of its local root signature.
    pub arguments: *const rtcrt_argument,
    /// How many.
    pub argument_count: usize,
}

/// A record of the caller.
///
/// # Safety
/// `at` is null or points to a record with valid pointers.
unsafe fn read_record(at: *const rtcrt_record) -> Result<Record, Failure> {
    // SAFETY: this function's contract.
    unsafe {
        let r = object(at).of("record")?;
        let export = optional_text(r.name, "name")?.map(str::to_owned);
        Ok(Record { export, arguments: read_arguments(r.arguments, r.argument_count)? })
    }
}

/// Records by their names and indices.
pub struct rtcrt_tables {
    tables: Mutex<ShaderTables>,
}

/// Makes empty tables.
///
/// # Safety
/// `tables` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_tables_new(tables: *mut *mut rtcrt_tables, error: *mut *mut rtcrt_error) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || give(tables, rtcrt_tables { tables: Mutex::default() }, "tables")) }
}

/// Puts a record at an index of a table (`rtcrt_table`), with null records before it where there were none.
///
/// # Safety
/// `tables` are tables; `record` points to a record with valid pointers; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_tables_put(
    tables: *mut rtcrt_tables,
    table: u32,
    index: u32,
    record: *const rtcrt_record,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let tables = object(tables).of("tables")?;
            Ok(lock(&tables.tables, "tables")?.put(read_table(table)?, index, read_record(record)?)?)
        })
    }
}

/// What the traces and calls of a dispatch name at most. Members that begin with `has` are 0 where there is none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_reach {
    /// Not 0: there are miss shaders.
    pub has_miss: u32,
    /// Largest `MissShaderIndex`.
    pub miss: u32,
    /// Not 0: there are hit groups.
    pub has_hit: u32,
    /// Largest `RayContributionToHitGroupIndex`.
    pub ray_contribution: u32,
    /// Largest `MultiplierForGeometryContributionToHitGroupIndex`.
    pub multiplier: u32,
    /// Largest geometry index.
    pub geometry: u32,
    /// Largest `InstanceContributionToHitGroupIndex`.
    pub instance_contribution: u32,
    /// Not 0: there are callable shaders.
    pub has_callable: u32,
    /// Largest index of a callable shader.
    pub callable: u32,
}

/// Checks that the tables have every record that the traces and calls of a dispatch can reach.
///
/// # Safety
/// `tables` are tables; `reach` points to a reach; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_tables_check_reach(
    tables: *const rtcrt_tables,
    reach: *const rtcrt_reach,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (tables, r) = (object(tables).of("tables")?, object(reach).of("reach")?);
            let reach = Reach {
                miss: (r.has_miss != 0).then_some(r.miss.into()),
                hit: (r.has_hit != 0).then_some([r.ray_contribution, r.multiplier, r.geometry, r.instance_contribution]),
                callable: (r.has_callable != 0).then_some(r.callable.into()),
            };
            Ok(lock(&tables.tables, "tables")?.check_reach(&reach)?)
        })
    }
}

/// The index of the record of a hit. Contribution and multiplier of the ray count with 4 bits, the contribution of the instance with 24.
#[unsafe(no_mangle)]
pub extern "C" fn rtcrt_hit_index(ray_contribution: u32, multiplier: u32, geometry: u32, instance_contribution: u32) -> u64 {
    hit_index(ray_contribution, multiplier, geometry, instance_contribution)
}

/// Bytes that the tables need in a buffer of the caller.
///
/// # Safety
/// `tables` are tables, `pipeline` is a pipeline; `size` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_tables_size(
    tables: *const rtcrt_tables,
    pipeline: *const rtcrt_pipeline,
    size: *mut u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (tables, pipeline) = (object(tables).of("tables")?, object(pipeline).of("pipeline")?);
            let image = pipeline.pipeline.tables(&*lock(&tables.tables, "tables")?)?;
            put(size, image.size(), "size")
        })
    }
}

/// The tables as bytes for a device address, and a dispatch of no rays with them.
///
/// # Safety
/// `tables` are tables, `pipeline` is a pipeline; `bytes` and `dispatch` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_tables_encode(
    tables: *const rtcrt_tables,
    pipeline: *const rtcrt_pipeline,
    address: u64,
    bytes: *mut *mut rtcrt_blob,
    dispatch: *mut rtcrt_dispatch,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (tables, pipeline) = (object(tables).of("tables")?, object(pipeline).of("pipeline")?);
            let image = pipeline.pipeline.tables(&*lock(&tables.tables, "tables")?)?;
            if address.checked_add(image.size()).is_none() {
                return Err(invalid(format!("`address` is {address:#x}, where {} bytes have no room", image.size())));
            }
            let (data, regions) = image.at(address);
            put(dispatch, DispatchRays::of(address, &regions, [0; 3]).into(), "dispatch")?;
            give(bytes, rtcrt_blob::new(data), "bytes")
        })
    }
}

/// Frees tables. Frame tables that were made from them stay valid.
///
/// # Safety
/// `tables` is null, or tables that are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_tables_free(tables: *mut rtcrt_tables) {
    // SAFETY: this function's contract.
    unsafe { free(tables) };
}

/// Shader tables with a copy for each frame in flight.
pub struct rtcrt_frame_tables {
    tables: Mutex<FrameTables>,
}

/// Copies of tables for `frames` frames in flight, in memory that the host writes.
///
/// # Safety
/// `pipeline` is a pipeline, `memory` is memory of its device, `tables` are tables; `frame_tables` can be written; `error` is null or can
/// be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_frame_tables_new(
    pipeline: *const rtcrt_pipeline,
    memory: *const rtcrt_memory,
    tables: *const rtcrt_tables,
    frames: usize,
    frame_tables: *mut *mut rtcrt_frame_tables,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (pipeline, memory) = (object(pipeline).of("pipeline")?, object(memory).of("memory")?);
            let tables = lock(&object(tables).of("tables")?.tables, "tables")?.clone();
            let made = FrameTables::new(&pipeline.pipeline, &memory.memory, tables, frames)?;
            give(frame_tables, rtcrt_frame_tables { tables: Mutex::new(made) }, "frame_tables")
        })
    }
}

/// Changes frame tables for a pipeline.
///
/// # Safety
/// `frame_tables` are frame tables, `pipeline` is a pipeline; `error` is null or can be written.
unsafe fn change(
    frame_tables: *mut rtcrt_frame_tables,
    pipeline: *const rtcrt_pipeline,
    error: *mut *mut rtcrt_error,
    f: impl FnOnce(&mut FrameTables, &rtcrt_pipeline) -> Result<(), Failure>,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let pipeline = object(pipeline).of("pipeline")?;
            f(&mut *lock(&object(frame_tables).of("frame_tables")?.tables, "frame_tables")?, pipeline)
        })
    }
}

/// Replaces a record. Frames see it from their next `rtcrt_frame_tables_begin` on.
///
/// # Safety
/// `frame_tables` are frame tables, `pipeline` is a pipeline; `record` points to a record with valid pointers; `error` is null or can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_frame_tables_set(
    frame_tables: *mut rtcrt_frame_tables,
    pipeline: *const rtcrt_pipeline,
    table: u32,
    index: usize,
    record: *const rtcrt_record,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { change(frame_tables, pipeline, error, |f, p| Ok(f.set(&p.pipeline, read_table(table)?, index, read_record(record)?)?)) }
}

/// Replaces all records.
///
/// # Safety
/// `frame_tables` are frame tables, `pipeline` is a pipeline, `tables` are tables; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_frame_tables_replace(
    frame_tables: *mut rtcrt_frame_tables,
    pipeline: *const rtcrt_pipeline,
    tables: *const rtcrt_tables,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        change(frame_tables, pipeline, error, |f, p| {
            let desc = lock(&object(tables).of("tables")?.tables, "tables")?.clone();
            Ok(f.replace(&p.pipeline, desc)?)
        })
    }
}

/// Gives the records the handles of another pipeline with the same names, such as one that was made by an addition.
///
/// # Safety
/// `frame_tables` are frame tables, `pipeline` is a pipeline; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_frame_tables_retarget(
    frame_tables: *mut rtcrt_frame_tables,
    pipeline: *const rtcrt_pipeline,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { change(frame_tables, pipeline, error, |f, p| Ok(f.retarget(&p.pipeline)?)) }
}

/// Brings the copy of a frame up to date, and describes a dispatch of no rays with it.
///
/// # Safety
/// `frame_tables` are frame tables, and the device has finished everything that used this copy; `dispatch` can be written; `error` is null
/// or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_frame_tables_begin(
    frame_tables: *mut rtcrt_frame_tables,
    frame: usize,
    dispatch: *mut rtcrt_dispatch,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let desc = lock(&object(frame_tables).of("frame_tables")?.tables, "frame_tables")?.begin(frame)?;
            put(dispatch, desc.into(), "dispatch")
        })
    }
}

/// Frees frame tables.
///
/// # Safety
/// `frame_tables` is null, or frame tables that neither the caller nor the device uses again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_frame_tables_free(frame_tables: *mut rtcrt_frame_tables) {
    // SAFETY: this function's contract.
    unsafe { free(frame_tables) };
}
