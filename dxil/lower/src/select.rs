//! Instruction selection: which DXIL operation or LLVM instruction an IR instruction becomes.
//!
//! [`lowering`] is a table by opcode, for instructions that have a direct counterpart. [`operation`] chooses the DXIL operation of one
//! instruction, by its types and the shader model too. [`super::requirements`] and the code use the same choice. An
//! instruction without a row is lowered by code of its own (see [`super::arith`], [`super::texture`], [`super::buffer`]); those with
//! a stage rule have their rows in [`rtc_tables::raytracing`].

use rtc_dxil_module::{BinOp, CastOp, CmpPred};
use rtc_ir::{ElementPart, ElementRole, Function, Inst, InstData, Module, Scalar, Stage, TypeKind, Value};
use rtc_tables::barriers::memory;
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::insts::{OPCODES, Opcode};
use rtc_tables::limits::OFFLINE_MODEL;
use rtc_tables::linalg::rules as linalg;
use rtc_tables::raytracing::RtInfo;
use rtc_tables::resources::{ResourceKind, TexOperands, WaveOp};
use rtc_tables::signature::Interpretation;
use rtc_tables::stages::StageMask;
use smallvec::SmallVec;

/// The first shader model 6 that has raw buffer operations.
pub const RAW_BUFFER_MODEL: u32 = 2;

/// The first shader model 6 that loads and stores vectors as a whole.
const VECTOR_BUFFER_MODEL: u32 = 9;

/// What an opcode is lowered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// An LLVM operation on floats, component by component.
    Float(BinOp),
    /// An LLVM operation on integers or booleans, component by component.
    Int(BinOp),
    /// A shift; the amount counts modulo the width.
    Shift(BinOp),
    /// A division or remainder of integers.
    Div(BinOp),
    /// A comparison.
    Cmp(CmpPred),
    /// A conversion.
    Cast(CastOp),
    /// A DXIL operation on components, overloaded by the first operand.
    Dx(DxOp),
    /// A DXIL operation that counts bits from the most significant one; the IR counts from the least significant one.
    FromTop(DxOp),
    /// A DXIL operation with operands of its own, lowered by code of its own.
    Custom(DxOp),
}

use BinOp as B;
use CastOp as C;
use CmpPred as P;
use Lowering::{Cast, Cmp, Custom, Div, Dx, Float, FromTop, Int, Shift};
use Opcode as O;

