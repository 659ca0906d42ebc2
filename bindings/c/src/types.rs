//! What all functions use: status, bytes, version.

use rtc_c_common::{Text, c_text};
use std::ffi::c_char;

/// The number of the binary interface. A program was built for the library that it runs with if `rtc_abi_version()` returns it.
pub const RTC_ABI_VERSION: u32 = 1;

/// The outcome of a function.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtc_status {
    /// Success.
    Ok = 0,
    /// The input has mistakes: diagnostics of the result say which, or the message of the result or error.
    Failed = 1,
    /// An argument of the call is not valid: a null pointer, an index that is too large, text that is not UTF-8.
    InvalidArgument = 2,
    /// There is no such output.
    NotFound = 3,
    /// The job was cancelled.
    Cancelled = 4,
    /// The job took longer than its limit.
    TimeLimit = 5,
    /// The job took more memory than its limit, or there is none.
    MemoryLimit = 6,
    /// A mistake of the compiler; the message says what to report.
    Internal = 7,
}

/// Bytes that belong to another object. Text has a zero byte after its end, which is not counted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtc_bytes {
    /// The first byte; never null.
    pub data: *const u8,
    /// How many.
    pub size: usize,
}

impl rtc_bytes {
    /// No bytes.
    pub(crate) const EMPTY: rtc_bytes = rtc_bytes { data: c"".as_ptr().cast(), size: 0 };

    /// Bytes of an object that ends with a zero byte that is not counted.
    pub(crate) fn of(text: &Text) -> rtc_bytes {
        rtc_bytes { data: text.data(), size: text.size() }
    }
}

/// `RTC_ABI_VERSION` of the library.
#[unsafe(no_mangle)]
pub extern "C" fn rtc_abi_version() -> u32 {
    RTC_ABI_VERSION
}

/// The version of the compiler, as text that is always there.
#[unsafe(no_mangle)]
pub extern "C" fn rtc_version() -> *const c_char {
    const VERSION: &std::ffi::CStr = c_text(concat!(env!("CARGO_PKG_VERSION"), "\0"));
    VERSION.as_ptr()
}
