//! Streams that read a blob.
#![allow(unsafe_code)] // Buffers of clients.

use std::sync::{Mutex, PoisonError};

use crate::base::guard::Raw;
use crate::base::guid::Guid;
use crate::base::hresult::{E_FAIL, E_INVALIDARG, E_NOTIMPL, E_POINTER, HResult, S_OK};
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::blob::bytes_of;
use crate::interfaces::*;
use crate::out::put;

/// A stream over the bytes of a blob.
pub struct Stream {
    blob: Ref<IDxcBlob>,
    position: Mutex<u64>,
}

impl Class for Stream {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&IStream::of::<Stream>(), &[IStream::IID, ISequentialStream::IID])];
}

impl Stream {
    /// A stream at the blob's first byte.
    pub fn over(blob: Ref<IDxcBlob>) -> Ref<IStream> {
        Ref::new(Stream { blob, position: Mutex::new(0) })
    }
}

impl ISequentialStreamMethods for Stream {
    unsafe fn read(&self, data: *mut u8, size: u32, done: *mut u32) -> HResult {
        if data.is_null() && size != 0 {
            return E_POINTER;
        }
        let bytes = bytes_of(&self.blob);
        let mut position = self.position.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = bytes.get(*position as usize..).unwrap_or_default();
        let count = rest.len().min(size as usize);
        // SAFETY: the buffer has `size` bytes, the blob as many from the position on; the place is null or valid.
        unsafe {
            if count != 0 {
                data.copy_from_nonoverlapping(rest.as_ptr(), count);
            }
            put(done, count as u32);
        }
        *position += count as u64;
        S_OK
    }

    unsafe fn write(&self, _: *const u8, _: u32, _: *mut u32) -> HResult {
        // STG_E_ACCESSDENIED.
        0x8003_0005_u32 as HResult
    }
}

impl IStreamMethods for Stream {
    unsafe fn seek(&self, distance: i64, origin: u32, place: *mut u64) -> HResult {
        let size = bytes_of(&self.blob).len() as u64;
        let mut position = self.position.lock().unwrap_or_else(PoisonError::into_inner);
        let from = match origin {
            0 => 0,
            1 => *position,
            2 => size,
            _ => return E_INVALIDARG,
        };
        let Some(to) = from.checked_add_signed(distance).filter(|to| *to <= size) else { return E_INVALIDARG };
        *position = to;
        // SAFETY: the place is null or valid.
        unsafe { put(place, to) };
        S_OK
    }

    unsafe fn set_size(&self, _: u64) -> HResult {
        E_FAIL
    }

    unsafe fn copy_to(&self, _: Raw, _: u64, _: *mut u64, _: *mut u64) -> HResult {
        E_NOTIMPL
    }

    unsafe fn commit(&self, _: u32) -> HResult {
        E_NOTIMPL
    }

    unsafe fn revert(&self) -> HResult {
        E_NOTIMPL
    }

    unsafe fn lock_region(&self, _: u64, _: u64, _: u32) -> HResult {
        E_NOTIMPL
    }

    unsafe fn unlock_region(&self, _: u64, _: u64, _: u32) -> HResult {
        E_NOTIMPL
    }

    unsafe fn stat(&self, status: *mut StatStg, _: u32) -> HResult {
        let filled = StatStg {
            name: std::ptr::null_mut(),
            kind: 2,
            size: bytes_of(&self.blob).len() as u64,
            times: [0; 3],
            mode: 0,
            locks: 0,
            class: Guid(0, 0, 0, [0; 8]),
            state: 0,
            reserved: 0,
        };
        // SAFETY: the place is null or valid.
        unsafe { put(status, filled) }
    }

    unsafe fn clone_stream(&self, _: Out) -> HResult {
        E_NOTIMPL
    }
}
