//! Assembly: from the text of a DXIL module, or its bitcode, to a container.
//!
//! The parts are derived from the module, as the compiler derives them. The container is not signed: that is the validator's.

use rtc_dxil_asm::AsmError;
use rtc_dxil_container::hash::ShaderHash;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::recompute::{self, counters};
use rtc_dxil_container::vers::CompilerVersion;
use rtc_dxil_container::{self as container, FourCc, ShaderKind, Signing, sfi0};
use rtc_dxil_module::{ConstKind, MetaNode, Module, Value, bitcode};

use crate::error::FileError;

/// Reads the text of a module.
///
/// # Errors
/// The line that is not understood, and why.
pub fn module(text: &str) -> Result<Module, AsmError> {
    rtc_dxil_asm::module(text)
}

/// The container of a module in text (listings of any version of DXIL) or bitcode.
///
/// # Errors
/// The text or the bitcode cannot be read, or the module is not one of DXIL.
pub fn assemble(source: &[u8]) -> Result<Vec<u8>, FileError> {
    let damaged = |e: String| FileError::Damaged(e);
    let module = if source.starts_with(b"BC\xC0\xDE") {
        bitcode::read(source).map_err(|e| damaged(e.to_string()))?
    } else {
        let text = std::str::from_utf8(source).map_err(|_| damaged("the text is not UTF-8".into()))?;
        module(text.trim_end_matches('\0')).map_err(|e| damaged(e.to_string()))?
    };
    of_module(module)
}

/// The container of a module.
///
/// # Errors
/// The module is not one of DXIL.
pub fn of_module(mut m: Module) -> Result<Vec<u8>, FileError> {
    let damaged = |e: &dyn std::fmt::Display| FileError::Damaged(e.to_string());
    if !rtc_dxil_validate::is_well_formed(&m) {
        let report = rtc_dxil_validate::module(&m);
        return Err(damaged(&report.findings.first().map_or("it is no module of LLVM".to_owned(), ToString::to_string)));
    }
    let info = Info::whole(&m).map_err(|e| damaged(&e))?;
    let found = recompute::recompute(&m, &[]).map_err(|e| damaged(&e))?;
    let root_signature = take_root_signature(&mut m);
    let mut parts = vec![(FourCc::SFI0, sfi0::write(found.features()))];
    match found.rdat_bytes() {
        Some(rdat) => {
            if info.since(8) {
                parts.push((FourCc::VERS, CompilerVersion::current().write()));
            }
            parts.push((FourCc::RDAT, rdat));
        }
        None => {
            parts.extend(found.signature_parts());
            parts.extend(found.psv.as_ref().map(|p| (FourCc::PSV0, p.write())));
        }
    }
    parts.extend(root_signature.map(|bytes| (FourCc::RTS0, bytes)));
    let kind = if info.is_library() { ShaderKind::Library } else { info.kind };
    let program = |bitcode: &[u8]| Program { kind, model: info.model, dxil: info.dxil, bitcode }.write();
    let code = bitcode::write(&m);
    parts.push((FourCc::STAT, program(&bitcode::write(&reflection(m)))));
    if info.since(5) {
        parts.push((FourCc::HASH, ShaderHash::of(&code).write()));
    }
    parts.push((FourCc::DXIL, program(&code)));
    Ok(container::write(&parts, Signing::Unsigned)?)
}

/// The root signature that a module has inside, which a container has as a part.
fn take_root_signature(m: &mut Module) -> Option<Vec<u8>> {
    let node = *m.meta.named("dx.rootSignature").first()?;
    let value = (*m.meta.elems(node).first()?)?;
    let MetaNode::Value(Value::Const(c)) = m.meta[value] else { return None };
    let ConstKind::Data(bytes) = &m.consts[c].kind else { return None };
    let bytes = bytes.iter().map(|b| *b as u8).collect();
    m.meta.remove_named("dx.rootSignature");
    Some(bytes)
}

/// The module without code, for reflection.
fn reflection(mut m: Module) -> Module {
    let counts: Vec<_> = counters::count(&m).collect();
    for f in m.funcs.keys().collect::<Vec<_>>() {
        m.funcs[f].body = None;
    }
    m.meta.remove_named("dx.valver");
    let zero = m.meta_i32(0);
    let node = m.meta.node(&[Some(zero), Some(zero)]);
    m.meta.add_named("dx.valver", node);
    counters::write(&mut m, counts.into_iter());
    m
}
