//! Pipelines: state objects on the device, with identifiers, additions and stack sizes.

use crate::boundary::{Failure, HasSize, Of, free, get, give, guarded, invalid, object, put, structure, text};
use crate::cache::rtcrt_cache;
use crate::layout::rtcrt_layout;
use crate::library::rtcrt_library;
use crate::types::{rtcrt_bytes, rtcrt_error, rtcrt_status, rtcrt_texts};
use rtc_engine::vulkan::{Identifier, Pipeline, PipelineOptions};
use std::ffi::c_char;

/// A pipeline.
pub struct rtcrt_pipeline {
    pub(crate) pipeline: Pipeline,
}

/// A shader or hit group of a state object, which is the same in the state object's additions.
pub struct rtcrt_identifier {
    identifier: Identifier,
}

/// How to make a pipeline. Set all members to zero and `size` to `sizeof(rtcrt_pipeline_options)` first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_pipeline_options {
    /// `sizeof(rtcrt_pipeline_options)`.
    pub size: usize,
    /// Not 0: `rtcrt_pipeline_add` may be called. Needs `RTCRT_USE_PIPELINE_LIBRARIES`.
    pub allow_additions: u32,
    /// Not 0: `rtcrt_pipeline_set_stack_size` may be called; every dispatch sets the size then.
    pub dynamic_stack: u32,
    /// More `VkPipelineCreateFlags`, such as those that promise that no shader of a table is null.
    pub create_flags: u32,
    /// Where compiled code is kept, or null.
    pub cache: *const rtcrt_cache,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_pipeline_options {}

/// Options of the caller; null is none.
///
/// # Safety
/// `at` is null or points to options, whose cache is null or lives during `'a`.
pub(crate) unsafe fn read_options<'a>(at: *const rtcrt_pipeline_options) -> Result<PipelineOptions<'a>, Failure> {
    if at.is_null() {
        return Ok(PipelineOptions::default());
    }
    // SAFETY: this function's contract.
    let (o, cache) = unsafe {
        let o = structure(at, "options")?;
        (o, if o.cache.is_null() { None } else { Some(&object(o.cache).of("cache")?.cache) })
    };
    Ok(PipelineOptions {
        allow_additions: o.allow_additions != 0,
        dynamic_stack: o.dynamic_stack != 0,
        create_flags: o.create_flags,
        cache,
    })
}

/// Compiles the pipeline of a library. `options` may be null.
///
/// # Safety
/// `library` is a library, `layout` is a layout; `options` is null or points to options; `pipeline` can be written; `error` is null or can
/// be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_new(
    library: *const rtcrt_library,
    layout: *const rtcrt_layout,
    options: *const rtcrt_pipeline_options,
    pipeline: *mut *mut rtcrt_pipeline,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (library, layout) = (object(library).of("library")?, object(layout).of("layout")?);
            let made = Pipeline::new(&library.library, &layout.layout, &read_options(options)?)?;
            give(pipeline, rtcrt_pipeline { pipeline: made }, "pipeline")
        })
    }
}

/// A pipeline with what `parent` has and the shaders of a further library, which alone are compiled: `AddToStateObject`. Identifiers stay
/// valid, and `parent` stays as it is.
///
/// # Safety
/// `parent` is a pipeline, `library` is a library; the rest as `rtcrt_pipeline_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_add(
    parent: *const rtcrt_pipeline,
    library: *const rtcrt_library,
    options: *const rtcrt_pipeline_options,
    pipeline: *mut *mut rtcrt_pipeline,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (parent, library) = (object(parent).of("parent")?, object(library).of("library")?);
            let made = parent.pipeline.add(&library.library, &read_options(options)?)?;
            give(pipeline, rtcrt_pipeline { pipeline: made }, "pipeline")
        })
    }
}

/// `VkPipeline`.
///
/// # Safety
/// `pipeline` is null or a pipeline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_handle(pipeline: *const rtcrt_pipeline) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(pipeline, 0, |p| p.pipeline.handle_raw()) }
}

/// Names of all shaders and hit groups that records may hold.
///
/// # Safety
/// `pipeline` is a pipeline; `names` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_names(
    pipeline: *const rtcrt_pipeline,
    names: *mut *mut rtcrt_texts,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || give(names, rtcrt_texts::new(object(pipeline).of("pipeline")?.pipeline.names()), "names")) }
}

/// The identifier of a ray generation, miss or callable shader or of a hit group.
///
/// # Safety
/// `pipeline` is a pipeline; `name` is a text; `identifier` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_identifier(
    pipeline: *const rtcrt_pipeline,
    name: *const c_char,
    identifier: *mut *mut rtcrt_identifier,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (p, name) = (&object(pipeline).of("pipeline")?.pipeline, text(name).of("name")?);
            // Its error lists the names.
            p.handle_of(name)?;
            let found = p.identifier(name).ok_or_else(|| invalid(format!("`name` is `{name}`, which the pipeline does not have")))?;
            give(identifier, rtcrt_identifier { identifier: found }, "identifier")
        })
    }
}

