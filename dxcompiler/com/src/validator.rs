//! The validator: checks a container or a module and signs the container.
#![allow(unsafe_code)] // Blobs and places of clients.

use rtc_dxil_container::program::Program;
use rtc_dxil_container::{Container, FourCc, Signing, digest};
use rtc_dxil_module::bitcode;
use rtc_tables::limits::{NEWEST_MODEL, RELEASED_MODEL};

use crate::base::guard::Raw;
use crate::base::hresult::*;
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::blob::{Blob, bytes_of};
use crate::call;
use crate::interfaces::*;
use crate::out::give;
use crate::result::{Builder, Kind};
use crate::text::CP_UTF8;
use crate::version;

/// Sign the client's bytes instead of a copy.
const IN_PLACE: u32 = 1;
/// Check only that the root signature matches the shader.
const ROOT_SIGNATURE_ONLY: u32 = 2;
/// The bytes are bitcode without a container.
const MODULE_ONLY: u32 = 4;

/// The validator.
pub struct Validator {
    /// What `GetFlags` answers.
    pub flags: u32,
}

impl Class for Validator {
    const FACES: &'static [FaceInfo] = &[
        FaceInfo::new(&IDxcValidator2::of::<Validator>(), &[IDxcValidator2::IID, IDxcValidator::IID]),
        FaceInfo::new(&IDxcVersionInfo::of::<Validator>(), &[IDxcVersionInfo::IID]),
    ];
}

impl IDxcVersionInfoMethods for Validator {
    unsafe fn get_version(&self, major: *mut u32, minor: *mut u32) -> HResult {
        // SAFETY: the client's places.
        unsafe { version::version(major, minor) }
    }

    unsafe fn get_flags(&self, flags: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { version::flags(flags, self.flags) }
    }
}

impl IDxcValidatorMethods for Validator {
    unsafe fn validate(&self, shader: Raw, flags: u32, out: Out) -> HResult {
        if out.is_null() {
            return E_INVALIDARG;
        }
        // SAFETY: the place is not null.
        unsafe { out.write_unaligned(std::ptr::null_mut()) };
        // SAFETY: the client's blob lives during the call.
        let Some(shader) = (unsafe { Ref::<IDxcBlob>::borrow(shader) }) else { return E_INVALIDARG };
        if flags & !7 != 0 || (flags & MODULE_ONLY != 0 && flags != MODULE_ONLY) {
            return E_INVALIDARG;
        }
        // SAFETY: the place is not null.
        unsafe { give(out, validate(&shader, flags)) }
    }
}

impl IDxcValidator2Methods for Validator {
    // The module with debug information gives places to findings; those of the shader itself have them already if it has such a module.
    unsafe fn validate_with_debug(&self, shader: Raw, flags: u32, debug: *const DxcBuffer, out: Out) -> HResult {
        // SAFETY: null or the client's buffer.
        let readable = unsafe { debug.as_ref() }.is_none_or(|debug| {
            // SAFETY: a buffer has the bytes that it says it has.
            !debug.data.is_null()
                && debug.size != 0
                && bitcode::read(unsafe { std::slice::from_raw_parts(debug.data.cast(), debug.size) }).is_ok()
        });
        if !readable {
            if !out.is_null() {
                // SAFETY: the place is not null.
                unsafe { out.write_unaligned(std::ptr::null_mut()) };
            }
            return E_INVALIDARG;
        }
        // SAFETY: the client's objects.
        unsafe { self.validate(shader, flags, out) }
    }
}

