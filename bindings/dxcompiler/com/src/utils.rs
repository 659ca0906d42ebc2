//! Helpers of clients: blobs, include handlers, parts of containers, lists of arguments.
#![allow(unsafe_code)] // Bytes, strings and places of clients.

use std::ffi::c_void;

use rtc_dxil_container::pdb::{Pdb, is_pdb};
use rtc_dxil_container::program::Program;
use rtc_dxil_container::{Container, FourCc};

use crate::arguments::{self, CompilerArgs, defines};
use crate::base::guard::Raw;
use crate::base::guid::Guid;
use crate::base::hresult::*;
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::blob::{self, Blob, Source, converted, from_client};
use crate::include::{self, DiskHandler};
use crate::interfaces::*;
use crate::out::{give, put};
use crate::reflection;
use crate::stream::Stream;
use crate::text::CP_UTF8;
use crate::wide::{self, CP_WIDE};

/// The helpers; `IDxcLibrary` is their older form.
pub struct Utils;

impl Class for Utils {
    const FACES: &'static [FaceInfo] =
        &[FaceInfo::new(&IDxcUtils::of::<Utils>(), &[IDxcUtils::IID]), FaceInfo::new(&IDxcLibrary::of::<Utils>(), &[IDxcLibrary::IID])];
}

/// Gives a blob of a client's bytes.
///
/// # Safety
/// As [`from_client`], and the place is null or valid.
unsafe fn give_blob(data: *const c_void, size: u32, page: u32, source: Source, out: Out) -> HResult {
    if out.is_null() {
        return E_INVALIDARG;
    }
    // SAFETY: the caller's contract.
    unsafe { give(out, from_client(data, size as usize, page, source)) }
}

/// Gives a blob converted to a code page.
///
/// # Safety
/// The blob is null or a blob, the place null or valid.
unsafe fn give_converted(blob: Raw, page: u32, out: Out) -> HResult {
    // SAFETY: null or the client's blob.
    match unsafe { Ref::<IDxcBlob>::borrow(blob) } {
        Some(blob) if !out.is_null() => {
            // SAFETY: the place is not null.
            unsafe { give(out, converted(&blob, page)) }
        }
        _ => E_POINTER,
    }
}

impl IDxcUtilsMethods for Utils {
    unsafe fn create_blob_from_blob(&self, blob: Raw, offset: u32, length: u32, out: Out) -> HResult {
        // SAFETY: null or the client's blob.
        match unsafe { Ref::<IDxcBlob>::borrow(blob) } {
            Some(blob) if !out.is_null() => {
                // SAFETY: the place is not null.
                unsafe { give(out, Blob::part(&blob, offset, length)) }
            }
            _ => E_POINTER,
        }
    }

    unsafe fn create_blob_from_pinned(&self, data: *const c_void, size: u32, page: u32, out: Out) -> HResult {
        // SAFETY: the client keeps its bytes alive.
        unsafe { give_blob(data, size, page, Source::Pinned, out) }
    }

    unsafe fn move_to_blob(&self, data: *const c_void, malloc: Raw, size: u32, page: u32, out: Out) -> HResult {
        // SAFETY: null or the client's allocator, which is kept by an own reference; the client gives the bytes up.
        unsafe {
            let malloc = Ref::<IMalloc>::borrow(malloc).map(|m| (*m).clone());
            give_blob(data, size, page, Source::Moved(malloc), out)
        }
    }

    unsafe fn create_blob(&self, data: *const c_void, size: u32, page: u32, out: Out) -> HResult {
        // SAFETY: the client's bytes.
        unsafe { give_blob(data, size, page, Source::Copy, out) }
    }

    unsafe fn load_file(&self, name: Wide, page: *const u32, out: Out) -> HResult {
        if out.is_null() {
            return E_POINTER;
        }
        // SAFETY: null or the client's string and number.
        let (name, page) = unsafe { (wide::text(name), page.as_ref().copied()) };
        let loaded = name.ok_or(E_POINTER).and_then(|name| include::load_file(&name, page));
        // SAFETY: the place is not null.
        unsafe { give(out, loaded) }
    }

