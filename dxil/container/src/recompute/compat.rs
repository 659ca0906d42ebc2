//! What each function needs: shader flags, the first shader model, the stages it may run in; of itself first, then of all that
//! it calls.

use rtc_base::SecondaryMap;
use rtc_tables::dxil_ops::{DxOp, flag, op, stage};
use rtc_tables::resources::ResourceKind;

use super::barrier;
use super::flags::Collector;
use super::signatures;
use super::uses::{Uses, instructions};
use crate::metadata::{Entry, Info};
use crate::rdat::{Subobject, SubobjectValue};
use crate::shader_flags::{self as flags, bit};
use crate::{ResourceClass, ShaderKind, Version};
use rtc_dxil_module::{Body, Func, Linkage, Module, Op, TypeKind, Value};

/// What a function needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Shader flags ([`crate::shader_flags`]).
    pub flags: u64,
    /// The first shader model that has all it uses.
    pub model: Version,
    /// Stages that it may run in, a bit for each [`ShaderKind`].
    pub stages: u32,
}

impl Default for Needs {
    fn default() -> Self {
        Needs { flags: 0, model: Version::new(6, 0), stages: 0xffff }
    }
}

impl Needs {
    /// Adds what a callee needs; whether that changed anything.
    fn merge(&mut self, other: Needs) -> bool {
        let before = *self;
        self.flags |= other.flags;
        self.model = self.model.max(other.model);
        self.stages &= other.stages;
        *self != before
    }
}

/// The flag of state objects that may be added to.
const ALLOW_ADDITIONS: u32 = 4;

/// What each function with a body needs. The UAVs with 64-bit atomics that code uses but metadata does not mention are marked
/// in `known`.
pub fn needs(m: &Module, known: &mut Info, uses: &Uses, subobjects: &[Subobject]) -> SecondaryMap<Func, Needs> {
    let mut out: SecondaryMap<Func, Needs> = SecondaryMap::new();
    let everywhere = flags_of_subobjects(known, subobjects);
    let mut collector = Collector::new(m, known);
    for (func, f) in m.funcs.iter() {
        let Some(body) = &f.body else { continue };
        let mut own = operations(m, known, body);
        let of_signatures = known.entry_of(func).map_or(0, |e| signatures::flags_of_entry(m, known, e));
        own.flags = collector.function(func, body) | everywhere | of_signatures;
        out[func] = own;
    }
    let atomic64 = collector.atomic64;
    for row in atomic64 {
        known.resources[row].atomic64 = true;
    }
    if known.since(8) {
        propagate(m, uses, &mut out);
    }
    for (func, _) in m.funcs.iter().filter(|(_, f)| f.body.is_some()) {
        adjust(known, known.entry_of(func), &mut out[func]);
    }
    out
}

/// The flags of every function that follow from subobjects: validators 1.5 to 1.7 take some for uses of tier 1.1.
pub fn flags_of_subobjects(known: &Info, subobjects: &[Subobject]) -> u64 {
    let tier_1_1 = subobjects.iter().any(|s| match s.value {
        SubobjectValue::PipelineConfig1 { .. } => true,
        SubobjectValue::StateObjectConfig { flags } => flags & ALLOW_ADDITIONS != 0,
        _ => false,
    });
    if tier_1_1 && known.since(5) && !known.since(8) { bit::RAYTRACING_TIER_1_1 } else { 0 }
}

/// Propagates the requirements of callees to callers, to a fixpoint.
fn propagate(m: &Module, uses: &Uses, needs: &mut SecondaryMap<Func, Needs>) {
    let mut work: Vec<Func> = m.funcs.iter().filter(|(_, f)| f.body.is_some()).map(|(func, _)| func).collect();
    let mut waiting: SecondaryMap<Func, bool> = SecondaryMap::with_default(true);
    while let Some(func) = work.pop() {
        waiting[func] = false;
        let own = needs[func];
        for &caller in &uses.callers[func] {
            if needs[caller].merge(own) && !waiting[caller] {
                waiting[caller] = true;
                work.push(caller);
            }
        }
    }
}

/// Shader model and stages by the operations that a function calls.
fn operations(m: &Module, known: &Info, body: &Body) -> Needs {
    let mut out = Needs::default();
    for i in instructions(body) {
        if let Op::Call { callee: Value::Func(callee), args, .. } = body.insts[i].op
            && m.is_dx_op(callee)
            && m.funcs[callee].linkage == Linkage::External
            && m.funcs[callee].body.is_none()
        {
            operation(m, known, callee, body.values(args), &mut out);
        }
    }
    out
}

