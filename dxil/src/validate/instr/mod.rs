//! Rules about single instructions and calls of DXIL operations, by what they are about.
//!
//! [`module`] prepares what is the same for all functions, [`enter`] what one function needs: the resource behind each
//! handle ([`handles`]), found once, so that each later look costs nothing. Then [`inst`] judges each instruction,
//! [`signature`] each call of an operation by its row, and [`call`] what is particular to the operation: [`CHECKS`]
//! names it.

mod allowed;
mod arith;
mod atomics;
mod barriers;
mod buffers;
mod dimensions;
mod handles;
mod hit_objects;
mod memory;
mod raytracing;
mod resources;
mod signature;
mod textures;
mod undefined;

pub(super) use signature::signature;

use super::{Call, CallRule, Cx, Here};
use crate::container::{ResourceClass, ShaderKind};
use crate::module::{ConstKind, Inst, Module, Op, Type, Value};
use crate::recompute::layout::Sizes;
use handles::{Handle, Origin};
use rtc_base::entity::EntityRef as _;
use rtc_tables::dxil_ops::{DxilOp, OPS, OpTy};
use rtc_tables::validation::rule;
use rustc_hash::FxHashMap;

/// What rules of this family know between instructions.
#[derive(Default)]
pub(super) struct State {
    /// The resource of each handle of the function at hand, by instruction.
    handles: Vec<Handle>,
    /// Which resource's global each address or loaded value of the function at hand comes from (libraries).
    origins: Vec<Origin>,
    /// The resource (an index into `Info::resources`) of each global that stands for one.
    globals: FxHashMap<crate::module::Global, u32>,
    /// The index in `Info::resources` of each record, by class and number.
    records: FxHashMap<(ResourceClass, u32), u32>,
    /// The stage of the function at hand; `Library` if it is no entry point.
    stage: Option<ShaderKind>,
    /// The instruction before the one at hand.
    last: Option<Inst>,
    /// For each function that is an operation, one more than the opcode that was last found to fit.
    verified: Vec<u32>,
    /// What each type is, by type.
    types: Vec<TypeClass>,
    /// Whether each type that was asked for holds a hit object, by type.
    holds: Vec<Option<bool>>,
    /// Sizes of types in memory.
    sizes: Sizes,
    /// Whether the counter of a buffer (by number) rises.
    counters: FxHashMap<u32, bool>,
    /// Names of overloads are spelled here.
    text: String,
    /// Whether there is a type of dimensions.
    dimensions: bool,
    /// What is particular to the operations that were met, by row.
    plans: Vec<Option<Plan>>,
    /// Whether 16-bit types have at least 16 bits.
    min_precision: bool,
}

/// What rules must know of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum TypeClass {
    /// Nothing.
    #[default]
    Other,
    /// A structure that operations return.
    Result,
    /// The result of `GetDimensions`.
    Dimensions,
    /// The result of a load: components and status.
    ResRet,
    /// A handle.
    Handle,
    /// A hit object.
    HitObject,
}

impl TypeClass {
    fn of(name: &str) -> TypeClass {
        let Some(name) = name.strip_prefix("dx.types.") else { return TypeClass::Other };
        match name {
            "Handle" => TypeClass::Handle,
            "HitObject" => TypeClass::HitObject,
            "Dimensions" => TypeClass::Dimensions,
            "i32c" | "twoi32" | "fouri32" | "fouri16" | "SamplePos" | "splitdouble" => TypeClass::Result,
            _ if name.starts_with("ResRet.") => TypeClass::ResRet,
            _ if name.starts_with("CBufRet.") => TypeClass::Result,
            _ => TypeClass::Other,
        }
    }

    /// Whether it is a structure that only operations make, handles included.
    fn is_builtin(self) -> bool {
        !matches!(self, TypeClass::Other | TypeClass::HitObject)
    }
}

impl State {
    fn class(&self, ty: Type) -> TypeClass {
        self.types.get(ty.index()).copied().unwrap_or_default()
    }
}

/// Whether a bit of [`crate::lower::flags`] is set for the module.
fn module_flag(cx: &Cx<'_>, bit: u64) -> bool {
    cx.info.flags() & bit != 0
}

