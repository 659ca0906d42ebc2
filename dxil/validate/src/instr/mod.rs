//! Rules about single instructions and calls of DXIL operations, grouped by subject.
//!
//! [`module`] prepares what is the same for all functions, [`enter`] what one function needs: the resource of each
//! handle ([`handles`]), computed once and then looked up. Then [`inst`] checks each instruction,
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
mod linalg;
mod memory;
mod raytracing;
mod resources;
mod signature;
mod textures;
mod undefined;

pub(super) use signature::signature;

use super::{Call, CallRule, Cx, Here};
use handles::{Handle, Origin};
use rtc_base::entity::EntityRef as _;
use rtc_dxil_container::recompute::layout::Sizes;
use rtc_dxil_container::{ResourceClass, ShaderKind};
use rtc_dxil_module::{ConstKind, Inst, Module, Op, Type, Value};
use rtc_tables::dxil_ops::{DxOp, DxilOp, OPS, OpTy, op};
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
    globals: FxHashMap<rtc_dxil_module::Global, u32>,
    /// The index in `Info::resources` of each record, by class and number.
    records: FxHashMap<(ResourceClass, u32), u32>,
    /// The stage of the function at hand; `Library` if it is no entry point.
    stage: Option<ShaderKind>,
    /// The instruction before the one at hand.
    last: Option<Inst>,
    /// For each function that is an operation, the opcode that was last found to fit.
    verified: Vec<Option<DxOp>>,
    /// What each type is, by type.
    types: Vec<TypeClass>,
    /// Whether each type that was queried holds a hit object, by type.
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
    /// What the matrix types of linear algebra are.
    matrices: Vec<(Type, rtc_tables::linalg::MatrixType)>,
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

/// Whether a bit of [`rtc_dxil_container::shader_flags`] is set for the module.
fn module_flag(cx: &Cx<'_>, bit: u64) -> bool {
    cx.info.flags() & bit != 0
}

