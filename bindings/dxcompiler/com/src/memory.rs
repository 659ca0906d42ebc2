//! The memory of blobs, and the memory that clients free.
#![allow(unsafe_code)] // Memory of clients and for clients.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::{c_char, c_void};
use std::ptr::NonNull;

use crate::base::reference::Ref;
use crate::call;
use crate::interfaces::{IDxcBlob, IMalloc};
use crate::wide::{WChar, encode};

/// Bytes that live as long as this value, wherever they are. Clients may change them, so nothing here refers to them for longer than a
/// call.
pub struct Memory {
    data: NonNull<u8>,
    size: usize,
    origin: Origin,
}

/// The owner of the bytes.
enum Origin {
    /// This value, in an allocation of this size.
    Heap(Layout),
    /// The client, which keeps them alive.
    Pinned,
    /// This value; an allocator of the client frees them, or without one that of the process. They begin here.
    Malloc(Option<Ref<IMalloc>>, NonNull<u8>),
    /// Another blob.
    Blob(#[allow(dead_code)] Ref<IDxcBlob>),
}

// SAFETY: the pointer refers to memory that is owned, or kept alive by what is owned; it is not bound to a thread.
unsafe impl Send for Memory {}
// SAFETY: bytes are read, unless a client writes them, which then must not share them.
unsafe impl Sync for Memory {}

/// Zeros after the bytes of a copy, so that a text ends in every width of characters.
const ZEROS: usize = 4;

impl Memory {
    /// A copy of `bytes`, and `more` zeros that are counted. `None` if there is no memory.
    pub fn copy(bytes: &[u8], more: usize) -> Option<Memory> {
        let size = bytes.len().checked_add(more)?;
        let layout = Layout::from_size_align(size.checked_add(ZEROS)?, 16).ok()?;
        // SAFETY: the layout has a size; the allocation holds the bytes.
        unsafe {
            let data = NonNull::new(alloc_zeroed(layout))?;
            data.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            Some(Memory { data, size, origin: Origin::Heap(layout) })
        }
    }

    /// The bytes of a client.
    ///
    /// # Safety
    /// `data` has `size` bytes as long as the result lives.
    pub unsafe fn pinned(data: *const c_void, size: usize) -> Option<Memory> {
        NonNull::new(data.cast_mut().cast()).map(|data| Memory { data, size, origin: Origin::Pinned })
    }

    /// Bytes of a client's allocator, or of CoTaskMemAlloc, which the result frees. It has those from `skip` to `size`.
    ///
    /// # Safety
    /// `data` was allocated so with at least `size` bytes, and the caller gives it up; `skip` is at most `size`.
    pub unsafe fn moved(data: *const c_void, skip: usize, size: usize, malloc: Option<Ref<IMalloc>>) -> Option<Memory> {
        let base = NonNull::new(data.cast_mut().cast::<u8>())?;
        // SAFETY: the allocation has these bytes.
        Some(Memory { data: unsafe { base.add(skip) }, size: size - skip, origin: Origin::Malloc(malloc, base) })
    }

    /// A part of another blob. `None` if the blob does not have these bytes.
    pub fn part(blob: &Ref<IDxcBlob>, offset: usize, size: usize) -> Option<Memory> {
        // SAFETY: a blob has the bytes that it says it has.
        unsafe {
            let (data, all) = (call!(blob, get_buffer_pointer()), call!(blob, get_buffer_size()));
            if offset.checked_add(size)? > all {
                return None;
            }
            let Some(data) = NonNull::new(data.cast::<u8>()) else { return Memory::copy(&[], 0).filter(|_| size == 0) };
            Some(Memory { data: data.add(offset), size, origin: Origin::Blob(blob.clone()) })
        }
    }

    /// Where the bytes begin.
    pub fn pointer(&self) -> *mut c_void {
        self.data.as_ptr().cast()
    }

    /// The number of bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the memory has as many bytes, and clients do not write during a call.
        unsafe { std::slice::from_raw_parts(self.data.as_ptr(), self.size) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        match &self.origin {
            // SAFETY: the allocation was made with this layout.
            Origin::Heap(layout) => unsafe { dealloc(self.data.as_ptr(), *layout) },
            // SAFETY: this allocator made it.
            Origin::Malloc(Some(malloc), base) => unsafe { call!(malloc, free(base.as_ptr().cast())) },
            // SAFETY: the allocator of tasks made it.
            Origin::Malloc(None, base) => unsafe { task_free(base.as_ptr().cast()) },
            Origin::Pinned | Origin::Blob(_) => {}
        }
    }
}

#[cfg(not(windows))]
unsafe extern "C" {
    #[link_name = "malloc"]
    fn task_alloc(size: usize) -> *mut c_void;
    #[link_name = "free"]
    fn task_free(memory: *mut c_void);
}

#[cfg(windows)]
#[link(name = "ole32")]
unsafe extern "system" {
    #[link_name = "CoTaskMemAlloc"]
    fn task_alloc(size: usize) -> *mut c_void;
    #[link_name = "CoTaskMemFree"]
    fn task_free(memory: *mut c_void);
}

/// Memory that a client frees with CoTaskMemFree, which is `free` on Linux.
fn for_client(bytes: &[u8]) -> *mut u8 {
    // SAFETY: the allocation has at least one byte and holds the bytes.
    unsafe {
        let data = task_alloc(bytes.len().max(1)).cast::<u8>();
        if !data.is_null() {
            data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        data
    }
}

fn with_nul(text: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = text.bytes().filter(|b| *b != 0).collect();
    bytes.push(0);
    bytes
}

/// A string that a client frees; null if there is no memory.
pub fn string_for_client(text: &str) -> *mut c_char {
    for_client(&with_nul(text)).cast()
}

fn wide_bytes(text: &str) -> Vec<u8> {
    encode(text).into_iter().chain([0]).flat_map(WChar::to_ne_bytes).collect()
}

/// A wide string that a client frees; null if there is no memory.
pub fn wide_for_client(text: &str) -> *mut WChar {
    for_client(&wide_bytes(text)).cast()
}

/// A BSTR, which a client frees with SysFreeString: on Linux an allocation that begins with the length in bytes.
#[cfg(not(windows))]
pub fn bstr_for_client(text: &str) -> *mut WChar {
    let text = wide_bytes(text);
    let length = (text.len() - size_of::<WChar>()) as u32;
    let block = for_client(&[&length.to_ne_bytes()[..], &text].concat());
    // SAFETY: the allocation is longer than the length field.
    if block.is_null() { std::ptr::null_mut() } else { unsafe { block.add(4).cast() } }
}

/// A BSTR, which a client frees with SysFreeString.
#[cfg(windows)]
pub fn bstr_for_client(text: &str) -> *mut WChar {
    #[link(name = "oleaut32")]
    unsafe extern "system" {
        fn SysAllocStringLen(text: *const WChar, length: u32) -> *mut WChar;
    }
    let text = encode(text);
    // SAFETY: the text has as many characters.
    unsafe { SysAllocStringLen(text.as_ptr(), text.len() as u32) }
}