/// The status and the text of findings.
fn check(bytes: &[u8], flags: u32) -> (HResult, String) {
    match flags & (ROOT_SIGNATURE_ONLY | MODULE_ONLY) {
        ROOT_SIGNATURE_ONLY => root_signature(bytes),
        0 => {
            let report = match rtc::validate::validate(bytes) {
                Ok(validation) => validation.report,
                Err(why) => return (DXC_E_CONTAINER_INVALID, format!("error: the container {why}\n")),
            };
            let status = match Container::parse(bytes) {
                _ if report.is_valid() => S_OK,
                Err(_) => DXC_E_CONTAINER_INVALID,
                Ok(container) if container.part(FourCc::DXIL).is_none() => DXC_E_CONTAINER_MISSING_DXIL,
                Ok(_) => DXC_E_IR_VERIFICATION_FAILED,
            };
            (status, errors(&report))
        }
        _ => {
            if bytes.starts_with(&FourCc::DXBC.0) {
                return (E_INVALIDARG, String::new());
            }
            match bitcode::read_all(bytes) {
                Ok((module, None)) => {
                    let report = rtc::validate::module(&module);
                    (if report.is_valid() { S_OK } else { DXC_E_IR_VERIFICATION_FAILED }, errors(&report))
                }
                Ok((_, Some(e))) | Err(e) => (DXC_E_IR_VERIFICATION_FAILED, format!("error: {e}\n")),
            }
        }
    }
}

fn errors(report: &rtc::validate::Report) -> String {
    let mut text: String = report.findings.iter().map(|f| format!("error: {f}\n")).collect();
    if report.more > 0 {
        text += &format!("error: and {} more\n", report.more);
    }
    text
}

/// Whether the root signature of a container is valid and matches its shader: the status and the text of errors.
pub fn root_signature(bytes: &[u8]) -> (HResult, String) {
    let Ok(container) = Container::parse(bytes) else { return (DXC_E_IR_VERIFICATION_FAILED, String::new()) };
    let Some(part) = container.part(FourCc::RTS0) else { return (DXC_E_MISSING_PART, String::new()) };
    let signature = match rtc::rootsig::read(&part.data) {
        Ok(_) => &part.data,
        Err(e) => return (DXC_E_INCORRECT_ROOT_SIGNATURE, format!("error: {e}\n")),
    };
    if container.part(FourCc::DXIL).is_none() {
        return (S_OK, String::new());
    }
    if container.part(FourCc::PSV0).is_none() {
        return (DXC_E_MISSING_PART, String::new());
    }
    match rtc::rootsig::problems(signature, bytes) {
        Ok(problems) if problems.is_empty() => (S_OK, String::new()),
        Ok(problems) => (DXC_E_INCORRECT_ROOT_SIGNATURE, problems.iter().map(|p| format!("error: {p}\n")).collect()),
        Err(e) => (DXC_E_INCORRECT_ROOT_SIGNATURE, format!("error: {e}\n")),
    }
}

/// Validates and signs.
///
/// # Errors
/// There is no memory.
pub fn validate(shader: &Ref<IDxcBlob>, flags: u32) -> Result<Ref<IDxcResult>, HResult> {
    let bytes = bytes_of(shader);
    let (status, mut text) = check(bytes, flags);
    if status < 0 {
        text += "Validation failed.\n";
    }
    let with_object = flags & MODULE_ONLY == 0;
    let mut result = Builder::new(status, with_object.then_some(Kind::Object), CP_UTF8);
    result.text(Kind::Errors, &text)?;
    // As in the reference, a container gets its digest even if it is not valid; what is no container is not given back.
    if with_object && let Some(signing) = signing(bytes) {
        if flags & IN_PLACE != 0 {
            let mut signed = bytes.to_vec();
            digest::sign(&mut signed, signing);
            // SAFETY: the client asks for a change of its bytes, of which there are as many; nothing refers to them here any more.
            unsafe { call!(shader, get_buffer_pointer()).cast::<u8>().copy_from_nonoverlapping(signed.as_ptr(), signed.len()) };
            result.object(Kind::Object, shader.clone());
        } else {
            let mut signed = bytes.to_vec();
            digest::sign(&mut signed, signing);
            result.object(Kind::Object, Blob::binary(&signed)?);
        }
    }
    Ok(result.build())
}

/// The digest that a container gets; `None` for what is no container.
fn signing(bytes: &[u8]) -> Option<Signing> {
    let container = Container::parse(bytes).ok()?;
    let program = container.part(FourCc::DXIL).and_then(|p| Program::read("DXIL", &p.data).ok());
    let preview = program.is_some_and(|p| (RELEASED_MODEL + 1..=NEWEST_MODEL).contains(&p.model.minor));
    Some(if preview { Signing::Preview } else { Signing::Digest })
}
