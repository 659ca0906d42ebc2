//! Places for results: written once, with the reference that a client then owns.
#![allow(unsafe_code)] // Places of clients.

use crate::base::guid::Guid;
use crate::base::hresult::{E_NOINTERFACE, E_POINTER, HResult, S_OK};
use crate::base::interface::{IUnknown, Interface};
use crate::base::reference::Ref;
use crate::call;
use crate::interfaces::Out;

/// Writes a value to a place, unless it is null.
///
/// # Safety
/// `place` is null or a place for a value.
pub unsafe fn put<T>(place: *mut T, value: T) -> HResult {
    if place.is_null() {
        return E_POINTER;
    }
    // SAFETY: the place is not null.
    unsafe { place.write_unaligned(value) };
    S_OK
}

/// Gives an object to a client, or the error with a null pointer.
///
/// # Safety
/// `out` is null or a place for a pointer.
pub unsafe fn give<I: Interface>(out: Out, object: Result<Ref<I>, HResult>) -> HResult {
    if out.is_null() {
        return E_POINTER;
    }
    let (raw, code) = match object {
        Ok(object) => (object.give(), S_OK),
        Err(code) => (std::ptr::null_mut(), code),
    };
    // SAFETY: the place is not null.
    unsafe { out.write_unaligned(raw) };
    code
}

/// Gives an object through the interface that a client asks for; null if it does not have it.
///
/// # Safety
/// `iid` is null or an identifier, `out` null or a place for a pointer.
pub unsafe fn give_as<I: Interface>(iid: *const Guid, out: Out, object: Result<Ref<I>, HResult>) -> HResult {
    if out.is_null() || iid.is_null() {
        return E_POINTER;
    }
    // SAFETY: the place is not null.
    unsafe { out.write_unaligned(std::ptr::null_mut()) };
    let object = match object {
        Ok(object) => object,
        Err(code) => return code,
    };
    // SAFETY: every interface begins with IUnknown; the reference is owned.
    let Some(object) = (unsafe { Ref::<IUnknown>::take(object.give()) }) else { return E_NOINTERFACE };
    // SAFETY: identifier and place are not null.
    unsafe { call!(object, query_interface(iid, out)) }
}
