//! Blobs of all kinds: bytes, bytes with a code page, text in UTF-8 or in wide characters.
#![allow(unsafe_code)] // Bytes and blobs of clients.

use std::ffi::{c_char, c_void};

use crate::base::guard::Raw;
use crate::base::guid::Guid;
use crate::base::hresult::{E_INVALIDARG, E_OUTOFMEMORY, E_POINTER, HResult, S_OK};
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::call;
use crate::interfaces::*;
use crate::memory::Memory;
use crate::text::{self, CP_ACP, CP_UTF8};
use crate::wide::{CP_WIDE, WChar};

/// The encoding of the bytes of a blob, as far as it has one, which decides the interfaces that it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// Bytes that are no text: only `IDxcBlob`.
    Binary,
    /// Bytes with a code page, or text of which the code page is not known: `IDxcBlobEncoding`.
    Encoded {
        /// The code page, 0 if it is not known.
        page: u32,
        /// Whether it is known.
        known: bool,
    },
    /// Text with a NUL, or empty: `IDxcBlobUtf8`.
    Utf8,
    /// Text with a NUL, or empty: `IDxcBlobWide`.
    Wide,
}

/// A blob.
pub struct Blob {
    memory: Memory,
    content: Content,
}

impl Class for Blob {
    // One layout of functions serves all kinds.
    const FACES: &'static [FaceInfo] =
        &[FaceInfo::new(&IDxcBlobUtf8::of::<Blob>(), &[IDxcBlob::IID, IDxcBlobEncoding::IID, IDxcBlobUtf8::IID, IDxcBlobWide::IID])];

    fn answers(&self, _: usize, iid: &Guid) -> bool {
        match *iid {
            IDxcBlob::IID => true,
            IDxcBlobEncoding::IID => self.content != Content::Binary,
            IDxcBlobUtf8::IID => self.content == Content::Utf8,
            _ => self.content == Content::Wide,
        }
    }
}

impl IDxcBlobMethods for Blob {
    unsafe fn get_buffer_pointer(&self) -> Raw {
        self.memory.pointer()
    }

    unsafe fn get_buffer_size(&self) -> usize {
        self.memory.size()
    }
}

impl IDxcBlobEncodingMethods for Blob {
    unsafe fn get_encoding(&self, known: *mut u8, page: *mut u32) -> HResult {
        if known.is_null() || page.is_null() {
            return E_POINTER;
        }
        let (is_known, number) = match self.content {
            Content::Binary => (false, CP_ACP),
            Content::Encoded { page, known } => (known, page),
            Content::Utf8 => (true, CP_UTF8),
            Content::Wide => (true, CP_WIDE),
        };
        // SAFETY: the places are not null. A truth value has one byte in some headers, so only one is written.
        unsafe {
            known.write(is_known.into());
            page.write_unaligned(number);
        }
        S_OK
    }
}

impl IDxcBlobUtf8Methods for Blob {
    unsafe fn get_utf8_pointer(&self) -> *const c_char {
        self.memory.pointer().cast_const().cast()
    }

    // Of wide text too: the functions are those of both interfaces.
    unsafe fn get_utf8_length(&self) -> usize {
        let unit = if self.content == Content::Wide { size_of::<WChar>() } else { 1 };
        (self.memory.size() / unit).saturating_sub(1)
    }
}

impl Blob {
    fn made(memory: Option<Memory>, content: Content) -> Result<Ref<IDxcBlob>, HResult> {
        memory.map(|memory| Ref::new(Blob { memory, content })).ok_or(E_OUTOFMEMORY)
    }

    /// A copy of bytes of which this is known.
    ///
    /// # Errors
    /// There is no memory.
    pub fn copy(bytes: &[u8], content: Content) -> Result<Ref<IDxcBlob>, HResult> {
        Blob::made(Memory::copy(bytes, 0), content)
    }

    /// Bytes that are no text.
    ///
    /// # Errors
    /// There is no memory.
    pub fn binary(bytes: &[u8]) -> Result<Ref<IDxcBlob>, HResult> {
        Blob::made(Memory::copy(bytes, 0), Content::Binary)
    }

    /// Text in UTF-8, with a counted NUL unless it is empty.
    ///
    /// # Errors
    /// There is no memory.
    pub fn utf8(text: &str) -> Result<Ref<IDxcBlob>, HResult> {
        Blob::made(Memory::copy(text.as_bytes(), usize::from(!text.is_empty())), Content::Utf8)
    }

    /// Text in wide characters, with a counted NUL unless it is empty.
    ///
    /// # Errors
    /// There is no memory.
    pub fn wide(text: &str) -> Result<Ref<IDxcBlob>, HResult> {
        let nul = if text.is_empty() { 0 } else { size_of::<WChar>() };
        Blob::made(Memory::copy(&text::wide_bytes(text), nul), Content::Wide)
    }

    /// A part of a blob, or all of it.
    ///
    /// # Errors
    /// The blob does not have these bytes.
    pub fn part(blob: &Ref<IDxcBlob>, offset: u32, length: u32) -> Result<Ref<IDxcBlob>, HResult> {
        if offset == 0 && length == 0 {
            // The blob itself, if it is one of text; it cannot be changed.
            if let Some(same) = blob.query::<IDxcBlobEncoding>() {
                // SAFETY: a blob with a code page is a blob.
                return unsafe { Ref::take(same.give()) }.ok_or(E_POINTER);
            }
            let size = size_of_blob(blob);
            return Blob::made(Memory::part(blob, 0, size), Content::Encoded { page: CP_ACP, known: false });
        }
        let memory = Memory::part(blob, offset as usize, length as usize).ok_or(E_INVALIDARG)?;
        Blob::made(Some(memory), Content::Encoded { page: CP_ACP, known: false })
    }
}

