//! Container parts computed from the module: RDAT of a library, PSV0 of a single shader. The rows of a package's RDAT are made here too.

use rtc_base::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::compat::Needs;
use super::dependencies::Dependencies;
use super::layout::size_of;
use super::signatures;
use super::uses::Uses;
use crate::metadata::pipeline::PipelineState;
use crate::metadata::signature::Signatures;
use crate::metadata::{self, Entry, Info};
use crate::psv::{Psv, PsvResource, resource_type};
use crate::rdat::{ComputeInfo, Function, FunctionV2, MinTarget, Rdat, Resource, Subobject, resource_flags, unmangle};
use crate::shader_flags as flags;
use crate::{ResourceClass, ShaderKind, Version};
use rtc_dxil_module::{Func, GROUPSHARED, Global, Linkage, Module};

/// The newest shader model and validator that are released; newer rows about compute shaders are experimental.
const RELEASED: (u32, Version) = (9, Version::new(1, 9));

/// The runtime data of a library.
pub fn rdat(m: &Module, known: &Info, uses: &Uses, needs: &SecondaryMap<Func, Needs>, subobjects: &[Subobject]) -> Rdat {
    let externals: FxHashSet<Func> = m.funcs.keys().filter(|&f| is_external(m, f)).collect();
    let mut used: FxHashSet<Func> = FxHashSet::default();
    let definitions = || m.funcs.iter().filter(|(_, f)| f.body.is_some());
    for (func, _) in definitions() {
        used.extend(uses.funcs[func].iter().copied());
    }
    let mut rows: FxHashMap<_, Vec<u32>> = FxHashMap::default();
    for (row, r) in known.resources.iter().enumerate() {
        if let Some(g) = r.global {
            rows.entry(g).or_default().push(row as u32);
        }
    }
    let shared = shared_bytes(m, uses);
    let mut functions = Vec::new();
    for (func, f) in definitions() {
        let mut resources: Vec<u32> = uses.globals[func].iter().filter_map(|g| rows.get(g)).flatten().copied().collect();
        resources.sort_unstable();
        let mut dependencies: Vec<Func> = uses.funcs[func].iter().copied().filter(|e| externals.contains(e)).collect();
        dependencies.sort_unstable();
        functions.push(Function {
            dependencies: dependencies.iter().map(|&e| m.funcs[e].name.to_string()).collect(),
            ..function(known, &f.name, known.entry_of(func), needs[func], resources, shared.get(&func).copied().unwrap_or(0))
        });
    }
    Rdat {
        resources: known.resources.iter().map(|r| resource(known, r)).collect(),
        externals: m.funcs.iter().filter(|(f, _)| externals.contains(f) && used.contains(f)).map(|(_, f)| f.name.to_string()).collect(),
        functions,
        subobjects: subobjects.to_vec(),
        other_tables: Vec::new(),
    }
}

/// The row of a function that calls no external ones: its entry point if it is one, what it needs, the rows of the resources that it
/// names, and the bytes of the group-shared variables.
pub fn function(known: &Info, name: &str, entry: Option<&Entry>, needs: Needs, resources: Vec<u32>, groupshared: u32) -> Function {
    let trial = known.first_release || known.validator.major == 0 || known.validator > RELEASED.1 && known.model.minor > RELEASED.0;
    let kind = entry.map_or(ShaderKind::Library, |e| known.stage(e));
    let props = entry.map(|e| &e.props);
    let payload = props.and_then(|p| p.payload).unwrap_or(0);
    let attributes = props.and_then(|p| p.attributes).unwrap_or(0);
    let (payload_size, attribute_size) = match kind {
        ShaderKind::ClosestHit | ShaderKind::AnyHit => (payload, attributes),
        ShaderKind::Miss | ShaderKind::Callable => (payload, 0),
        _ => (0, 0),
    };
    let wave = props.and_then(|p| p.wave());
    let threads = props.filter(|_| trial && kind == ShaderKind::Compute).map(|p| p.threads.unwrap_or([0; 3]));
    Function {
        name: name.to_owned(),
        unmangled: unmangle(name).to_owned(),
        resources,
        dependencies: Vec::new(),
        kind,
        payload_size,
        attribute_size,
        features: flags::features(needs.flags),
        stage_mask: needs.stages,
        min_target: MinTarget { kind, model: needs.model },
        v2: FunctionV2 {
            min_wave_lanes: wave.map_or(0, |w| w.0 as u8),
            max_wave_lanes: wave.map_or(0, |w| if w.1 == 0 { w.0 } else { w.1 } as u8),
            compute: threads.map(|threads| ComputeInfo { threads, groupshared }),
            ..FunctionV2::default()
        },
    }
}