fn operation(m: &Module, known: &Info, callee: Func, args: &[Value], out: &mut Needs) {
    let Some(opcode) = args.first().and_then(|&v| m.int_of(v)).and_then(|n| DxOp::from_u32(n as u32)) else { return };
    let row = opcode.row();
    let library = known.is_library();
    let (major, minor) = if library { row.min_sm_in_library } else { row.min_sm };
    let mut model = Version::new(major.into(), minor.into());
    let mut stages = u32::from(row.stages);
    let derivative = matches!(
        opcode,
        op::SAMPLE
            | op::SAMPLE_BIAS
            | op::SAMPLE_CMP
            | op::CALCULATE_LOD
            | op::DERIV_COARSE_X
            | op::DERIV_COARSE_Y
            | op::DERIV_FINE_X
            | op::DERIV_FINE_Y
    );
    if derivative && !known.since(8) {
        stages &= !u32::from(stage::CS | stage::AMP | stage::MESH);
    } else if !known.since(5) {
        if row.flags & flag::WAVE != 0 {
            stages = u32::from(stage::MESH) - 1;
        }
    } else if row.flags & flag::BARRIER != 0 {
        if library && opcode == op::BARRIER_BY_MEMORY_TYPE && barrier::oldest_mode(m, args).is_none() {
            model = Version::new(6, 8);
        }
        if barrier::needs_reorder(m, opcode, args) {
            model = Version::new(6, 9);
            stages &= u32::from(stage::LIB | stage::RG);
        } else if barrier::needs_node(m, opcode, args) {
            stages &= u32::from(stage::LIB | stage::NODE);
        } else if barrier::needs_group(m, opcode, args) {
            stages &= u32::from(stage::LIB | stage::CS | stage::AMP | stage::MESH | stage::NODE);
        }
    } else if matches!(opcode, op::ATOMIC_BIN_OP | op::ATOMIC_COMPARE_EXCHANGE) {
        let ret = m.types.signature(m.funcs[callee].ty).map(|s| s.0);
        if ret.is_some_and(|t| m.types[t] == TypeKind::Int(64)) {
            model = Version::new(6, 6);
        }
    } else if library && known.validator == Version::new(1, 6) && matches!(opcode, op::ANNOTATE_HANDLE | op::CREATE_HANDLE_FROM_BINDING) {
        model = Version::new(6, 6);
    }
    out.model = out.model.max(model);
    out.stages &= stages;
}

/// The last step: what the stage of an entry point and the flags add. A package, which has no module, takes it too.
pub fn adjust(known: &Info, entry: Option<&Entry>, needs: &mut Needs) {
    // Mesh and amplification shaders are stages since 1.5, nodes since 1.8.
    let valid = match () {
        () if !known.since(5) => (1u32 << 13) - 1,
        () if !known.since(8) => (1 << 15) - 1,
        () => 0xffff,
    };
    let kind = entry.map_or(ShaderKind::Library, |e| known.stage(e));
    needs.stages &= if kind == ShaderKind::Library { valid } else { kind.bit() };
    let mut minor = 0;
    if !known.since(8) {
        let low = needs.flags & (bit::LOW_PRECISION | bit::NATIVE_LOW_PRECISION | bit::VIEW_ID | bit::BARYCENTRICS);
        needs.model = needs.model.max(Version::new(6, flags::min_model(low)));
        return;
    }
    if let Some(e) = entry {
        if needs.flags & bit::DERIVATIVES != 0 {
            match kind {
                ShaderKind::Compute => minor = 6,
                ShaderKind::Mesh | ShaderKind::Amplification => {
                    needs.flags |= bit::MESH_DERIVATIVES;
                    minor = 6;
                }
                _ => {}
            }
        }
        minor = minor.max(match e.props.wave() {
            Some((_, 0)) => 6,
            Some(_) => 8,
            None => 0,
        });
        minor = minor.max(match kind {
            ShaderKind::Mesh | ShaderKind::Amplification => 5,
            ShaderKind::Node => 8,
            k if k.is_raytracing() => 3,
            _ => 0,
        });
    }
    minor = minor.max(flags::min_model(needs.flags));
    needs.model = needs.model.max(Version::new(6, minor));
}

/// The flags of the module: those of all functions, and what follows from the resources.
pub fn module_flags(known: &Info, functions: impl Iterator<Item = u64>) -> u64 {
    let mut out = functions.fold(0, |all, f| all | f);
    if out & bit::DERIVATIVES != 0 && matches!(known.kind, ShaderKind::Mesh | ShaderKind::Amplification) {
        out |= bit::MESH_DERIVATIVES;
    }
    out &= !bit::FUNCTION_ONLY;
    let uavs = || known.of_class(ResourceClass::Uav);
    if uavs().any(|u| u.rov) {
        out |= bit::ROV;
    }
    let registers = uavs().map(|u| u.count.min(9)).fold(0, u32::saturating_add);
    let counted = if known.since(6) { registers as usize } else { uavs().count() };
    if counted > 8 {
        out |= bit::UAVS_64;
    }
    use ShaderKind as K;
    let every_stage = if known.since(8) {
        matches!(known.kind, K::Vertex | K::Hull | K::Domain | K::Geometry)
    } else {
        !matches!(known.kind, K::Compute | K::Pixel)
    };
    if registers > 0 && every_stage {
        out |= bit::UAVS_EVERY_STAGE;
    }
    let raw = |k| matches!(k, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer);
    if known.resources.iter().any(|r| raw(r.kind)) {
        out |= bit::RAW_AND_STRUCTURED;
    }
    out
}