/// The memory that a client has for a blob.
pub enum Source {
    /// It is copied.
    Copy,
    /// It stays alive.
    Pinned,
    /// It is given up, to be freed by this allocator or that of the process.
    Moved(Option<Ref<IMalloc>>),
}

/// A blob of a client's bytes.
///
/// # Errors
/// There is no memory.
///
/// # Safety
/// `data` is null or has `size` bytes, in memory that is what `source` says.
pub unsafe fn from_client(data: *const c_void, size: usize, page: u32, source: Source) -> Result<Ref<IDxcBlob>, HResult> {
    if data.is_null() && size != 0 && !matches!(source, Source::Copy) {
        return Err(E_INVALIDARG);
    }
    // SAFETY: the pointer is not null and has the bytes.
    let bytes = if data.is_null() { &[][..] } else { unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) } };
    let mark = text::byte_order_mark(bytes).filter(|_| page != CP_ACP).map_or(0, |(_, length)| length);
    let text = &bytes[mark..];
    let has_nul = text::ends_in_nul(text, page);
    let is_empty = text.is_empty() || (has_nul && text.len() == text::unit(page));
    let as_text = if page == CP_UTF8 { Content::Utf8 } else { Content::Wide };
    let encoded = Content::Encoded { page, known: true };
    if is_empty && text::is_utf(page) {
        let blob = Blob::made(Memory::copy(&[], 0), as_text);
        if let Source::Moved(malloc) = source {
            // SAFETY: the caller gave the bytes up.
            drop(unsafe { Memory::moved(data, 0, size, malloc) });
        }
        return blob;
    }
    let content = if has_nul && text::is_utf(page) { as_text } else { encoded };
    match source {
        Source::Copy if data.is_null() => Blob::made(Memory::copy(&vec![0; size], 0), content),
        Source::Copy if text::is_utf(page) => Blob::made(Memory::copy(text, if has_nul { 0 } else { text::unit(page) }), as_text),
        Source::Copy => Blob::made(Memory::copy(text, 0), content),
        Source::Pinned if data.is_null() => Blob::made(Memory::copy(&[], 0), content),
        // SAFETY: the caller keeps the bytes alive.
        Source::Pinned => Blob::made(unsafe { Memory::pinned(text.as_ptr().cast(), text.len()) }, content),
        Source::Moved(_) if data.is_null() => Blob::made(Memory::copy(&[], 0), content),
        // SAFETY: the caller gave the bytes up.
        Source::Moved(malloc) => Blob::made(unsafe { Memory::moved(data, mark, size, malloc) }, content),
    }
}

/// The number of bytes of a blob.
pub fn size_of_blob(blob: &Ref<IDxcBlob>) -> usize {
    // SAFETY: the object is a blob.
    unsafe { call!(blob, get_buffer_size()) }
}

/// The bytes of a blob, as long as it lives and the client does not change them.
pub fn bytes_of(blob: &Ref<IDxcBlob>) -> &[u8] {
    // SAFETY: a blob has the bytes that it says it has; a null pointer has none.
    unsafe {
        let (data, size) = (call!(blob, get_buffer_pointer()), call!(blob, get_buffer_size()));
        if data.is_null() { &[] } else { std::slice::from_raw_parts(data.cast::<u8>().cast_const(), size) }
    }
}

/// The code page of a blob; 0 if it is not known, or if the blob does not say.
pub fn page_of(blob: &Ref<IDxcBlob>) -> u32 {
    let Some(encoding) = blob.query::<IDxcBlobEncoding>() else { return CP_ACP };
    // Four bytes, for clients that write as many.
    let (mut known, mut page) = ([0u8; 4], CP_ACP);
    // SAFETY: both places are valid.
    let done = unsafe { call!(encoding, get_encoding(known.as_mut_ptr(), &mut page)) };
    if done >= 0 && known[0] != 0 { page } else { CP_ACP }
}

/// The text of a blob.
///
/// # Errors
/// Its code page is not supported, or its bytes are not in it.
pub fn text_of(blob: &Ref<IDxcBlob>) -> Result<String, HResult> {
    text::decode(bytes_of(blob), page_of(blob))
}

/// The blob as text in UTF-8 or wide characters: itself if it is that already.
///
/// # Errors
/// It cannot be converted.
pub fn converted(blob: &Ref<IDxcBlob>, page: u32) -> Result<Ref<IDxcBlob>, HResult> {
    let same = if page == CP_UTF8 { blob.query::<IDxcBlobUtf8>().map(Ref::give) } else { blob.query::<IDxcBlobWide>().map(Ref::give) };
    if let Some(same) = same {
        // SAFETY: a blob of text is a blob, and the reference is owned.
        return unsafe { Ref::take(same) }.ok_or(E_POINTER);
    }
    let text = text_of(blob)?;
    if page == CP_UTF8 { Blob::utf8(&text) } else { Blob::wide(&text) }
}