    unsafe fn create_stream(&self, blob: Raw, out: Out) -> HResult {
        // SAFETY: null or the client's blob, which is kept by an own reference.
        match unsafe { Ref::<IDxcBlob>::borrow(blob) } {
            Some(blob) if !out.is_null() => {
                // SAFETY: the place is not null.
                unsafe { give(out, Ok(Stream::over((*blob).clone()))) }
            }
            _ => E_POINTER,
        }
    }

    unsafe fn create_include_handler(&self, out: Out) -> HResult {
        // SAFETY: the client's place.
        unsafe { give(out, Ok(Ref::<IDxcIncludeHandler>::new(DiskHandler))) }
    }

    unsafe fn get_blob_as_utf8(&self, blob: Raw, out: Out) -> HResult {
        // SAFETY: the client's blob and place.
        unsafe { give_converted(blob, CP_UTF8, out) }
    }

    unsafe fn get_blob_as_wide(&self, blob: Raw, out: Out) -> HResult {
        // SAFETY: the client's blob and place.
        unsafe { give_converted(blob, CP_WIDE, out) }
    }

    unsafe fn get_part(&self, shader: *const DxcBuffer, part: u32, data: *mut *const c_void, size: *mut u32) -> HResult {
        // SAFETY: null or the client's buffer.
        let Some(shader) = (unsafe { shader.as_ref() }).filter(|_| !data.is_null() && !size.is_null()) else { return E_INVALIDARG };
        // SAFETY: the buffer has the bytes that it says it has.
        let bytes = unsafe { bytes_of_buffer(shader) };
        let Ok(container) = Container::parse(bytes) else { return DXC_E_CONTAINER_INVALID };
        let name = FourCc(part.to_le_bytes());
        let Some(part) = container.part(name) else { return DXC_E_MISSING_PART };
        // SAFETY: the places are not null. The pointer is into the client's bytes.
        unsafe {
            put(data, bytes[part.offset..].as_ptr().cast());
            put(size, part.data.len() as u32)
        }
    }

    unsafe fn create_reflection(&self, data: *const DxcBuffer, iid: *const Guid, out: Out) -> HResult {
        // SAFETY: null or the client's buffer.
        let buffer = unsafe { data.as_ref() }.filter(|b| !b.data.is_null() && b.size >= 8 && b.encoding == 0);
        let Some(buffer) = buffer.filter(|_| !out.is_null() && !iid.is_null()) else { return E_INVALIDARG };
        // SAFETY: the place is not null, the identifier is valid, and the buffer has the bytes that it says it has.
        let (iid, bytes) = unsafe {
            out.write_unaligned(std::ptr::null_mut());
            (iid.read_unaligned(), bytes_of_buffer(buffer))
        };
        match reflection_source(bytes).and_then(|(program, rdat)| reflection::create(&program, rdat.as_deref(), iid)) {
            // SAFETY: the place is not null.
            Ok(raw) => unsafe { put(out, raw) },
            Err(code) => code,
        }
    }

    unsafe fn build_arguments(
        &self,
        name: Wide,
        entry: Wide,
        profile: Wide,
        arguments: *const Wide,
        count: u32,
        define_list: *const DxcDefine,
        define_count: u32,
        out: Out,
    ) -> HResult {
        // SAFETY: the client's strings and arrays.
        let (name, entry, profile, given, macros) = unsafe {
            let given = if arguments.is_null() { Some(Vec::new()) } else { wide::texts(arguments, count) };
            let macros = if define_list.is_null() { Some(Vec::new()) } else { defines(define_list, define_count) };
            (wide::text(name), wide::text(entry), wide::text(profile), given, macros)
        };
        let (Some(given), Some(macros)) = (given, macros) else { return E_INVALIDARG };
        let all = arguments::build(name.as_deref(), entry.as_deref(), profile.as_deref(), &given, &macros);
        // SAFETY: the client's place.
        unsafe { give(out, Ok(CompilerArgs::of(all))) }
    }

