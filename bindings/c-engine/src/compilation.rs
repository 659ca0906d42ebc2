//! Ways to compile: by threads of the caller, in collections that are linked later.

use crate::boundary::{Failure, Of, free, get, give, guarded, invalid, object, objects, put};
use crate::layout::rtcrt_layout;
use crate::library::rtcrt_library;
use crate::pipeline::{read_options, rtcrt_pipeline, rtcrt_pipeline_options};
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::{Collection, Compilation, Pipeline};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// A compilation that threads of the caller do.
pub struct rtcrt_compilation {
    /// None: it was finished.
    running: RwLock<Option<Compilation>>,
}

impl rtcrt_compilation {
    fn new(compilation: Compilation) -> rtcrt_compilation {
        rtcrt_compilation { running: RwLock::new(Some(compilation)) }
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<Compilation>> {
        self.running.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn finished() -> Failure {
    invalid("`compilation` was finished before")
}

/// Begins to compile the pipeline of a library. `options` may be null; its cache must live until the compilation is finished or freed.
///
/// # Safety
/// As `rtcrt_pipeline_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_compilation_new(
    library: *const rtcrt_library,
    layout: *const rtcrt_layout,
    options: *const rtcrt_pipeline_options,
    compilation: *mut *mut rtcrt_compilation,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (library, layout) = (object(library).of("library")?, object(layout).of("layout")?);
            let begun = Compilation::new(&library.library, &layout.layout, &read_options(options)?)?;
            give(compilation, rtcrt_compilation::new(begun), "compilation")
        })
    }
}

/// Begins `rtcrt_pipeline_add` for threads of the caller.
///
/// # Safety
/// As `rtcrt_pipeline_add`; a cache lives until the compilation is finished or freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_add_deferred(
    parent: *const rtcrt_pipeline,
    library: *const rtcrt_library,
    options: *const rtcrt_pipeline_options,
    compilation: *mut *mut rtcrt_compilation,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (parent, library) = (object(parent).of("parent")?, object(library).of("library")?);
            let begun = parent.pipeline.add_deferred(&library.library, &read_options(options)?)?;
            give(compilation, rtcrt_compilation::new(begun), "compilation")
        })
    }
}

/// How many threads may join with profit; 0: the driver has finished already.
///
/// # Safety
/// `compilation` is null or a compilation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_compilation_max_concurrency(compilation: *const rtcrt_compilation) -> u32 {
    // SAFETY: this function's contract.
    unsafe { get(compilation, 0, |c| c.read().as_ref().map_or(0, Compilation::max_concurrency)) }
}

/// Works on the compilation until this thread has nothing left to do, and stores whether everything is done. Any thread may call.
///
/// # Safety
/// `compilation` is a compilation; `complete` is null or can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_compilation_join(
    compilation: *const rtcrt_compilation,
    complete: *mut bool,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let done = object(compilation).of("compilation")?.read().as_ref().ok_or_else(finished)?.join()?;
            if complete.is_null() { Ok(()) } else { put(complete, done, "complete") }
        })
    }
}

/// Whether nothing is left to do.
///
/// # Safety
/// `compilation` is null or a compilation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_compilation_is_complete(compilation: *const rtcrt_compilation) -> bool {
    // SAFETY: this function's contract.
    unsafe { get(compilation, true, |c| c.read().as_ref().is_none_or(Compilation::is_complete)) }
}

/// Does what is left on this thread, and gives the pipeline. The compilation can only be freed afterwards.
///
/// # Safety
/// `compilation` is a compilation; `pipeline` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_compilation_finish(
    compilation: *mut rtcrt_compilation,
    pipeline: *mut *mut rtcrt_pipeline,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let c = object(compilation).of("compilation")?;
            // Waits for threads that join; they return when nothing is left to do for them.
            let running = c.running.write().unwrap_or_else(PoisonError::into_inner).take();
            give(pipeline, rtcrt_pipeline { pipeline: running.ok_or_else(finished)?.finish()? }, "pipeline")
        })
    }
}

/// Frees a compilation; one that is not finished is waited for.
///
/// # Safety
/// `compilation` is null, or a compilation that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_compilation_free(compilation: *mut rtcrt_compilation) {
    // SAFETY: this function's contract.
    unsafe { free(compilation) };
}

/// A compiled state object that pipelines are linked from.
pub struct rtcrt_collection {
    collection: Collection,
}

/// Compiles the state object of a library for later use in pipelines. `payload` is the largest payload of the pipelines that will be linked
/// from it, if that is more than the library's own. Needs `RTCRT_USE_PIPELINE_LIBRARIES`.
///
/// # Safety
/// As `rtcrt_pipeline_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_collection_new(
    library: *const rtcrt_library,
    layout: *const rtcrt_layout,
    payload: u32,
    options: *const rtcrt_pipeline_options,
    collection: *mut *mut rtcrt_collection,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (library, layout) = (object(library).of("library")?, object(layout).of("layout")?);
            let made = Collection::new(&library.library, &layout.layout, payload, &read_options(options)?)?;
            give(collection, rtcrt_collection { collection: made }, "collection")
        })
    }
}

/// Links a pipeline from collections.
///
/// # Safety
/// `collections` points to `count` collections; the rest as `rtcrt_pipeline_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_pipeline_link(
    collections: *const *const rtcrt_collection,
    count: usize,
    options: *const rtcrt_pipeline_options,
    pipeline: *mut *mut rtcrt_pipeline,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let collections: Vec<_> = objects(collections, count, "collections")?.into_iter().map(|c| &c.collection).collect();
            let made = Pipeline::link(&collections, &read_options(options)?)?;
            give(pipeline, rtcrt_pipeline { pipeline: made }, "pipeline")
        })
    }
}

/// Frees a collection. Pipelines that were linked from it stay valid.
///
/// # Safety
/// `collection` is null, or a collection that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_collection_free(collection: *mut rtcrt_collection) {
    // SAFETY: this function's contract.
    unsafe { free(collection) };
}
