//! The versions that objects report: those of the reference, whose place this library takes, and the text of our own.
#![allow(unsafe_code)] // Places of clients.

use std::ffi::c_char;

use crate::base::hresult::{E_INVALIDARG, E_OUTOFMEMORY, HResult, S_OK};
use crate::memory::string_for_client;
use crate::out::put;

/// The version of DXIL that is written and validated: clients choose options by it.
pub const MAJOR: u32 = 1;
/// The version's minor number.
pub const MINOR: u32 = rtc_tables::limits::NEWEST_MODEL;
/// A validator inside of the compiler's library.
pub const INTERNAL_VALIDATOR: u32 = 2;

/// The version as text. It begins with major and minor number, which clients read.
pub fn custom() -> String {
    format!("{MAJOR}.{MINOR}.0.0 ({})", rtc_dxil_container::vers::PRODUCER)
}

/// Writes the version.
///
/// # Safety
/// The places are null or valid.
pub unsafe fn version(major: *mut u32, minor: *mut u32) -> HResult {
    if major.is_null() || minor.is_null() {
        return E_INVALIDARG;
    }
    // SAFETY: the places are not null.
    unsafe {
        put(major, MAJOR);
        put(minor, MINOR)
    }
}

/// Writes flags.
///
/// # Safety
/// The place is null or valid.
pub unsafe fn flags(place: *mut u32, flags: u32) -> HResult {
    if place.is_null() {
        return E_INVALIDARG;
    }
    // SAFETY: the place is not null.
    unsafe { put(place, flags) }
}

/// Writes the number of commits and a hash of eight digits. A release knows neither: the hash is that of the version.
///
/// # Safety
/// The places are null or valid.
pub unsafe fn commit(count: *mut u32, hash: *mut *mut c_char) -> HResult {
    if count.is_null() || hash.is_null() {
        return E_INVALIDARG;
    }
    let digest = rtc_dxil_container::digest::md5(rtc_dxil_container::vers::PRODUCER.as_bytes());
    let digits: String = digest[..4].iter().map(|b| format!("{b:02x}")).collect();
    // SAFETY: the places are not null.
    unsafe {
        put(count, 0);
        text(hash, &digits)
    }
}

/// Gives a string that the client frees.
///
/// # Safety
/// The place is null or valid.
pub unsafe fn text(place: *mut *mut c_char, text: &str) -> HResult {
    if place.is_null() {
        return E_INVALIDARG;
    }
    let text = string_for_client(text);
    // SAFETY: the place is not null.
    unsafe { put(place, text) };
    if text.is_null() { E_OUTOFMEMORY } else { S_OK }
}