/// Prepares what is the same for all functions, and checks the resources.
pub(super) fn module(cx: &mut Cx<'_>) {
    let m = cx.m;
    let class = |ty| m.types.struct_name(ty).map_or(TypeClass::Other, TypeClass::of);
    let types: Vec<TypeClass> = m.types.iter().map(|(ty, _)| class(ty)).collect();
    let s = State {
        dimensions: types.contains(&TypeClass::Dimensions),
        types,
        plans: vec![None; OPS.len()],
        holds: vec![None; m.types.len()],
        verified: vec![None; m.funcs.len()],
        matrices: rtc_dxil_container::metadata::target_types::target_types(m),
        min_precision: !module_flag(cx, rtc_dxil_container::shader_flags::bit::NATIVE_LOW_PRECISION),
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

/// Checks an instruction.
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
const CHECKS: &[(DxOp, CallRule)] = &[
    (op::ASIN, arith::infinite), (op::ACOS, arith::infinite), (op::LOG, arith::infinite),
    (op::DERIV_FINE_X, arith::infinite), (op::DERIV_FINE_Y, arith::infinite),
    (op::DERIV_COARSE_X, arith::infinite), (op::DERIV_COARSE_Y, arith::infinite),
    (op::CREATE_HANDLE, resources::create_handle),
    (op::CREATE_HANDLE_FROM_BINDING, resources::from_binding),
    (op::ANNOTATE_HANDLE, resources::annotate),
    (op::GET_DIMENSIONS, dimensions::get_dimensions),
    (op::CALCULATE_LOD, textures::level_of_detail),
    (op::SAMPLE, textures::sample), (op::SAMPLE_BIAS, textures::sample),
    (op::SAMPLE_LEVEL, textures::sample), (op::SAMPLE_GRAD, textures::sample),
    (op::SAMPLE_CMP, textures::sample_cmp), (op::SAMPLE_CMP_BIAS, textures::sample_cmp),
    (op::SAMPLE_CMP_LEVEL, textures::sample_cmp), (op::SAMPLE_CMP_LEVEL_ZERO, textures::sample_cmp),
    (op::SAMPLE_CMP_GRAD, textures::sample_cmp),
    (op::TEXTURE_GATHER, textures::gather), (op::TEXTURE_GATHER_CMP, textures::gather),
    (op::TEXTURE_LOAD, textures::load),
    (op::TEXTURE_STORE, textures::store), (op::TEXTURE_STORE_SAMPLE, textures::store),
    (op::BUFFER_LOAD, buffers::load), (op::BUFFER_STORE, buffers::store),
    (op::RAW_BUFFER_LOAD, buffers::load), (op::RAW_BUFFER_STORE, buffers::store),
    (op::RAW_BUFFER_VECTOR_LOAD, buffers::load), (op::RAW_BUFFER_VECTOR_STORE, buffers::store_vector),
    (op::CBUFFER_LOAD, buffers::constants), (op::CBUFFER_LOAD_LEGACY, buffers::constants),
    (op::BUFFER_UPDATE_COUNTER, buffers::counter),
    (op::CHECK_ACCESS_FULLY_MAPPED, resources::check_access),
    (op::ATOMIC_BIN_OP, atomics::call), (op::ATOMIC_COMPARE_EXCHANGE, atomics::call),
    (op::BARRIER, barriers::barrier),
    (op::BARRIER_BY_MEMORY_TYPE, barriers::by_flags), (op::BARRIER_BY_MEMORY_HANDLE, barriers::by_flags),
    (op::BARRIER_BY_NODE_RECORD_HANDLE, barriers::by_flags),
    (op::TRACE_RAY, raytracing::scene), (op::RAY_QUERY_TRACE_RAY_INLINE, raytracing::inline_scene),
    (op::REPORT_HIT, raytracing::structure), (op::CALL_SHADER, raytracing::structure),
    (op::RAY_QUERY_CANDIDATE_CLUSTER_ID, raytracing::query), (op::RAY_QUERY_COMMITTED_CLUSTER_ID, raytracing::query),
    (op::RAY_QUERY_CANDIDATE_TRIANGLE_OBJECT_POSITION, raytracing::query),
    (op::RAY_QUERY_COMMITTED_TRIANGLE_OBJECT_POSITION, raytracing::query),
    (op::HIT_OBJECT_TRACE_RAY, hit_objects::trace),
    (op::HIT_OBJECT_FROM_RAY_QUERY, hit_objects::from_query), (op::HIT_OBJECT_FROM_RAY_QUERY_WITH_ATTRS, hit_objects::from_query),
    (op::HIT_OBJECT_MAKE_MISS, hit_objects::make_miss),
    (op::HIT_OBJECT_INVOKE, hit_objects::uses), (op::HIT_OBJECT_ATTRIBUTES, hit_objects::uses),
    (op::MAYBE_REORDER_THREAD, hit_objects::reorder),
    (op::HIT_OBJECT_IS_MISS, hit_objects::uses), (op::HIT_OBJECT_IS_HIT, hit_objects::uses), (op::HIT_OBJECT_IS_NOP, hit_objects::uses),
    (op::HIT_OBJECT_RAY_FLAGS, hit_objects::uses), (op::HIT_OBJECT_RAY_T_MIN, hit_objects::uses),
    (op::HIT_OBJECT_RAY_T_CURRENT, hit_objects::uses), (op::HIT_OBJECT_GEOMETRY_INDEX, hit_objects::uses),
    (op::HIT_OBJECT_INSTANCE_INDEX, hit_objects::uses), (op::HIT_OBJECT_INSTANCE_ID, hit_objects::uses),
    (op::HIT_OBJECT_PRIMITIVE_INDEX, hit_objects::uses), (op::HIT_OBJECT_HIT_KIND, hit_objects::uses),
    (op::HIT_OBJECT_SHADER_TABLE_INDEX, hit_objects::uses), (op::HIT_OBJECT_SET_SHADER_TABLE_INDEX, hit_objects::uses),
    (op::HIT_OBJECT_CLUSTER_ID, hit_objects::uses), (op::HIT_OBJECT_TRIANGLE_OBJECT_POSITION, hit_objects::uses),
    (op::HIT_OBJECT_LOAD_LOCAL_ROOT_TABLE_CONSTANT, hit_objects::table_constant),
    (op::HIT_OBJECT_WORLD_RAY_ORIGIN, hit_objects::vector), (op::HIT_OBJECT_WORLD_RAY_DIRECTION, hit_objects::vector),
    (op::HIT_OBJECT_OBJECT_RAY_ORIGIN, hit_objects::vector), (op::HIT_OBJECT_OBJECT_RAY_DIRECTION, hit_objects::vector),
    (op::HIT_OBJECT_OBJECT_TO_WORLD_3X4, hit_objects::matrix), (op::HIT_OBJECT_WORLD_TO_OBJECT_3X4, hit_objects::matrix),
];

/// The check of an operation, and which arguments are handles (bit n: argument n).
#[derive(Clone, Copy, Default)]
struct Plan {
    check: Option<CallRule>,
    handles: u32,
}

/// The plan of an operation.
fn plan(op: &DxilOp) -> Plan {
    let of_linalg = rtc_tables::linalg::rules::is_operation(op.opcode).then_some(linalg::call as CallRule);
    let check = CHECKS.iter().find(|c| c.0 == op.opcode).map(|c| c.1).or(of_linalg);
    let made = matches!(op.opcode, op::ANNOTATE_HANDLE | op::CREATE_HANDLE_FOR_LIB);
    let is_handle = |n: usize| !made && op.params[n].1 == OpTy::Handle;
    let handles = (0..op.params.len()).filter(|&n| is_handle(n)).map(|n| 2 << n).sum();
    Plan { check, handles }
}

/// Checks a call of an operation whose declaration is right.
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
    cx.info.model >= rtc_dxil_container::Version::new(6, minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_comes_once() {
        let mut all: Vec<DxOp> = CHECKS.iter().map(|c| c.0).collect();
        all.sort_unstable();
        let twice: Vec<&[DxOp]> = all.windows(2).filter(|w| w[0] == w[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn rows_are_found_by_opcode() {
        for op in OPS {
            assert_eq!(OPS[row_of(op)].name, op.name);
        }
    }
}
