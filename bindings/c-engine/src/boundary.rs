//! The boundary to C: what all libraries with a C interface do, with statuses and messages of this one.

pub(crate) use crate::status::Failure;
pub(crate) use rtc_c_common::{bytes, bytes_mut, free, object, slice, text};

use crate::status::{rtcrt_error, rtcrt_status};
use rtc_c_common::{Invalid, caught};
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// An argument that is not valid.
pub(crate) fn invalid(why: impl Into<String>) -> Failure {
    Failure { status: rtcrt_status::InvalidArgument, message: why.into() }
}

/// Names the argument that is not valid.
pub(crate) trait Of<T> {
    fn of(self, argument: &str) -> Result<T, Failure>;
}

impl<T> Of<T> for Result<T, Invalid> {
    fn of(self, argument: &str) -> Result<T, Failure> {
        self.map_err(|Invalid(why)| invalid(format!("`{argument}` {why}")))
    }
}

/// Runs the body of a function, and stores why it failed.
///
/// # Safety
/// `error` is null or can be written.
pub(crate) unsafe fn guarded(error: *mut *mut rtcrt_error, body: impl FnOnce() -> Result<(), Failure>) -> rtcrt_status {
    let panicked = Failure {
        status: rtcrt_status::Internal,
        message: "a mistake of librtcrt: a panic, of which the standard error output has more".into(),
    };
    let (status, made) = match caught(Err(panicked), body) {
        Ok(()) => (rtcrt_status::Ok, std::ptr::null_mut()),
        Err(failure) if error.is_null() => (failure.status, std::ptr::null_mut()),
        Err(failure) => (failure.status, rtcrt_error::boxed(failure)),
    };
    if !error.is_null() && error.is_aligned() {
        // SAFETY: the caller's promise; it is not null. What was there is not read.
        unsafe { error.write(made) };
    }
    status
}

/// Stores an object for the caller, which frees it.
///
/// # Safety
/// `to` is null or can be written.
pub(crate) unsafe fn give<T>(to: *mut *mut T, value: T, argument: &str) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe { rtc_c_common::give(to, value) }.of(argument)
}

/// Stores a value for the caller.
///
/// # Safety
/// `to` is null or can be written.
pub(crate) unsafe fn put<T>(to: *mut T, value: T, argument: &str) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe { rtc_c_common::put(to, value) }.of(argument)
}

