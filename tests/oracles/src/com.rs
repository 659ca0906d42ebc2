//! Calling the reference compiler's interfaces.
//!
//! They are COM in shape, as an older Linux build lays it out: an object starts with a pointer to a table of functions;
//! the first three are QueryInterface, AddRef and Release; then, unlike on Windows, **two destructor entries**; then the
//! methods of the interface, base interfaces first. Wide characters are four bytes. A `Com` owns one reference.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

/// An interface or class identifier, in the memory layout that the interfaces use.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Guid(pub u32, pub u16, pub u16, pub [u8; 8]);

/// A result code: negative is failure.
pub type HResult = i32;

/// A function that creates an object: class, interface, and where the pointer goes.
pub type CreateInstance = unsafe extern "C" fn(*const Guid, *const Guid, *mut *mut c_void) -> HResult;

/// Table entry of the first method after those that every interface has.
const FIRST_METHOD: usize = 5;
/// Table entry of Release.
const RELEASE: usize = 2;

type ReleaseFn = unsafe extern "C" fn(*mut c_void) -> std::ffi::c_ulong;
type PointerFn = unsafe extern "C" fn(*mut c_void) -> *const u8;
type SizeFn = unsafe extern "C" fn(*mut c_void) -> usize;

/// An owned reference to an object, seen through one interface.
#[derive(Debug)]
pub struct Com(NonNull<c_void>);

// SAFETY: a reference may move to another thread: counts are atomic and the library keeps no thread's state in its objects.
// It is not `Sync`; `Dxc` serialises the calls.
unsafe impl Send for Com {}

impl Com {
    /// Takes over the reference that a method has put into an out parameter.
    ///
    /// # Safety
    /// `raw` is null or a pointer to an object whose reference the caller owns.
    pub unsafe fn from_raw(raw: *mut c_void) -> Option<Com> {
        NonNull::new(raw).map(Com)
    }

    /// The pointer to hand to methods that borrow the object.
    pub fn raw(&self) -> *mut c_void {
        self.0.as_ptr()
    }

    /// The method with this number, counted from the first one that the interface (or its bases) adds.
    ///
    /// # Safety
    /// `F` is the method's signature as an `extern "C"` function pointer whose first parameter is the object.
    pub unsafe fn method<F: Copy>(&self, number: usize) -> F {
        // SAFETY: forwarded from the caller.
        unsafe { self.entry(FIRST_METHOD + number) }
    }

    /// One entry of the function table.
    ///
    /// # Safety
    /// The table has that entry and it is a function of type `F`.
    unsafe fn entry<F: Copy>(&self, index: usize) -> F {
        const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
        // SAFETY: every object starts with a pointer to its function table; the caller vouches for index and type.
        unsafe {
            let table = *self.0.as_ptr().cast::<*const *const c_void>();
            ptr::read(table.add(index).cast::<F>())
        }
    }
}

impl Drop for Com {
    fn drop(&mut self) {
        // SAFETY: Release has this signature in every interface, and this value owns the reference that it gives up.
        unsafe {
            let release: ReleaseFn = self.entry(RELEASE);
            release(self.raw());
        }
    }
}

/// An out parameter: runs `call` with the place for a pointer and takes over what it left there.
///
/// # Safety
/// `call` stores null or an owned reference.
pub unsafe fn out(call: impl FnOnce(*mut *mut c_void) -> HResult) -> Result<Option<Com>, HResult> {
    let mut raw = ptr::null_mut();
    let code = call(&mut raw);
    // SAFETY: forwarded from the caller.
    let object = unsafe { Com::from_raw(raw) };
    if code < 0 { Err(code) } else { Ok(object) }
}

/// The bytes of a blob interface.
///
/// # Safety
/// `blob` was obtained as an IDxcBlob or an interface derived from it.
pub unsafe fn blob_bytes(blob: &Com) -> Vec<u8> {
    // SAFETY: a blob's first two methods are GetBufferPointer and GetBufferSize; the memory lives as long as the blob.
    unsafe {
        let pointer: PointerFn = blob.method(0);
        let size: SizeFn = blob.method(1);
        let (data, len) = (pointer(blob.raw()), size(blob.raw()));
        if data.is_null() || len == 0 { Vec::new() } else { std::slice::from_raw_parts(data, len).to_vec() }
    }
}

/// A NUL-terminated string of four-byte characters.
pub fn wide(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).chain([0]).collect()
}