    unsafe fn get_pdb_contents(&self, pdb: Raw, hash: Out, container: Out) -> HResult {
        // SAFETY: null or the client's blob.
        let Some(pdb) = (unsafe { Ref::<IDxcBlob>::borrow(pdb) }) else { return E_POINTER };
        let Ok(pdb) = Pdb::read(blob::bytes_of(&pdb)) else { return E_FAIL };
        let blobs = Blob::binary(&pdb.hash).and_then(|h| Ok((h, Blob::binary(&pdb.container)?)));
        let (hash_blob, container_blob) = match blobs {
            Ok(blobs) => blobs,
            Err(code) => return code,
        };
        // SAFETY: the client's places; the hash is optional.
        unsafe {
            if !hash.is_null() {
                give(hash, Ok(hash_blob));
            }
            give(container, Ok(container_blob))
        }
    }
}

/// The bytes of a buffer.
///
/// # Safety
/// The buffer has the bytes that it says it has as long as the result is used.
pub unsafe fn bytes_of_buffer(buffer: &DxcBuffer) -> &[u8] {
    // SAFETY: the caller's contract; a null pointer has no bytes.
    if buffer.data.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(buffer.data.cast(), buffer.size) } }
}

/// The program part that reflection reads, and the runtime data of a library: from a container, a PDB, a program part without its header,
/// or the reflection output of a compilation.
type Parts = (Vec<u8>, Option<Vec<u8>>);

fn reflection_source(bytes: &[u8]) -> Result<Parts, HResult> {
    let inner;
    let bytes = match is_pdb(bytes) {
        true => {
            inner = Pdb::read(bytes).map_err(|_| E_INVALIDARG)?.container;
            &inner[..]
        }
        false => bytes,
    };
    if bytes.starts_with(&FourCc::DXBC.0) {
        let container = Container::parse(bytes).map_err(|_| E_INVALIDARG)?;
        let names = [FourCc::STAT, FourCc::ILDB, FourCc::DXIL];
        for name in names.into_iter().chain([FourCc::RDAT]) {
            if container.parts.iter().filter(|p| p.name == name).count() > 1 {
                return Err(DXC_E_DUPLICATE_PART);
            }
        }
        let program = names.iter().find_map(|n| container.part(*n)).ok_or(DXC_E_MISSING_PART)?;
        return Ok((program.data.clone(), container.part(FourCc::RDAT).map(|p| p.data.clone())));
    }
    if Program::read("DXIL", bytes).is_ok() {
        return Ok((bytes.to_vec(), None));
    }
    let (name, data, rest) = next_part(bytes).ok_or(E_INVALIDARG)?;
    if name != FourCc::STAT {
        return Err(E_INVALIDARG);
    }
    let rdat = match rest.len() {
        0..=8 => None,
        _ => match next_part(rest) {
            Some((FourCc::RDAT, data, _)) => Some(data.to_vec()),
            _ => return Err(E_INVALIDARG),
        },
    };
    Ok((data.to_vec(), rdat))
}

/// A part with its header, and what follows it.
fn next_part(bytes: &[u8]) -> Option<(FourCc, &[u8], &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<8>()?;
    let size = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
    let (data, rest) = rest.split_at_checked(size)?;
    Some((FourCc([head[0], head[1], head[2], head[3]]), data, rest))
}

// The older form has the same functions under other names.
impl IDxcLibraryMethods for Utils {
    unsafe fn set_malloc(&self, _: Raw) -> HResult {
        E_NOTIMPL
    }

    unsafe fn library_blob_from_blob(&self, blob: Raw, offset: u32, length: u32, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.create_blob_from_blob(blob, offset, length, out) }
    }

    unsafe fn library_load_file(&self, name: Wide, page: *const u32, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.load_file(name, page, out) }
    }

    unsafe fn library_blob_from_pinned(&self, data: *const c_void, size: u32, page: u32, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.create_blob_from_pinned(data, size, page, out) }
    }

    unsafe fn library_create_blob(&self, data: *const c_void, size: u32, page: u32, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.create_blob(data, size, page, out) }
    }

    unsafe fn library_move_to_blob(&self, data: *const c_void, malloc: Raw, size: u32, page: u32, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.move_to_blob(data, malloc, size, page, out) }
    }

    unsafe fn library_include_handler(&self, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.create_include_handler(out) }
    }

    unsafe fn library_stream(&self, blob: Raw, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.create_stream(blob, out) }
    }

    unsafe fn library_utf8(&self, blob: Raw, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_blob_as_utf8(blob, out) }
    }

    unsafe fn library_wide(&self, blob: Raw, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_blob_as_wide(blob, out) }
    }
}
