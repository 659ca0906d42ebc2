//! The validator: checks a container or a module and signs the container.
#![allow(unsafe_code)] // Blobs and places of clients.

use rtc::validate::{Finding, Location, Report};
use rtc_dxil_container::program::Program;
use rtc_dxil_container::{Container, FourCc, Signing, digest};
use rtc_dxil_module::{Module, bitcode};
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
        // SAFETY: the client's objects.
        unsafe { self.validate_by(shader, flags, None, out) }
    }
}

impl Validator {
    /// Validates a shader; a module with debug information gives places to findings.
    ///
    /// # Safety
    /// `shader` is null or a blob, `out` null or a place for a pointer.
    unsafe fn validate_by(&self, shader: Raw, flags: u32, debug: Option<&Module>, out: Out) -> HResult {
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
        unsafe { give(out, validate(&shader, flags, debug)) }
    }
}

impl IDxcValidator2Methods for Validator {
    // The module with debug information gives places to findings; those of the shader itself have them already if it has such a module.
    unsafe fn validate_with_debug(&self, shader: Raw, flags: u32, debug: *const DxcBuffer, out: Out) -> HResult {
        // SAFETY: null or the client's buffer.
        let debug = unsafe { debug.as_ref() }.map(|debug| {
            let there = !debug.data.is_null() && debug.size != 0;
            // SAFETY: a buffer has the bytes that it says it has.
            there.then(|| bitcode::read(unsafe { std::slice::from_raw_parts(debug.data.cast(), debug.size) }).ok()).flatten()
        });
        match debug {
            Some(None) => {
                if !out.is_null() {
                    // SAFETY: the place is not null.
                    unsafe { out.write_unaligned(std::ptr::null_mut()) };
                }
                E_INVALIDARG
            }
            // SAFETY: the client's objects.
            Some(Some(debug)) => unsafe { self.validate_by(shader, flags, Some(&debug), out) },
            // SAFETY: the client's objects.
            None => unsafe { self.validate_by(shader, flags, None, out) },
        }
    }
}

/// The status and the text of findings.
fn check(bytes: &[u8], flags: u32, debug: Option<&Module>) -> (HResult, String) {
    match flags & (ROOT_SIGNATURE_ONLY | MODULE_ONLY) {
        ROOT_SIGNATURE_ONLY => root_signature(bytes),
        0 => {
            let report = match rtc::validate::validate(bytes) {
                Ok(validation) => located(validation.report, debug),
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
                    let report = located(rtc::validate::module(&module), debug);
                    (if report.is_valid() { S_OK } else { DXC_E_IR_VERIFICATION_FAILED }, errors(&report))
                }
                Ok((_, Some(e))) | Err(e) => (DXC_E_IR_VERIFICATION_FAILED, format!("error: {e}\n")),
            }
        }
    }
}

/// The findings with the places that the same module with debug information gives them: both have the same instructions, so a rule is violated
/// there as often, in the same order.
fn located(mut report: Report, debug: Option<&Module>) -> Report {
    let missing = |f: &Finding| matches!(f.location, Location::Inst { source: None, .. });
    let Some(debug) = debug.filter(|_| report.findings.iter().any(missing)) else { return report };
    let mut there = rtc::validate::module(debug).findings;
    for finding in &mut report.findings {
        let Location::Inst { function, source, .. } = &mut finding.location else { continue };
        let same = |other: &Finding| {
            let here = matches!(&other.location, Location::Inst { function: f, .. } if f == function);
            here && other.rule.id == finding.rule.id && other.detail == finding.detail
        };
        if let Some(at) = there.iter().position(same)
            && let Location::Inst { source: found, .. } = there.remove(at).location
            && source.is_none()
        {
            *source = found;
        }
    }
    report
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
pub fn validate(shader: &Ref<IDxcBlob>, flags: u32, debug: Option<&Module>) -> Result<Ref<IDxcResult>, HResult> {
    let bytes = bytes_of(shader);
    let (status, mut text) = check(bytes, flags, debug);
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

#[cfg(test)]
mod tests {
    use super::*;
    use rtc::{DebugKind, NoIncludes, Options, Product, Profile};
    use rtc_dxil_module::{CastOp, Op};

    /// The module of a part, in which a conversion of an integer became one of a float.
    fn broken(container: &Container, part: FourCc) -> Module {
        let part = container.part(part).expect("the part");
        let program = Program::read("DXIL", &part.data).expect("a program");
        let mut m = bitcode::read(program.bitcode).expect("a module");
        let found = m.funcs.iter().find_map(|(func, f)| {
            let body = f.body.as_ref()?;
            let insts = body.blocks.values().flatten();
            insts.copied().find(|&i| matches!(body.insts[i].op, Op::Cast { op: CastOp::UiToFp, .. })).map(|inst| (func, inst))
        });
        let (func, inst) = found.expect("a conversion");
        let body = m.funcs[func].body.as_mut().expect("a body");
        if let Op::Cast { op, .. } = &mut body.insts[inst].op {
            *op = CastOp::FpExt;
        }
        m
    }

    #[test]
    fn a_module_with_debug_information_gives_places() {
        let source = b"RWByteAddressBuffer o;\n[numthreads(1, 1, 1)] void main(uint3 i : SV_DispatchThreadID) {\n  float x = i.x;\n  o.Store(0, asuint(x)); }";
        let mut options = Options::new(Profile::parse("cs_6_6").expect("a profile"));
        options.debug.kind = DebugKind::Full;
        options.debug.embed = true;
        let done = rtc::compile("a.hlsl", source, &mut NoIncludes, &options);
        let container = Container::parse(&done.product.map(Product::into_bytes).expect("it compiles")).expect("a container");
        let (plain, debug) = (broken(&container, FourCc::DXIL), broken(&container, FourCc::ILDB));
        let report = rtc::validate::module(&plain);
        assert!(!report.is_valid() && !errors(&report).contains("a.hlsl"), "{}", errors(&report));
        let text = errors(&located(report.clone(), Some(&debug)));
        assert!(text.contains("a.hlsl:3:"), "{text}");
        // Another module than that of the shader gives nothing.
        let other = bitcode::read(Program::read("DXIL", &container.part(FourCc::ILDB).expect("it").data).expect("it").bitcode).expect("it");
        assert_eq!(errors(&located(report.clone(), Some(&other))), errors(&report));
        assert_eq!(errors(&located(report.clone(), None)), errors(&report));
    }
}
