//! What all functions use: bytes, lists of texts, errors, version.

use crate::boundary::{free, get};
pub use crate::status::{rtcrt_error, rtcrt_status};
use rtc_c_common::{Text, c_text};
use std::ffi::c_char;

/// The number of the binary interface. A program was built for the library that it runs with if `rtcrt_abi_version()` returns it.
pub const RTCRT_ABI_VERSION: u32 = 1;

/// Bytes that belong to another object. Text has a zero byte after its end, which is not counted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_bytes {
    /// The first byte; never null.
    pub data: *const u8,
    /// How many.
    pub size: usize,
}

impl rtcrt_bytes {
    /// No bytes.
    pub(crate) const EMPTY: rtcrt_bytes = rtcrt_bytes { data: c"".as_ptr().cast(), size: 0 };

    pub(crate) fn of(bytes: &[u8]) -> rtcrt_bytes {
        rtcrt_bytes { data: bytes.as_ptr(), size: bytes.len() }
    }

    pub(crate) fn of_text(text: &Text) -> rtcrt_bytes {
        rtcrt_bytes { data: text.data(), size: text.size() }
    }
}

/// A list of texts.
pub struct rtcrt_texts {
    texts: Vec<Text>,
    pointers: Vec<*const c_char>,
}

impl rtcrt_texts {
    pub(crate) fn new<S: AsRef<str>>(all: impl IntoIterator<Item = S>) -> rtcrt_texts {
        let texts: Vec<Text> = all.into_iter().map(|t| Text::new(t.as_ref())).collect();
        let pointers = texts.iter().map(|t| t.data().cast()).collect();
        rtcrt_texts { texts, pointers }
    }
}

/// `RTCRT_ABI_VERSION` of the library.
#[unsafe(no_mangle)]
pub extern "C" fn rtcrt_abi_version() -> u32 {
    RTCRT_ABI_VERSION
}

/// The version of the library, as text that is always there.
#[unsafe(no_mangle)]
pub extern "C" fn rtcrt_version() -> *const c_char {
    const VERSION: &std::ffi::CStr = c_text(concat!(env!("CARGO_PKG_VERSION"), "\0"));
    VERSION.as_ptr()
}

/// The message of an error, with its notes in further lines: text that belongs to the error.
///
/// # Safety
/// `error` is null or an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_error_message(error: *const rtcrt_error) -> rtcrt_bytes {
    // SAFETY: this function's contract.
    unsafe { get(error, rtcrt_bytes::EMPTY, |e| rtcrt_bytes::of_text(&e.message)) }
}

/// The status that the function returned.
///
/// # Safety
/// `error` is null or an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_error_status(error: *const rtcrt_error) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { get(error, rtcrt_status::Ok, |e| e.status) }
}

/// Frees an error.
///
/// # Safety
/// `error` is null, or an error that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_error_free(error: *mut rtcrt_error) {
    // SAFETY: this function's contract.
    unsafe { free(error) };
}

/// How many texts a list has.
///
/// # Safety
/// `texts` is null or a list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_texts_count(texts: *const rtcrt_texts) -> usize {
    // SAFETY: this function's contract.
    unsafe { get(texts, 0, |t| t.texts.len()) }
}

/// A text of a list; empty if there is none of this number.
///
/// # Safety
/// `texts` is null or a list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_texts_at(texts: *const rtcrt_texts, index: usize) -> rtcrt_bytes {
    // SAFETY: this function's contract.
    unsafe { get(texts, rtcrt_bytes::EMPTY, |t| t.texts.get(index).map_or(rtcrt_bytes::EMPTY, rtcrt_bytes::of_text)) }
}

/// All texts, each ended by a zero byte, as `ppEnabledExtensionNames` has them.
///
/// # Safety
/// `texts` is null or a list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_texts_data(texts: *const rtcrt_texts) -> *const *const c_char {
    // SAFETY: this function's contract.
    unsafe { get(texts, std::ptr::null(), |t| t.pointers.as_ptr()) }
}

/// Frees a list.
///
/// # Safety
/// `texts` is null, or a list that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_texts_free(texts: *mut rtcrt_texts) {
    // SAFETY: this function's contract.
    unsafe { free(texts) };
}