/// Prepares what is the same for all functions, and judges the resources.
pub(super) fn module(cx: &mut Cx<'_>) {
    let m = cx.m;
    let class = |ty| m.types.struct_name(ty).map_or(TypeClass::Other, TypeClass::of);
    let types: Vec<TypeClass> = m.types.iter().map(|(ty, _)| class(ty)).collect();
    let s = State {
        dimensions: types.contains(&TypeClass::Dimensions),
        types,
        plans: vec![None; OPS.len()],
        holds: vec![None; m.types.len()],
        verified: vec![0; m.funcs.len()],
        min_precision: !module_flag(cx, crate::lower::flags::bit::NATIVE_LOW_PRECISION),
        ..State::default()
    };
    cx.instr = s;
    handles::declared(cx);
}

/// Prepares for the instructions of a function.
pub(super) fn enter(cx: &mut Cx<'_>, here: Here<'_>) {
    cx.instr.stage = Some(if cx.info.is_library() { cx.stage_of(here.func) } else { cx.info.kind });
    cx.instr.last = None;
    handles::resolve(cx, here);
    undefined::precise(cx, here);
    hit_objects::parameters(cx, here);
}

/// Judges an instruction.
pub(super) fn inst(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    if !allowed::inst(cx, here, inst) {
        return;
    }
    handles::users(cx, here, inst);
    match here.body.insts[inst].op {
        Op::Call { .. } => return,
        Op::Binary { .. } => arith::divisor(cx, here, inst),
        Op::Cast { .. } => memory::cast(cx, here, inst),
        Op::Gep { .. } => memory::gep(cx, here, inst),
        Op::Alloca { .. } | Op::Load { .. } | Op::Store { .. } => memory::access(cx, here, inst),
        Op::ExtractValue { .. } => dimensions::extract(cx, here, inst),
        Op::AtomicRmw { .. } | Op::CmpXchg { .. } => atomics::inst(cx, here, inst),
        _ => {}
    }
    memory::groupshared(cx, here, inst);
    dimensions::users(cx, here, inst);
    undefined::operands(cx, here, inst);
}

/// What is particular to an operation.
#[rustfmt::skip]
const CHECKS: &[(&str, CallRule)] = &[
    ("Asin", arith::infinite), ("Acos", arith::infinite), ("Log", arith::infinite),
    ("DerivFineX", arith::infinite), ("DerivFineY", arith::infinite),
    ("DerivCoarseX", arith::infinite), ("DerivCoarseY", arith::infinite),
    ("CreateHandle", resources::create_handle),
    ("CreateHandleFromBinding", resources::from_binding),
    ("AnnotateHandle", resources::annotate),
    ("GetDimensions", dimensions::get_dimensions),
    ("CalculateLOD", textures::level_of_detail),
    ("Sample", textures::sample), ("SampleBias", textures::sample),
    ("SampleLevel", textures::sample), ("SampleGrad", textures::sample),
    ("SampleCmp", textures::sample_cmp), ("SampleCmpBias", textures::sample_cmp),
    ("SampleCmpLevel", textures::sample_cmp), ("SampleCmpLevelZero", textures::sample_cmp),
    ("SampleCmpGrad", textures::sample_cmp),
    ("TextureGather", textures::gather), ("TextureGatherCmp", textures::gather),
    ("TextureLoad", textures::load),
    ("TextureStore", textures::store), ("TextureStoreSample", textures::store),
    ("BufferLoad", buffers::load), ("BufferStore", buffers::store),
    ("RawBufferLoad", buffers::load), ("RawBufferStore", buffers::store),
    ("RawBufferVectorLoad", buffers::load), ("RawBufferVectorStore", buffers::store_vector),
    ("CBufferLoad", buffers::constants), ("CBufferLoadLegacy", buffers::constants),
    ("BufferUpdateCounter", buffers::counter),
    ("CheckAccessFullyMapped", resources::check_access),
    ("AtomicBinOp", atomics::call), ("AtomicCompareExchange", atomics::call),
    ("Barrier", barriers::barrier),
    ("BarrierByMemoryType", barriers::by_flags), ("BarrierByMemoryHandle", barriers::by_flags),
    ("BarrierByNodeRecordHandle", barriers::by_flags),
    ("TraceRay", raytracing::scene), ("RayQuery_TraceRayInline", raytracing::inline_scene),
    ("ReportHit", raytracing::structure), ("CallShader", raytracing::structure),
    ("RayQuery_CandidateClusterID", raytracing::query), ("RayQuery_CommittedClusterID", raytracing::query),
    ("RayQuery_CandidateTriangleObjectPosition", raytracing::query),
    ("RayQuery_CommittedTriangleObjectPosition", raytracing::query),
    ("HitObject_TraceRay", hit_objects::trace),
    ("HitObject_FromRayQuery", hit_objects::from_query), ("HitObject_FromRayQueryWithAttrs", hit_objects::from_query),
    ("HitObject_MakeMiss", hit_objects::make_miss),
    ("HitObject_Invoke", hit_objects::uses), ("HitObject_Attributes", hit_objects::uses),
    ("MaybeReorderThread", hit_objects::reorder),
    ("HitObject_IsMiss", hit_objects::uses), ("HitObject_IsHit", hit_objects::uses), ("HitObject_IsNop", hit_objects::uses),
    ("HitObject_RayFlags", hit_objects::uses), ("HitObject_RayTMin", hit_objects::uses),
    ("HitObject_RayTCurrent", hit_objects::uses), ("HitObject_GeometryIndex", hit_objects::uses),
    ("HitObject_InstanceIndex", hit_objects::uses), ("HitObject_InstanceID", hit_objects::uses),
    ("HitObject_PrimitiveIndex", hit_objects::uses), ("HitObject_HitKind", hit_objects::uses),
    ("HitObject_ShaderTableIndex", hit_objects::uses), ("HitObject_SetShaderTableIndex", hit_objects::uses),
    ("HitObject_ClusterID", hit_objects::uses), ("HitObject_TriangleObjectPosition", hit_objects::uses),
    ("HitObject_LoadLocalRootTableConstant", hit_objects::table_constant),
    ("HitObject_WorldRayOrigin", hit_objects::vector), ("HitObject_WorldRayDirection", hit_objects::vector),
    ("HitObject_ObjectRayOrigin", hit_objects::vector), ("HitObject_ObjectRayDirection", hit_objects::vector),
    ("HitObject_ObjectToWorld3x4", hit_objects::matrix), ("HitObject_WorldToObject3x4", hit_objects::matrix),
];

