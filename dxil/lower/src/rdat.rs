//! The runtime data (RDAT) of a library, from the facts of the IR.

use rtc_base::Span;
use rtc_ir::{Module, SubobjectKind};

use super::facts::{Facts, FunctionFacts};
use super::{LowerError, Profile};
use rtc_dxil_container::rdat::{ComputeInfo, Function, FunctionV2, MinTarget, Rdat, Resource, Subobject, SubobjectValue, unmangle};
use rtc_dxil_container::{HitGroupType, ShaderKind, Version};
use rtc_rootsig::{self as rootsig, RootVersion, Scope};

/// The runtime data of a library, as validators of this version expect it, with root signatures of version `roots`. Makes no
/// code.
///
/// # Errors
/// Root signatures that are wrong, resources that share registers.
pub fn library_rdat(m: &Module, validator: Version, roots: RootVersion) -> Result<Rdat, Vec<LowerError>> {
    let mut errors = Vec::new();
    let facts = Facts::new(m, Profile::Library, validator, &mut errors);
    let rdat = from_facts(m, &facts, validator, roots, &mut errors);
    if errors.is_empty() { Ok(rdat) } else { Err(errors) }
}

/// As [`library_rdat`], when the facts are there already.
pub(crate) fn from_facts(m: &Module, facts: &Facts, validator: Version, roots: RootVersion, errors: &mut Vec<LowerError>) -> Rdat {
    let newest = validator.major == 0 || validator >= Version::new(1, 9);
    let resources = facts.resources.iter().map(|r| Resource {
        class: r.class,
        kind: r.kind,
        id: r.id,
        space: r.space,
        lower: r.lower,
        upper: r.upper(),
        name: r.name.clone(),
        flags: r.rdat_flags(newest),
    });
    let functions = facts.functions.iter().map(|facts| {
        let f = &m.funcs[facts.func];
        let kind = ShaderKind::from_u32(f.stage as u32).unwrap_or(ShaderKind::Library);
        Function {
            name: f.symbol.clone(),
            unmangled: unmangle(&f.symbol).to_owned(),
            resources: facts.resources.clone(),
            dependencies: Vec::new(),
            kind,
            payload_size: facts.payload,
            attribute_size: facts.attributes,
            features: facts.features(validator),
            stage_mask: facts.stage_mask(f.stage, validator),
            min_target: MinTarget { kind, model: Version::new(6, facts.min_model(f.stage, m.shader_model, validator)) },
            v2: v2(m, facts, validator),
        }
    });
    Rdat {
        resources: resources.collect(),
        externals: Vec::new(),
        functions: functions.collect(),
        subobjects: subobjects(m, roots, errors),
        other_tables: Vec::new(),
    }
}

/// The newest shader model and validator that are released; records of compute shaders beyond are experimental.
const RELEASED: (u32, Version) = (9, Version::new(1, 9));

/// What records of validator 1.8 and up say.
fn v2(m: &Module, facts: &FunctionFacts, validator: Version) -> FunctionV2 {
    let f = &m.funcs[facts.func];
    let (least, most) = f.wave_lanes().unwrap_or((0, 0));
    let trial = validator.major == 0 || validator > RELEASED.1 && m.shader_model > RELEASED.0;
    let threads = f.numthreads.filter(|_| trial && f.stage == rtc_ir::Stage::Compute);
    FunctionV2 {
        min_wave_lanes: least as u8,
        max_wave_lanes: most as u8,
        compute: threads.map(|threads| ComputeInfo { threads, groupshared: facts.groupshared(m) }),
        ..FunctionV2::default()
    }
}

fn subobjects(m: &Module, roots: RootVersion, errors: &mut Vec<LowerError>) -> Vec<Subobject> {
    let mut out = Vec::with_capacity(m.subobjects.len());
    for (n, s) in m.subobjects.iter().enumerate() {
        if m.subobjects[..n].iter().any(|other| other.name == s.name) {
            let message = format!("there are two subobjects `{}`", s.name);
            errors.push(LowerError::new(s.span, message));
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
                errors.push(LowerError::new(span, message));
            }
            None
        }
    }
}
