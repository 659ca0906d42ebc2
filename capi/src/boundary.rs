//! The boundary to C: arguments are checked, panics are caught.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use crate::types::rtc_status;

/// Runs the body of a function. A panic becomes a status; what it owns is dropped, and locks are never poisoned.
pub(crate) fn guarded(body: impl FnOnce() -> Result<rtc_status, rtc_status>) -> rtc_status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status) | Err(status)) => status,
        Err(_) => rtc_status::Internal,
    }
}

/// Runs the body of a function that returns a value, `otherwise` after a panic.
pub(crate) fn guarded_value<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// Bytes of the caller; null is allowed for none.
///
/// # Safety
/// `data` is null, or points to `size` bytes that are readable and do not change during `'a`.
pub(crate) unsafe fn bytes<'a>(data: *const u8, size: usize) -> Result<&'a [u8], rtc_status> {
    match (data.is_null(), size) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(rtc_status::InvalidArgument),
        (false, size) if size > isize::MAX as usize => Err(rtc_status::InvalidArgument),
        // SAFETY: the caller's promise; it is not null and not larger than an object can be.
        (false, size) => Ok(unsafe { slice::from_raw_parts(data, size) }),
    }
}

/// Text of the caller that ends with a zero byte.
///
/// # Safety
/// `text` is null, or points to bytes that end with a zero and do not change during `'a`.
pub(crate) unsafe fn text<'a>(text: *const std::ffi::c_char) -> Result<&'a str, rtc_status> {
    if text.is_null() {
        return Err(rtc_status::InvalidArgument);
    }
    // SAFETY: the caller's promise; it is not null.
    let text = unsafe { std::ffi::CStr::from_ptr(text) };
    text.to_str().map_err(|_| rtc_status::InvalidArgument)
}

/// An object of the caller.
///
/// # Safety
/// `object` is null, or came from this library and is not freed during `'a`.
pub(crate) unsafe fn object<'a, T>(object: *const T) -> Result<&'a T, rtc_status> {
    // SAFETY: the caller's promise.
    unsafe { object.as_ref() }.ok_or(rtc_status::InvalidArgument)
}

/// Stores an object for the caller, which frees it.
///
/// # Safety
/// `to` is null or can be written.
pub(crate) unsafe fn give<T>(to: *mut *mut T, value: T) -> Result<(), rtc_status> {
    if to.is_null() {
        return Err(rtc_status::InvalidArgument);
    }
    // SAFETY: the caller's promise.
    unsafe { put(to, Box::into_raw(Box::new(value))) }
}

/// Stores a value for the caller.
///
/// # Safety
/// `to` is null or can be written.
pub(crate) unsafe fn put<T>(to: *mut T, value: T) -> Result<(), rtc_status> {
    if to.is_null() {
        return Err(rtc_status::InvalidArgument);
    }
    // SAFETY: the caller's promise; it is not null. What was there is not read.
    unsafe { to.write(value) };
    Ok(())
}

/// Frees an object; null is nothing.
///
/// # Safety
/// `object` is null, or came from [`give`] and is not used again.
pub(crate) unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: `give` made it of a box of this type, and the caller gives it up.
        let owned = unsafe { Box::from_raw(object) };
        guarded_value((), || drop(owned));
    }
}