#[rustfmt::skip]
const ROWS: &[(Opcode, Lowering)] = &[
    (O::fadd, Float(B::Add)), (O::fsub, Float(B::Sub)), (O::fmul, Float(B::Mul)),
    (O::fdiv, Float(B::SDiv)), (O::frem, Float(B::SRem)),
    (O::fabs, Dx(op::FABS)), (O::fmin, Dx(op::FMIN)), (O::fmax, Dx(op::FMAX)), (O::fmad, Dx(op::FMAD)), (O::fma, Dx(op::FMA)),
    (O::saturate, Dx(op::SATURATE)), (O::floor, Dx(op::ROUND_NI)), (O::ceil, Dx(op::ROUND_PI)), (O::trunc, Dx(op::ROUND_Z)), (O::round_ne, Dx(op::ROUND_NE)),
    (O::frac, Dx(op::FRC)), (O::sqrt, Dx(op::SQRT)), (O::rsqrt, Dx(op::RSQRT)), (O::exp2, Dx(op::EXP)), (O::log2, Dx(op::LOG)),
    (O::sin, Dx(op::SIN)), (O::cos, Dx(op::COS)), (O::tan, Dx(op::TAN)), (O::asin, Dx(op::ASIN)), (O::acos, Dx(op::ACOS)), (O::atan, Dx(op::ATAN)),
    (O::sinh, Dx(op::HSIN)), (O::cosh, Dx(op::HCOS)), (O::tanh, Dx(op::HTAN)),
    (O::isnan, Dx(op::IS_NAN)), (O::isinf, Dx(op::IS_INF)), (O::isfinite, Dx(op::IS_FINITE)), (O::isnormal, Dx(op::IS_NORMAL)),
    (O::iadd, Int(B::Add)), (O::isub, Int(B::Sub)), (O::imul, Int(B::Mul)),
    (O::sdiv, Div(B::SDiv)), (O::udiv, Div(B::UDiv)), (O::srem, Div(B::SRem)), (O::urem, Div(B::URem)),
    (O::smin, Dx(op::IMIN)), (O::smax, Dx(op::IMAX)), (O::umin, Dx(op::UMIN)), (O::umax, Dx(op::UMAX)), (O::imad, Dx(op::IMAD)),
    (O::and, Int(B::And)), (O::or, Int(B::Or)), (O::xor, Int(B::Xor)),
    (O::shl, Shift(B::Shl)), (O::ashr, Shift(B::AShr)), (O::lshr, Shift(B::LShr)),
    (O::bfrev, Dx(op::BFREV)), (O::countbits, Dx(op::COUNTBITS)), (O::firstbit_lo, Dx(op::FIRSTBIT_LO)),
    (O::firstbit_hi, FromTop(op::FIRSTBIT_HI)), (O::firstbit_shi, FromTop(op::FIRSTBIT_SHI)),
    (O::ubfe, Dx(op::UBFE)), (O::sbfe, Dx(op::IBFE)),
    (O::feq, Cmp(P::OEq)), (O::fne, Cmp(P::UNe)), (O::flt, Cmp(P::OLt)), (O::fle, Cmp(P::OLe)),
    (O::fgt, Cmp(P::OGt)), (O::fge, Cmp(P::OGe)),
    (O::ieq, Cmp(P::IEq)), (O::ine, Cmp(P::INe)),
    (O::slt, Cmp(P::ISlt)), (O::sle, Cmp(P::ISle)), (O::sgt, Cmp(P::ISgt)), (O::sge, Cmp(P::ISge)),
    (O::ult, Cmp(P::IUlt)), (O::ule, Cmp(P::IUle)), (O::ugt, Cmp(P::IUgt)), (O::uge, Cmp(P::IUge)),
    (O::ftos, Cast(C::FpToSi)), (O::ftou, Cast(C::FpToUi)), (O::stof, Cast(C::SiToFp)), (O::utof, Cast(C::UiToFp)),
    (O::sext, Cast(C::SExt)), (O::zext, Cast(C::ZExt)), (O::itrunc, Cast(C::Trunc)),
    (O::f32tof16, Custom(op::LEGACY_F32_TO_F16)), (O::f16tof32, Custom(op::LEGACY_F16_TO_F32)), (O::make_double, Custom(op::MAKE_DOUBLE)), (O::split_double, Custom(op::SPLIT_DOUBLE)),
    (O::dot2add, Custom(op::DOT2_ADD_HALF)), (O::dot4add_i8, Custom(op::DOT4_ADD_I8_PACKED)), (O::dot4add_u8, Custom(op::DOT4_ADD_U8_PACKED)), (O::unpack4x8, Custom(op::UNPACK_4X8)), (O::pack4x8, Custom(op::PACK_4X8)),
    (O::cbuf_load, Custom(op::CBUFFER_LOAD_LEGACY)), (O::buf_load, Custom(op::RAW_BUFFER_LOAD)), (O::raw_load, Custom(op::RAW_BUFFER_LOAD)), (O::buf_store, Custom(op::RAW_BUFFER_STORE)), (O::raw_store, Custom(op::RAW_BUFFER_STORE)),
    (O::buf_atomic, Custom(op::ATOMIC_BIN_OP)), (O::raw_atomic, Custom(op::ATOMIC_BIN_OP)), (O::tex_atomic, Custom(op::ATOMIC_BIN_OP)),
    (O::tex_load, Custom(op::TEXTURE_LOAD)), (O::tex_store, Custom(op::TEXTURE_STORE)),
    (O::sample, Custom(op::SAMPLE)), (O::sample_bias, Custom(op::SAMPLE_BIAS)), (O::sample_level, Custom(op::SAMPLE_LEVEL)), (O::sample_grad, Custom(op::SAMPLE_GRAD)),
    (O::sample_cmp, Custom(op::SAMPLE_CMP)), (O::sample_cmp_level, Custom(op::SAMPLE_CMP_LEVEL_ZERO)), (O::gather, Custom(op::TEXTURE_GATHER)), (O::gather_cmp, Custom(op::TEXTURE_GATHER_CMP)),
    (O::sample_cmp_bias, Custom(op::SAMPLE_CMP_BIAS)), (O::sample_cmp_grad, Custom(op::SAMPLE_CMP_GRAD)), (O::gather_raw, Custom(op::TEXTURE_GATHER_RAW)), (O::tex_lod, Custom(op::CALCULATE_LOD)), (O::sample_pos, Custom(op::TEXTURE_2DMS_GET_SAMPLE_POSITION)),
    (O::feedback, Custom(op::WRITE_SAMPLER_FEEDBACK)), (O::feedback_bias, Custom(op::WRITE_SAMPLER_FEEDBACK_BIAS)), (O::feedback_level, Custom(op::WRITE_SAMPLER_FEEDBACK_LEVEL)), (O::feedback_grad, Custom(op::WRITE_SAMPLER_FEEDBACK_GRAD)),
    (O::tex_size, Custom(op::GET_DIMENSIONS)), (O::buf_size, Custom(op::GET_DIMENSIONS)), (O::counter_add, Custom(op::BUFFER_UPDATE_COUNTER)), (O::status_ok, Custom(op::CHECK_ACCESS_FULLY_MAPPED)),
    (O::barrier, Custom(op::BARRIER)), (O::memory_barrier, Custom(op::BARRIER_BY_MEMORY_TYPE)), (O::handle_barrier, Custom(op::BARRIER_BY_MEMORY_HANDLE)), (O::heap_resource, Custom(op::CREATE_HANDLE_FROM_HEAP)),
    (O::debug_break, Custom(op::DEBUG_BREAK)), (O::debugging_enabled, Custom(op::IS_DEBUGGING_ENABLED)),
    (O::wave_is_first_lane, Custom(op::WAVE_IS_FIRST_LANE)), (O::wave_lane_index, Custom(op::WAVE_GET_LANE_INDEX)), (O::wave_lane_count, Custom(op::WAVE_GET_LANE_COUNT)),
    (O::wave_any_true, Dx(op::WAVE_ANY_TRUE)), (O::wave_all_true, Dx(op::WAVE_ALL_TRUE)), (O::wave_all_equal, Dx(op::WAVE_ACTIVE_ALL_EQUAL)), (O::wave_ballot, Custom(op::WAVE_ACTIVE_BALLOT)),
    (O::wave_read_lane_at, Dx(op::WAVE_READ_LANE_AT)), (O::wave_read_lane_first, Dx(op::WAVE_READ_LANE_FIRST)),
    (O::wave_active_op, Custom(op::WAVE_ACTIVE_OP)), (O::wave_prefix_op, Custom(op::WAVE_PREFIX_OP)), (O::wave_multi_prefix_op, Custom(op::WAVE_MULTI_PREFIX_OP)),
    (O::wave_all_bit_count, Dx(op::WAVE_ALL_BIT_COUNT)), (O::wave_prefix_bit_count, Dx(op::WAVE_PREFIX_BIT_COUNT)),
    (O::wave_match, Custom(op::WAVE_MATCH)), (O::wave_multi_prefix_bit_count, Custom(op::WAVE_MULTI_PREFIX_BIT_COUNT)),
    (O::quad_read_lane_at, Dx(op::QUAD_READ_LANE_AT)),
    (O::deriv_coarse_x, Dx(op::DERIV_COARSE_X)), (O::deriv_coarse_y, Dx(op::DERIV_COARSE_Y)), (O::deriv_fine_x, Dx(op::DERIV_FINE_X)), (O::deriv_fine_y, Dx(op::DERIV_FINE_Y)),
];