/// Whether two identifiers are of one shader or hit group of one state object.
///
/// # Safety
/// Both are null or identifiers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_identifier_equal(one: *const rtcrt_identifier, other: *const rtcrt_identifier) -> bool {
    // SAFETY: this function's contract.
    unsafe { get(one, false, |one| get(other, false, |other| one.identifier == other.identifier)) }
}

/// Frees an identifier.
///
/// # Safety
/// `identifier` is null, or an identifier that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_identifier_free(identifier: *mut rtcrt_identifier) {
    // SAFETY: this function's contract.
    unsafe { free(identifier) };
}

/// The bytes of an identifier for shader records that this pipeline uses; they belong to the pipeline.
///
/// # Safety
/// `pipeline` is a pipeline, `identifier` is an identifier; `bytes` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_identifier_bytes(
    pipeline: *const rtcrt_pipeline,
    identifier: *const rtcrt_identifier,
    bytes: *mut rtcrt_bytes,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (pipeline, identifier) = (object(pipeline).of("pipeline")?, object(identifier).of("identifier")?);
            put(bytes, rtcrt_bytes::of(pipeline.pipeline.handle(&identifier.identifier)?), "bytes")
        })
    }
}

/// The bytes of the identifier of a name; they belong to the pipeline.
///
/// # Safety
/// As `rtcrt_pipeline_identifier_bytes`; `name` is a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_name_bytes(
    pipeline: *const rtcrt_pipeline,
    name: *const c_char,
    bytes: *mut rtcrt_bytes,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (pipeline, name) = (object(pipeline).of("pipeline")?, text(name).of("name")?);
            put(bytes, rtcrt_bytes::of(pipeline.pipeline.handle_of(name)?), "bytes")
        })
    }
}

/// Stack bytes that the hungriest shader of each stage needs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_stage_stacks {
    /// Ray generation.
    pub raygen: u64,
    /// Closest hit.
    pub closest_hit: u64,
    /// Miss.
    pub miss: u64,
    /// Intersection.
    pub intersection: u64,
    /// Any hit.
    pub any_hit: u64,
    /// Callable.
    pub callable: u64,
}

/// What the hungriest shader of each stage needs.
///
/// # Safety
/// `pipeline` is a pipeline; `stacks` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_stage_stacks(
    pipeline: *const rtcrt_pipeline,
    stacks: *mut rtcrt_stage_stacks,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let s = object(pipeline).of("pipeline")?.pipeline.stage_stacks();
            let all = rtcrt_stage_stacks {
                raygen: s.raygen,
                closest_hit: s.closest_hit,
                miss: s.miss,
                intersection: s.intersection,
                any_hit: s.any_hit,
                callable: s.callable,
            };
            put(stacks, all, "stacks")
        })
    }
}

/// Stack bytes of a shader: of a ray generation, miss or callable shader by its name, of the shaders of a hit group by `Group::closesthit`,
/// `Group::anyhit` and `Group::intersection`. `0xffffffff`: there is no such shader.
///
/// # Safety
/// `pipeline` is null or a pipeline; `name` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_shader_stack_size(pipeline: *const rtcrt_pipeline, name: *const c_char) -> u64 {
    // SAFETY: this function's contract.
    unsafe {
        let size = |p: &rtcrt_pipeline| p.pipeline.shader_stack_size(text(name).ok()?);
        get(pipeline, None, size).unwrap_or(u32::MAX.into())
    }
}

/// The stack size by the formula of the specification.
///
/// # Safety
/// `pipeline` is null or a pipeline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_default_stack_size(pipeline: *const rtcrt_pipeline) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(pipeline, 0, |p| p.pipeline.default_stack_size()) }
}

/// The stack size that is set.
///
/// # Safety
/// `pipeline` is null or a pipeline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_stack_size(pipeline: *const rtcrt_pipeline) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(pipeline, 0, |p| p.pipeline.stack_size()) }
}

/// Sets the stack size for dispatches that are recorded from now on. As in D3D12, a size of 0xffffffff or more is ignored.
///
/// # Safety
/// `pipeline` is a pipeline; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_set_stack_size(
    pipeline: *mut rtcrt_pipeline,
    bytes: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || Ok(object(pipeline).of("pipeline")?.pipeline.set_stack_size(bytes)?)) }
}

/// Frees a pipeline.
///
/// # Safety
/// `pipeline` is null, or a pipeline that neither the caller nor the device uses again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_free(pipeline: *mut rtcrt_pipeline) {
    // SAFETY: this function's contract.
    unsafe { free(pipeline) };
}
