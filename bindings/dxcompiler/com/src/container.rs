//! Containers as clients take them apart and change them: the reflection of parts, and the builder.
#![allow(unsafe_code)] // Blobs and places of clients.

use std::sync::{Mutex, PoisonError};

use rtc_dxil_container::pdb::{Pdb, is_pdb};
use rtc_dxil_container::{Container, FourCc, Signing, write};

use crate::base::guard::Raw;
use crate::base::guid::Guid;
use crate::base::hresult::*;
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::blob::{Blob, bytes_of};
use crate::interfaces::*;
use crate::out::{give, put};
use crate::reflection;
use crate::result::{Builder, Kind};
use crate::text::CP_UTF8;
use crate::validator;

/// A container that was loaded, with the blob that parts are parts of.
struct Loaded {
    blob: Ref<IDxcBlob>,
    container: Container,
}

/// The parts of a container.
#[derive(Default)]
pub struct ContainerReflection {
    loaded: Mutex<Option<Loaded>>,
}

impl Class for ContainerReflection {
    const FACES: &'static [FaceInfo] =
        &[FaceInfo::new(&IDxcContainerReflection::of::<ContainerReflection>(), &[IDxcContainerReflection::IID])];
}

impl ContainerReflection {
    /// Runs `with` on the container; without one the state is not valid.
    fn with<R>(&self, with: impl FnOnce(&Loaded) -> Result<R, HResult>) -> Result<R, HResult> {
        with(self.loaded.lock().unwrap_or_else(PoisonError::into_inner).as_ref().ok_or(E_NOT_VALID_STATE)?)
    }
}

/// The blob of a container: the one in a PDB, or the blob itself.
fn container_blob(blob: &Ref<IDxcBlob>) -> Result<Ref<IDxcBlob>, HResult> {
    let bytes = bytes_of(blob);
    if is_pdb(bytes) { Blob::binary(&Pdb::read(bytes).map_err(|_| E_INVALIDARG)?.container) } else { Ok(blob.clone()) }
}

/// Writes a number, or zero and the error.
///
/// # Safety
/// The place is null or valid.
unsafe fn number(place: *mut u32, number: Result<u32, HResult>) -> HResult {
    if place.is_null() {
        return E_POINTER;
    }
    match number {
        // SAFETY: the place is not null.
        Ok(number) => unsafe { put(place, number) },
        Err(code) => code,
    }
}

fn part(c: &Loaded, index: u32) -> Result<&rtc_dxil_container::Part, HResult> {
    c.container.parts.get(index as usize).ok_or(E_BOUNDS)
}

impl IDxcContainerReflectionMethods for ContainerReflection {
    unsafe fn load_container(&self, container: Raw) -> HResult {
        // SAFETY: null or the client's blob.
        let loaded = match unsafe { Ref::<IDxcBlob>::borrow(container) } {
            None => None,
            Some(blob) => {
                let Ok(blob) = container_blob(&blob) else { return E_INVALIDARG };
                let Ok(container) = Container::parse(bytes_of(&blob)) else { return E_INVALIDARG };
                Some(Loaded { blob, container })
            }
        };
        let before = std::mem::replace(&mut *self.loaded.lock().unwrap_or_else(PoisonError::into_inner), loaded);
        // Outside of the lock: releasing a client's blob may run the client's code.
        drop(before);
        S_OK
    }

    unsafe fn get_part_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { number(count, self.with(|c| Ok(c.container.parts.len() as u32))) }
    }

    unsafe fn get_part_kind(&self, index: u32, kind: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { number(kind, self.with(|c| Ok(u32::from_le_bytes(part(c, index)?.name.0)))) }
    }

    unsafe fn get_part_content(&self, index: u32, out: Out) -> HResult {
        let content = || {
            self.with(|c| {
                let part = part(c, index)?;
                match part.data.len() {
                    // No bytes at an offset would be all bytes.
                    0 => Blob::binary(&[]),
                    length => Blob::part(&c.blob, part.offset as u32, length as u32),
                }
            })
        };
        if out.is_null() {
            return E_POINTER;
        }
        // SAFETY: the place is not null.
        unsafe { give(out, content()) }
    }

    unsafe fn find_first_part_kind(&self, kind: u32, index: *mut u32) -> HResult {
        let name = FourCc(kind.to_le_bytes());
        let found = self.with(|c| c.container.parts.iter().position(|p| p.name == name).map(|n| n as u32).ok_or(E_NOT_FOUND));
        // SAFETY: the client's place.
        unsafe {
            put(index, 0);
            number(index, found)
        }
    }

    unsafe fn get_part_reflection(&self, index: u32, iid: *const Guid, out: Out) -> HResult {
        if out.is_null() || iid.is_null() {
            return E_POINTER;
        }
        // SAFETY: the place is not null, nor is the identifier.
        let iid = unsafe {
            out.write_unaligned(std::ptr::null_mut());
            iid.read_unaligned()
        };
        let source = self.with(|c| {
            let part = part(c, index)?;
            if ![FourCc::DXIL, FourCc::ILDB, FourCc::STAT].contains(&part.name) {
                return Err(E_NOTIMPL);
            }
            // The part for reflection has the names that the others may lack.
            let part = c.container.part(FourCc::STAT).unwrap_or(part);
            Ok((part.data.clone(), c.container.part(FourCc::RDAT).map(|p| p.data.clone())))
        });
        match source.and_then(|(program, rdat)| reflection::create(&program, rdat.as_deref(), iid)) {
            // SAFETY: the place is not null.
            Ok(raw) => unsafe { put(out, raw) },
            Err(code) => code,
        }
    }
}