static INDEX: [Option<Lowering>; OPCODES.len()] = {
    let mut out = [None; OPCODES.len()];
    let mut i = 0;
    while i < ROWS.len() {
        out[ROWS[i].0 as usize] = Some(ROWS[i].1);
        i += 1;
    }
    out
};

/// The lowering of `op`.
pub fn lowering(op: Opcode) -> Option<Lowering> {
    INDEX[op as usize].or_else(|| linalg::operation(op).map(Custom))
}

/// The DXIL operation in the row of `op`, if it has one.
pub fn row_operation(op: Opcode) -> Option<DxOp> {
    match lowering(op) {
        Some(Dx(n) | FromTop(n) | Custom(n)) => Some(n),
        _ => RtInfo::of(op).map(|r| r.dxil),
    }
}

/// The DXIL operation that `inst` becomes, if it is one: by its opcode, its types and the shader model.
pub fn operation(m: &Module, f: &Function, inst: Inst) -> Option<DxOp> {
    let op = f.op(inst);
    if op == Opcode::dot {
        return dot(m, f, inst);
    }
    if let (Opcode::load_input | Opcode::store_output, InstData::Many { imm, args, .. }) = (op, f.insts[inst]) {
        return element_operation(f, op, imm, f.get(args).len());
    }
    let n = row_operation(op)?;
    if let InstData::Slot { slot, .. } = f.insts[inst]
        && let TypeKind::RayQuery(_, query_flags) = m.types.kind(f.slots[slot].ty)
        && query_flags != 0
    {
        return Some(op::ALLOCATE_RAY_QUERY_2);
    }
    // Votes exist since shader model 6.7; before, the other lanes are read.
    if matches!(op, Opcode::quad_any | Opcode::quad_all) && m.shader_model < 7 {
        return Some(op::QUAD_OP);
    }
    let InstData::Many { args, imm, .. } = f.insts[inst] else {
        return Some(n);
    };
    let resource = || m.types.as_resource(f.ty(f.get(args)[0]));
    Some(match op {
        Opcode::sample_cmp_level if f.get(args).get(4).is_some_and(|&v| !is_zero(f, v)) => op::SAMPLE_CMP_LEVEL,
        Opcode::buf_load | Opcode::raw_load if m.shader_model < RAW_BUFFER_MODEL => op::BUFFER_LOAD,
        Opcode::buf_store | Opcode::raw_store if m.shader_model < RAW_BUFFER_MODEL => op::BUFFER_STORE,
        Opcode::buf_load | Opcode::raw_load if is_whole(m, f, f.results(inst).first().copied()) => op::RAW_BUFFER_VECTOR_LOAD,
        Opcode::buf_store | Opcode::raw_store if is_whole(m, f, f.get(args).last().copied()) => op::RAW_BUFFER_VECTOR_STORE,
        Opcode::wave_active_op if imm >= WaveOp::And.number() => op::WAVE_ACTIVE_BIT,
        // Typed buffers are loaded and stored by operations of their own; both are everywhere.
        Opcode::tex_load if resource().is_some_and(|r| r.kind == ResourceKind::TypedBuffer) => op::BUFFER_LOAD,
        Opcode::tex_store if resource().is_some_and(|r| r.kind == ResourceKind::TypedBuffer) => op::BUFFER_STORE,
        Opcode::tex_store if resource().is_some_and(|r| r.kind.is_multisampled()) => op::TEXTURE_STORE_SAMPLE,
        _ => n,
    })
}

