//! The validator's library: the classes of the validator and of container building, and the two functions that clients look up by name.
//!
//! What the objects do is in `rtc-com`.
#![allow(unsafe_code)] // The exported functions of a C interface; each says what it relies on.

use std::ffi::c_void;

use rtc_com::{Counting, Guid, HResult, Library, create};

/// Counts, so that `-memory-limit` has an effect.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Creates an object of a class.
///
/// # Safety
/// The identifiers are null or point to identifiers; `out` is null or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn DxcCreateInstance(class: *const Guid, interface: *const Guid, out: *mut *mut c_void) -> HResult {
    // SAFETY: the caller's contract is that of `create`.
    unsafe { create(Library::DXIL, class, interface, out) }
}

/// Creates an object of a class. The allocator is that of this library, whatever `_allocator` is: memory that it hands out is freed by
/// its own objects, or by `CoTaskMemFree` as the interfaces say.
///
/// # Safety
/// As of [`DxcCreateInstance`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn DxcCreateInstance2(
    _allocator: *mut c_void,
    class: *const Guid,
    interface: *const Guid,
    out: *mut *mut c_void,
) -> HResult {
    // SAFETY: the caller's contract is that of `create`.
    unsafe { create(Library::DXIL, class, interface, out) }
}