/// What `f` says about an object, `otherwise` of none.
///
/// # Safety
/// `from` is null or an object that lives during the call, and during `'a` if the result refers to it.
pub(crate) unsafe fn get<'a, T: 'a, R>(from: *const T, otherwise: R, f: impl FnOnce(&'a T) -> R) -> R {
    // SAFETY: the caller's promise.
    match unsafe { object(from) } {
        Ok(from) => caught(None, || Some(f(from))).unwrap_or(otherwise),
        Err(_) => otherwise,
    }
}

/// Objects of the caller, of which none is null.
///
/// # Safety
/// `list` is null or points to `count` objects that are not freed during `'a`.
pub(crate) unsafe fn objects<'a, T>(list: *const *const T, count: usize, argument: &str) -> Result<Vec<&'a T>, Failure> {
    // SAFETY: the caller's promise.
    let list = unsafe { slice(list, count) }.of(argument)?;
    // SAFETY: likewise.
    list.iter().enumerate().map(|(i, o)| unsafe { object(*o) }.of(&format!("{argument}[{i}]"))).collect()
}

/// Texts of the caller.
///
/// # Safety
/// `list` is null or points to `count` texts that do not change during `'a`.
pub(crate) unsafe fn texts<'a>(list: *const *const std::ffi::c_char, count: usize, argument: &str) -> Result<Vec<&'a str>, Failure> {
    // SAFETY: the caller's promise.
    let list = unsafe { slice(list, count) }.of(argument)?;
    // SAFETY: likewise.
    list.iter().enumerate().map(|(i, t)| unsafe { text(*t) }.of(&format!("{argument}[{i}]"))).collect()
}

/// Text of the caller; null is none.
///
/// # Safety
/// As [`text`].
pub(crate) unsafe fn optional_text<'a>(at: *const std::ffi::c_char, argument: &str) -> Result<Option<&'a str>, Failure> {
    // SAFETY: the caller's promise.
    if at.is_null() { Ok(None) } else { unsafe { text(at) }.of(argument).map(Some) }
}

/// A structure that begins with its size.
///
/// # Safety
/// It begins with a `usize`, and zero is a value of each of its members.
pub(crate) unsafe trait HasSize: Copy {
    /// The sizes that it had before members were added at its end.
    const OLDER_SIZES: &'static [usize] = &[];
}

/// A structure of the caller that begins with its size. Members that an older one does not have are zero.
///
/// # Safety
/// `at` is null or points to a size, and to a structure if that is its size.
pub(crate) unsafe fn structure<T: HasSize>(at: *const T, argument: &str) -> Result<T, Failure> {
    // SAFETY: the caller's promise.
    let size = *unsafe { object(at.cast::<usize>()) }.of(argument)?;
    if size != size_of::<T>() && !T::OLDER_SIZES.contains(&size) {
        return Err(invalid(format!("`{argument}` has {size} in its member `size`, which must be {}", size_of::<T>())));
    }
    let mut out = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: the caller's promise; an older size is a smaller one. What is not copied is zero, which is a value of every member.
    unsafe {
        std::ptr::copy_nonoverlapping(at.cast::<u8>(), out.as_mut_ptr().cast::<u8>(), size.min(size_of::<T>()));
        Ok(out.assume_init())
    }
}

/// Stores values for the caller. `count` says for how many there is room in `list`; afterwards it is how many there are.
///
/// # Safety
/// `list` is null or points to `count` values that can be written; `count` is null or can be read and written.
pub(crate) unsafe fn put_list<T: Copy>(list: *mut T, count: *mut usize, found: &[T], argument: &str) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        let room = *object(count.cast_const()).of("count")?;
        if found.len() > room || list.is_null() && !found.is_empty() {
            return Err(invalid(format!("`{argument}` has room for {room} numbers, there are {}", found.len())));
        }
        for (i, n) in found.iter().enumerate() {
            put(list.add(i), *n, argument)?;
        }
        put(count, found.len(), "count")
    }
}

/// The variant of an enumeration with a number.
pub(crate) fn variant<E: Copy>(all: &[E], number: u32, as_number: impl Fn(E) -> u32, argument: &str) -> Result<E, Failure> {
    let found = all.iter().copied().find(|e| as_number(*e) == number);
    found.ok_or_else(|| invalid(format!("`{argument}` is {number}, which means nothing")))
}

/// A dispatchable handle of Vulkan as a number.
pub(crate) fn number(handle: *const c_void) -> u64 {
    handle.expose_provenance() as u64
}

fn busy(argument: &str) -> Failure {
    Failure { status: rtcrt_status::Busy, message: format!("`{argument}` is in use by another thread, or given twice in this call") }
}

/// An object to change.
pub(crate) fn lock<'a, T>(of: &'a Mutex<T>, argument: &str) -> Result<MutexGuard<'a, T>, Failure> {
    match of.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => Err(busy(argument)),
    }
}

/// An object to look at.
pub(crate) fn read<'a, T>(of: &'a RwLock<T>, argument: &str) -> Result<RwLockReadGuard<'a, T>, Failure> {
    match of.try_read() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => Err(busy(argument)),
    }
}

/// An object to change that others look at.
pub(crate) fn write<'a, T>(of: &'a RwLock<T>, argument: &str) -> Result<RwLockWriteGuard<'a, T>, Failure> {
    match of.try_write() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => Err(busy(argument)),
    }
}
