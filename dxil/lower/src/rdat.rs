//! The runtime data (RDAT) of a library for which no DXIL is written, and the subobjects of any library.

use rtc_base::Span;
use rtc_ir::{Module, SubobjectKind};
use rtc_tables::diagnostics::{E0506, E0607, E0643};

use super::facts::Facts;
use super::{LowerError, Profile, entries, requirements};
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::rdat::{Rdat, Subobject, SubobjectValue};
use rtc_dxil_container::recompute::{compat, rdat as rows};
use rtc_dxil_container::{HitGroupType, Version};
use rtc_rootsig::{self as rootsig, RootVersion, Scope};

/// The runtime data of a library, as validators of this version expect it, with root signatures of version `roots`. It is
/// computed from the IR, without code.
///
/// # Errors
/// Root signatures that are wrong, resources that share registers.
pub fn library_rdat(m: &Module, validator: Version, roots: RootVersion) -> Result<Rdat, Vec<LowerError>> {
    let (rdat, shared) = library_rdat_sharing(m, validator, roots)?;
    if shared.is_empty() { Ok(rdat) } else { Err(shared) }
}

/// As [`library_rdat`], for targets where registers may be shared: gives the errors about those with the data.
///
/// # Errors
/// Root signatures that are wrong.
pub fn library_rdat_sharing(m: &Module, validator: Version, roots: RootVersion) -> Result<(Rdat, Vec<LowerError>), Vec<LowerError>> {
    let mut errors = Vec::new();
    let facts = Facts::new(m, Profile::Library, &mut errors);
    let subobjects = subobjects(m, roots, &mut errors);
    let mut info = Info::of_library(validator, Version::new(6, m.shader_model));
    info.resources = facts.resources.iter().map(|r| r.declared(m.shader_model)).collect();
    let flags = compat::flags_of_subobjects(&info, &subobjects);
    let functions = facts.functions.iter().map(|known| {
        let f = &m.funcs[known.func];
        let entry = f.is_started().then(|| entries::of_function(m, known, &f.symbol, None, true, 0));
        let named = requirements::named_resources(m, &facts, known);
        let needs = requirements::of_function(m, &info, &facts, known, entry.as_ref(), &named, flags);
        rows::function(&info, &f.symbol, entry.as_ref(), needs, named, requirements::groupshared(m, known))
    });
    let functions = functions.collect();
    let resources = info.resources.iter().map(|r| rows::resource(&info, r)).collect();
    let rdat = Rdat { resources, externals: Vec::new(), functions, subobjects, other_tables: Vec::new() };
    let (shared, errors): (Vec<_>, Vec<_>) = errors.into_iter().partition(|e| e.code == &E0506);
    if errors.is_empty() { Ok((rdat, shared)) } else { Err(errors) }
}

/// The errors that [`library_rdat_sharing`] would give with the data, without the data.
///
/// # Errors
/// As [`library_rdat_sharing`].
pub fn check_library(m: &Module, roots: RootVersion) -> Result<Vec<LowerError>, Vec<LowerError>> {
    let mut errors = Vec::new();
    Facts::new(m, Profile::Library, &mut errors);
    subobjects(m, roots, &mut errors);
    let (shared, errors): (Vec<_>, Vec<_>) = errors.into_iter().partition(|e| e.code == &E0506);
    if errors.is_empty() { Ok(shared) } else { Err(errors) }
}

/// The subobjects of a library in the form that RDAT has them.
pub fn subobjects(m: &Module, roots: RootVersion, errors: &mut Vec<LowerError>) -> Vec<Subobject> {
    let mut out = Vec::with_capacity(m.subobjects.len());
    for (n, s) in m.subobjects.iter().enumerate() {
        if m.subobjects[..n].iter().any(|other| other.name == s.name) {
            let message = format!("there are two subobjects `{}`", s.name);
            errors.push(LowerError::new(&E0607, s.span, message));
        }
        let value = match &s.kind {
            SubobjectKind::StateObjectConfig(flags) => Some(SubobjectValue::StateObjectConfig { flags: *flags }),
            SubobjectKind::GlobalRootSignature(text) => {
                let data = root_signature(text, roots, Scope::Global, s.span, errors);
                data.map(|data| SubobjectValue::GlobalRootSignature { data })
            }
            SubobjectKind::LocalRootSignature(text) => {
                let data = root_signature(text, roots, Scope::Local, s.span, errors);
                data.map(|data| SubobjectValue::LocalRootSignature { data })
            }
            SubobjectKind::Association(subobject, exports) => {
                Some(SubobjectValue::Association { subobject: subobject.clone(), exports: exports.clone() })
            }
            &SubobjectKind::ShaderConfig(max_payload, max_attributes) => Some(SubobjectValue::ShaderConfig { max_payload, max_attributes }),
            &SubobjectKind::PipelineConfig(max_recursion) => Some(SubobjectValue::PipelineConfig { max_recursion }),
            &SubobjectKind::PipelineConfig1(max_recursion, flags) => Some(SubobjectValue::PipelineConfig1 { max_recursion, flags }),
            SubobjectKind::TriangleHitGroup(any_hit, closest_hit) => Some(SubobjectValue::HitGroup {
                ty: HitGroupType::Triangle,
                any_hit: any_hit.clone(),
                closest_hit: closest_hit.clone(),
                intersection: String::new(),
            }),
            SubobjectKind::ProceduralHitGroup(any_hit, closest_hit, intersection) => Some(SubobjectValue::HitGroup {
                ty: HitGroupType::Procedural,
                any_hit: any_hit.clone(),
                closest_hit: closest_hit.clone(),
                intersection: intersection.clone(),
            }),
        };
        out.extend(value.map(|value| Subobject { name: s.name.clone(), value }));
    }
    out
}

/// The binary form of root signature text.
pub(crate) fn root_signature(text: &str, version: RootVersion, scope: Scope, span: Span, errors: &mut Vec<LowerError>) -> Option<Vec<u8>> {
    match rootsig::parse(text, version, scope) {
        Ok(signature) => Some(rootsig::write(&signature)),
        Err(list) => {
            for e in list {
                let end = (e.offset + e.len).min(text.len());
                let at = text.get(e.offset.min(end)..end).unwrap_or_default();
                let near = if at.is_empty() { String::new() } else { format!(" (at `{at}`)") };
                let message = format!("root signature, byte {}: {}{near}", e.offset, e.message);
                errors.push(LowerError::new(&E0643, span, message));
            }
            None
        }
    }
}
