//! Pipeline caches on disk.

use crate::boundary::{Of, free, get, give, guarded, object, text};
use crate::device::rtcrt_device;
use crate::library::rtcrt_blob;
use crate::types::{rtcrt_bytes, rtcrt_error, rtcrt_status};
use rtc_c_common::Text;
use rtc_engine::vulkan::DiskCache;
use std::ffi::c_char;
use std::path::Path;

/// A pipeline cache with its file.
pub struct rtcrt_cache {
    pub(crate) cache: DiskCache,
    path: Text,
}

/// Opens the pipeline cache of a device in a folder, which is made if it is not there: one file for each device and driver. A file that is
/// damaged or of another driver counts as empty.
///
/// # Safety
/// `device` is a device; `folder` is a text; `cache` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_cache_open(
    device: *const rtcrt_device,
    folder: *const c_char,
    cache: *mut *mut rtcrt_cache,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (device, folder) = (object(device).of("device")?, text(folder).of("folder")?);
            let opened = DiskCache::open(&device.device, Path::new(folder))?;
            let path = Text::new(opened.path().to_string_lossy().into_owned());
            give(cache, rtcrt_cache { cache: opened, path }, "cache")
        })
    }
}

/// The file of a cache: text that belongs to it.
///
/// # Safety
/// `cache` is null or a cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_cache_path(cache: *const rtcrt_cache) -> rtcrt_bytes {
    // SAFETY: this function's contract.
    unsafe { get(cache, rtcrt_bytes::EMPTY, |c| rtcrt_bytes::of_text(&c.path)) }
}

/// The bytes that are in a cache, for callers that keep them elsewhere.
///
/// # Safety
/// `cache` is a cache; `data` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_cache_data(
    cache: *const rtcrt_cache,
    data: *mut *mut rtcrt_blob,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || give(data, rtcrt_blob::new(object(cache).of("cache")?.cache.data()?), "data")) }
}

/// Writes the file of a cache: all of it or nothing.
///
/// # Safety
/// `cache` is a cache; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_cache_save(cache: *const rtcrt_cache, error: *mut *mut rtcrt_error) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || Ok(object(cache).of("cache")?.cache.save()?)) }
}

/// Frees a cache, without saving it.
///
/// # Safety
/// `cache` is null, or a cache that is not used again, nor by a compilation that is not finished.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_cache_free(cache: *mut rtcrt_cache) {
    // SAFETY: this function's contract.
    unsafe { free(cache) };
}