/// Whether a function is declared here and defined elsewhere.
pub fn is_external(m: &Module, func: Func) -> bool {
    let f = &m.funcs[func];
    f.body.is_none() && f.linkage == Linkage::External && !f.name.starts_with("llvm.") && !m.is_dx_op(func)
}

/// The row of a resource.
pub fn resource(known: &Info, r: &metadata::Resource) -> Resource {
    let newest = known.since(9);
    let uav = r.class == ResourceClass::Uav;
    let bits = [
        (r.coherent, resource_flags::GLOBALLY_COHERENT),
        (r.counter, resource_flags::COUNTER),
        (r.rov, resource_flags::ROV),
        (r.atomic64, resource_flags::ATOMICS_64),
        (r.reorder_coherent && newest, resource_flags::REORDER_COHERENT),
    ];
    Resource {
        class: r.class,
        kind: r.kind,
        id: r.id,
        space: r.space,
        lower: r.lower,
        upper: r.upper(),
        name: r.name.clone(),
        flags: bits.iter().filter(|b| b.0 && uav).fold(0, |all, b| all | b.1),
    }
}

/// Bytes of group-shared variables that each function, or one that it calls, names; none for those that name none.
pub fn shared_bytes(m: &Module, uses: &Uses) -> FxHashMap<Func, u32> {
    let mut named_by: FxHashMap<Global, Vec<Func>> = FxHashMap::default();
    for func in m.funcs.keys() {
        for &g in &uses.globals[func] {
            named_by.entry(g).or_default().push(func);
        }
    }
    let mut out: FxHashMap<Func, u32> = FxHashMap::default();
    for (global, g) in m.globals.iter().filter(|(_, g)| g.space == GROUPSHARED) {
        let size = u32::try_from(size_of(m, g.ty)).unwrap_or(u32::MAX);
        let mut work = named_by.remove(&global).unwrap_or_default();
        let mut seen: FxHashSet<Func> = FxHashSet::default();
        while let Some(func) = work.pop() {
            if seen.insert(func) {
                let sum = out.entry(func).or_default();
                *sum = sum.saturating_add(size);
                work.extend(&uses.callers[func]);
            }
        }
    }
    out
}

/// Bytes of all group-shared variables.
pub fn groupshared(m: &Module) -> u32 {
    let shared = m.globals.values().filter(|g| g.space == GROUPSHARED).map(|g| size_of(m, g.ty));
    u32::try_from(shared.fold(0, u64::saturating_add)).unwrap_or(u32::MAX)
}

/// What a pipeline must know of a single shader. None for stages that are not described here.
pub fn psv(m: &Module, known: &Info, signatures: Option<&(Signatures, Dependencies)>) -> Option<Psv> {
    let entry = known.entries.first()?;
    let mut psv = match (known.kind, signatures) {
        (ShaderKind::Compute, _) => Psv::compute(known.validator, &entry.name, entry.props.threads.unwrap_or([0; 3])),
        (ShaderKind::Amplification, _) => {
            let state = PipelineState::read(m, &entry.props)?;
            let mut psv = Psv::compute(known.validator, &entry.name, state.threads().unwrap_or([0; 3]));
            psv.stage = known.kind;
            (psv.stage_words, psv.stage_half) = state.psv(0, 0);
            psv
        }
        (_, Some((signatures, dependencies))) => {
            let mut psv = signatures::psv(m, known, entry, signatures, dependencies)?;
            psv.resources = known.resources.iter().map(psv_resource).collect();
            if known.kind == ShaderKind::Mesh {
                psv.threads = PipelineState::read(m, &entry.props).and_then(|s| s.threads()).unwrap_or([0; 3]);
                psv.groupshared = groupshared(m);
                psv.stage_words[0] = psv.groupshared;
            }
            return Some(psv);
        }
        _ => return None,
    };
    psv.resources = known.resources.iter().map(psv_resource).collect();
    psv.groupshared = groupshared(m);
    if let Some((least, most)) = entry.props.wave() {
        (psv.min_wave_lanes, psv.max_wave_lanes) = (least, if most == 0 { least } else { most });
    }
    Some(psv)
}

fn psv_resource(r: &metadata::Resource) -> PsvResource {
    PsvResource {
        ty: resource_type::of(r.class, r.kind, r.counter),
        space: r.space,
        lower: r.lower,
        upper: r.upper(),
        kind: r.kind.number(),
        flags: u32::from(r.atomic64),
    }
}