/// The operation of a load from a signature element, or a store to one with so many operands: the third is the vertex or primitive that a
/// mesh shader makes.
fn element_operation(f: &Function, op: Opcode, imm: u32, operands: usize) -> Option<DxOp> {
    let e = f.elements.values().nth(ElementPart::from_imm(imm).element as usize)?;
    let own = matches!(e.interpretation, Interpretation::NotInSignature | Interpretation::Shadow);
    if op == Opcode::load_input && own {
        return e.semantic.info().op;
    }
    Some(match (op, e.role, operands) {
        (Opcode::load_input, ElementRole::Input, _) => op::LOAD_INPUT,
        (Opcode::load_input, ElementRole::Output, _) => op::LOAD_OUTPUT_CONTROL_POINT,
        (Opcode::load_input, ElementRole::Patch, _) => op::LOAD_PATCH_CONSTANT,
        (_, ElementRole::Patch, 3..) => op::STORE_PRIMITIVE_OUTPUT,
        (_, ElementRole::Patch, _) => op::STORE_PATCH_CONSTANT,
        (_, _, 3..) => op::STORE_VERTEX_OUTPUT,
        _ => op::STORE_OUTPUT,
    })
}

/// Whether `v` is loaded or stored as a vector and not by components.
fn is_whole(m: &Module, f: &Function, v: Option<Value>) -> bool {
    let lanes = v.and_then(|v| m.types.numeric(f.ty(v))).map_or(1, |n| n.1);
    lanes > 1 && accesses_vectors(m)
}

