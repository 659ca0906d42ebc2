//! The boundary to C: arguments are checked, panics are caught.

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why an argument is not valid: words after its name, such as "is null".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invalid(pub &'static str);

const NULL: Invalid = Invalid("is null");
const NOT_ALIGNED: Invalid = Invalid("is not aligned");
const TOO_LONG: Invalid = Invalid("is longer than any object can be");

/// Runs the body of a function, `otherwise` after a panic. What the body owns is dropped then, and nothing unwinds into the caller.
pub fn caught<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// Values of the caller; null is allowed for none.
///
/// # Errors
/// The pointer cannot be one to so many values.
///
/// # Safety
/// `data` is null, or points to `count` values that are readable and do not change during `'a`.
pub unsafe fn slice<'a, T>(data: *const T, count: usize) -> Result<&'a [T], Invalid> {
    if count == 0 {
        return Ok(&[]);
    }
    check(data)?;
    if count.checked_mul(size_of::<T>()).is_none_or(|size| size > isize::MAX as usize) {
        return Err(TOO_LONG);
    }
    // SAFETY: the caller's promise; it is not null, aligned, and not larger than an object can be.
    Ok(unsafe { std::slice::from_raw_parts(data, count) })
}

/// Bytes of the caller; null is allowed for none.
///
/// # Errors
/// See [`slice()`].
///
/// # Safety
/// `data` is null, or points to `size` bytes that are readable and do not change during `'a`.
pub unsafe fn bytes<'a>(data: *const u8, size: usize) -> Result<&'a [u8], Invalid> {
    // SAFETY: the caller's promise.
    unsafe { slice(data, size) }
}

/// Bytes of the caller to change; null is allowed for none.
///
/// # Errors
/// See [`slice()`].
///
/// # Safety
/// `data` is null, or points to `size` bytes that nothing else uses during `'a`.
pub unsafe fn bytes_mut<'a>(data: *mut u8, size: usize) -> Result<&'a mut [u8], Invalid> {
    if size == 0 {
        return Ok(&mut []);
    }
    check(data)?;
    if size > isize::MAX as usize {
        return Err(TOO_LONG);
    }
    // SAFETY: the caller's promise; it is not null and not larger than an object can be.
    Ok(unsafe { std::slice::from_raw_parts_mut(data, size) })
}

/// Text of the caller that ends with a zero byte.
///
/// # Errors
/// It is null or not UTF-8.
///
/// # Safety
/// `text` is null, or points to bytes that end with a zero and do not change during `'a`.
pub unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, Invalid> {
    if text.is_null() {
        return Err(NULL);
    }
    // SAFETY: the caller's promise; it is not null.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Invalid("is not UTF-8"))
}

/// An object of the caller.
///
/// # Errors
/// It is null or not aligned.
///
/// # Safety
/// `object` is null, or points to a `T` that is not freed during `'a`.
pub unsafe fn object<'a, T>(object: *const T) -> Result<&'a T, Invalid> {
    check(object)?;
    // SAFETY: the caller's promise; it is not null.
    Ok(unsafe { &*object })
}

/// Stores an object for the caller, which frees it.
///
/// # Errors
/// There is no place for it; it is dropped.
///
/// # Safety
/// `to` is null or can be written.
pub unsafe fn give<T>(to: *mut *mut T, value: T) -> Result<(), Invalid> {
    check(to)?;
    // SAFETY: the caller's promise.
    unsafe { put(to, Box::into_raw(Box::new(value))) }
}

/// Stores a value for the caller.
///
/// # Errors
/// There is no place for it.
///
/// # Safety
/// `to` is null or can be written.
pub unsafe fn put<T>(to: *mut T, value: T) -> Result<(), Invalid> {
    check(to)?;
    // SAFETY: the caller's promise; it is not null. What was there is not read.
    unsafe { to.write(value) };
    Ok(())
}

/// Frees an object; null is nothing.
///
/// # Safety
/// `object` is null, or came from [`give`] and is not used again.
pub unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: `give` made it of a box of this type, and the caller gives it up.
        let owned = unsafe { Box::from_raw(object) };
        caught((), || drop(owned));
    }
}

fn check<T>(pointer: *const T) -> Result<(), Invalid> {
    match (pointer.is_null(), pointer.is_aligned()) {
        (true, _) => Err(NULL),
        (false, true) => Ok(()),
        (false, false) => Err(NOT_ALIGNED),
    }
}

/// A text of the program that ends with a zero byte; an empty one of any other.
pub const fn c_text(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => c"",
    }
}

/// Bytes with a zero byte after them, for programs that read text to a zero.
#[derive(Clone, Debug)]
pub struct Text(Box<[u8]>);

impl Text {
    /// A copy of bytes with a zero after them.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Text {
        let mut bytes = bytes.into();
        bytes.push(0);
        Text(bytes.into_boxed_slice())
    }

    /// The first byte.
    pub fn data(&self) -> *const u8 {
        self.0.as_ptr()
    }

    /// How many bytes, without the zero.
    pub fn size(&self) -> usize {
        self.0.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_with_a_zero_that_is_not_counted() {
        assert_eq!(Text::new("abc").size(), 3);
        assert_eq!(Text::new("").size(), 0);
    }

    #[test]
    fn arguments_that_cannot_be() {
        let word = [1u32, 2];
        let odd = word.as_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
        // SAFETY: what is not null and aligned is valid.
        unsafe {
            assert_eq!(slice(word.as_ptr(), 2), Ok(&word[..]));
            assert_eq!(slice::<u32>(std::ptr::null(), 0), Ok(&[][..]));
            assert_eq!(slice::<u32>(std::ptr::null(), 1), Err(NULL));
            assert_eq!(slice(odd, 1), Err(NOT_ALIGNED));
            assert!(slice(word.as_ptr(), usize::MAX / 2).is_err());
            assert_eq!(object::<u32>(std::ptr::null()), Err(NULL));
            assert_eq!(object(odd), Err(NOT_ALIGNED));
            assert_eq!(text(c"\xff".as_ptr()), Err(Invalid("is not UTF-8")));
            assert_eq!(text(std::ptr::null()), Err(NULL));
            assert_eq!(give(std::ptr::null_mut(), 1), Err(NULL));
            let mut made = std::ptr::null_mut();
            give(&mut made, 7).unwrap();
            assert_eq!(object(made), Ok(&7));
            free(made);
            free::<u32>(std::ptr::null_mut());
        }
        assert_eq!(caught(1, || std::panic::resume_unwind(Box::new("caught"))), 1);
    }
}