/// Changes the parts of a container.
#[derive(Default)]
pub struct ContainerBuilder {
    state: Mutex<Building>,
}

#[derive(Default)]
struct Building {
    /// Whether a container was loaded.
    is_loaded: bool,
    parts: Vec<(FourCc, Vec<u8>)>,
    /// How the container that was loaded is signed.
    signing: Option<Signing>,
    /// A root signature was added, which must match the shader.
    check: bool,
}

/// The parts that may be added and removed.
const CHANGEABLE: [FourCc; 5] = [FourCc::ILDB, FourCc::ILDN, FourCc::RTS0, FourCc::STAT, FourCc::PRIV];

impl Class for ContainerBuilder {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&IDxcContainerBuilder::of::<ContainerBuilder>(), &[IDxcContainerBuilder::IID])];
}

impl IDxcContainerBuilderMethods for ContainerBuilder {
    unsafe fn load(&self, container: Raw) -> HResult {
        // SAFETY: null or the client's blob.
        let Some(blob) = (unsafe { Ref::<IDxcBlob>::borrow(container) }) else { return E_INVALIDARG };
        let Ok(container) = Container::parse(bytes_of(&blob)) else { return E_INVALIDARG };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_loaded {
            return E_INVALIDARG;
        }
        let mut parts = state.parts.clone();
        for part in &container.parts {
            if parts.iter().any(|(name, _)| *name == part.name) {
                return DXC_E_DUPLICATE_PART;
            }
            parts.push((part.name, part.data.clone()));
        }
        (state.parts, state.signing, state.is_loaded) = (parts, Some(container.signing()), true);
        S_OK
    }

    unsafe fn add_part(&self, part: u32, content: Raw) -> HResult {
        // SAFETY: null or the client's blob.
        let Some(blob) = (unsafe { Ref::<IDxcBlob>::borrow(content) }) else { return E_INVALIDARG };
        let (name, bytes) = (FourCc(part.to_le_bytes()), bytes_of(&blob));
        if bytes.starts_with(&FourCc::DXBC.0) || !CHANGEABLE.contains(&name) {
            return E_INVALIDARG;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.parts.iter().any(|(other, _)| *other == name) {
            return DXC_E_DUPLICATE_PART;
        }
        // Private data, which may have any size, stays last.
        let last = state.parts.len() - usize::from(state.parts.last().is_some_and(|(other, _)| *other == FourCc::PRIV));
        state.parts.insert(last, (name, bytes.to_vec()));
        state.check |= name == FourCc::RTS0;
        S_OK
    }

    unsafe fn remove_part(&self, part: u32) -> HResult {
        let name = FourCc(part.to_le_bytes());
        if !CHANGEABLE.contains(&name) {
            return E_INVALIDARG;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.parts.iter().position(|(other, _)| *other == name) {
            Some(at) => drop(state.parts.remove(at)),
            None => return DXC_E_MISSING_PART,
        }
        S_OK
    }

    unsafe fn serialize_container(&self, out: Out) -> HResult {
        if out.is_null() {
            return E_INVALIDARG;
        }
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let serialize = || {
            let bytes = write(&state.parts, state.signing.unwrap_or(Signing::Unsigned)).map_err(|_| E_FAIL)?;
            let (status, text) = if state.check { validator::root_signature(&bytes) } else { (S_OK, String::new()) };
            let mut result = Builder::new(status, Some(Kind::Object), CP_UTF8);
            result.bytes(Kind::Object, &bytes)?;
            if !text.is_empty() {
                result.text(Kind::Errors, &text)?;
            }
            Ok(result.build())
        };
        // SAFETY: the place is not null.
        unsafe { give(out, serialize()) }
    }
}