/// Whether vectors in buffers are accessed by operations of their own, which a function with scalar accesses does not require.
pub fn accesses_vectors(m: &Module) -> bool {
    // What is linked later may be linked for an older model.
    m.shader_model >= VECTOR_BUFFER_MODEL && m.shader_model != OFFLINE_MODEL
}

/// The operation of a dot product; others are sums of products.
fn dot(m: &Module, f: &Function, inst: Inst) -> Option<DxOp> {
    let (s, n) = m.types.numeric(f.ty(*f.operands(inst).first()?))?;
    match n {
        _ if !matches!(s, Scalar::F16 | Scalar::F32) => None,
        2 => Some(op::DOT2),
        3 => Some(op::DOT3),
        4 => Some(op::DOT4),
        _ => None,
    }
}

/// The optional operands of a texture instruction.
pub struct Rest {
    /// Offsets of texels: none, one, or four.
    pub offsets: SmallVec<[Value; 4]>,
    /// The least level of detail.
    pub clamp: Option<Value>,
    /// The component that is gathered.
    pub channel: u32,
}

/// The optional operands that `imm` says are there.
pub fn rest(imm: u32, args: &[Value]) -> Rest {
    let flags = TexOperands::from_bits_retain(imm);
    let mut args = args.iter().copied();
    let count = if flags.contains(TexOperands::FOUR_OFFSETS) { 4 } else { usize::from(flags.contains(TexOperands::OFFSET)) };
    Rest {
        offsets: args.by_ref().take(count).collect(),
        clamp: if flags.contains(TexOperands::CLAMP) { args.next() } else { None },
        channel: (imm & TexOperands::CHANNEL.bits()) >> 8,
    }
}

/// Whether `v` is zero of either sign, or undefined.
pub fn is_zero(f: &Function, v: Value) -> bool {
    f.is_undef(v) || matches!(f.as_const(v), Some(0 | 0x8000_0000))
}

/// The memory types of a `memory_barrier`: all of them means those that the stage has.
pub fn memory_types(f: &Function, imm: u32) -> u32 {
    let types = imm & 0xff;
    match f.stage {
        _ if types != memory::ALL => types,
        Stage::Library => types,
        stage if StageMask::GROUPS.has(stage) => memory::UAV | memory::GROUPSHARED,
        _ => memory::UAV,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_instruction_has_two_rows() {
        for (i, (op, what)) in ROWS.iter().enumerate() {
            assert!(ROWS[..i].iter().all(|r| r.0 != *op), "{op} has two rows");
            if let Some(r) = RtInfo::of(*op) {
                assert_eq!(*what, Dx(r.dxil), "{op} is another operation in the stage table");
            }
        }
    }
}