/// The check of an operation, and which arguments are handles (bit n: argument n).
#[derive(Clone, Copy, Default)]
struct Plan {
    check: Option<CallRule>,
    handles: u32,
}

/// The plan of an operation.
fn plan(op: &DxilOp) -> Plan {
    let check = CHECKS.iter().find(|c| c.0 == op.name).map(|c| c.1);
    let made = matches!(op.name, "AnnotateHandle" | "CreateHandleForLib");
    let is_handle = |n: usize| !made && op.params[n].1 == OpTy::Handle;
    let handles = (0..op.params.len()).filter(|&n| is_handle(n)).map(|n| 2 << n).sum();
    Plan { check, handles }
}

/// Judges a call of an operation whose declaration is right.
pub(super) fn call(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let plan = *cx.instr.plans[row_of(call.op)].get_or_insert_with(|| plan(call.op));
    let mut known = true;
    let mut rest = plan.handles;
    while rest != 0 {
        known &= resources::handle(cx, here, call, call.args[rest.trailing_zeros() as usize]);
        rest &= rest - 1;
    }
    if known && let Some(check) = plan.check {
        check(cx, here, call);
    }
}

/// The number of the row of an operation.
fn row_of(op: &'static DxilOp) -> usize {
    // Rows ascend by opcode; the opcode without its table bit is at least the row's number in the table.
    OPS.partition_point(|o| o.opcode < op.opcode)
}

/// Whether a value is undefined or all zero, as no handle is.
fn is_nothing(m: &Module, value: Value) -> bool {
    matches!(value, Value::Const(c) if matches!(m.consts[c].kind, ConstKind::Undef | ConstKind::Null))
}

/// A constant integer of at most 32 bits, unsigned.
fn unsigned(cx: &Cx<'_>, value: Value) -> Option<u32> {
    cx.int(value).map(|n| n as u32)
}

/// Whether the shader model is at least 6.`minor`.
fn since(cx: &Cx<'_>, minor: u32) -> bool {
    cx.info.model >= crate::container::Version::new(6, minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_is_of_an_operation() {
        for (name, _) in CHECKS {
            assert!(DxilOp::by_name(name).is_some(), "{name}");
        }
        for op in OPS {
            assert_eq!(OPS[row_of(op)].name, op.name);
        }
    }
}
