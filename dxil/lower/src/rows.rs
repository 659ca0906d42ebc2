//! What each IR instruction becomes in DXIL: one row for each that has a direct counterpart. What has
//! no row is written by hand (see [`super::arith`], [`super::texture`], [`super::buffer`]); ray-tracing
//! instructions have their rows in [`rtc_tables::raytracing`].

use rtc_dxil_module::{BinOp, CastOp, CmpPred};
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::insts::{OPCODES, Opcode};
use rtc_tables::raytracing::RtInfo;

/// A counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Do {
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
    /// A DXIL operation that counts bits from the top, of which the IR counts from the bottom.
    FromTop(DxOp),
    /// The DXIL operation of an instruction that is written by hand.
    By(DxOp),
}

use BinOp as B;
use CastOp as C;
use CmpPred as P;
use Do::{By, Cast, Cmp, Div, Dx, Float, FromTop, Int, Shift};
use Opcode as O;

#[rustfmt::skip]
const ROWS: &[(Opcode, Do)] = &[
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
    (O::f32tof16, By(op::LEGACY_F32_TO_F16)), (O::f16tof32, By(op::LEGACY_F16_TO_F32)), (O::make_double, By(op::MAKE_DOUBLE)), (O::split_double, By(op::SPLIT_DOUBLE)),
    (O::dot2add, By(op::DOT2_ADD_HALF)), (O::dot4add_i8, By(op::DOT4_ADD_I8_PACKED)), (O::dot4add_u8, By(op::DOT4_ADD_U8_PACKED)), (O::unpack4x8, By(op::UNPACK_4X8)), (O::pack4x8, By(op::PACK_4X8)),
    (O::cbuf_load, By(op::CBUFFER_LOAD_LEGACY)), (O::buf_load, By(op::RAW_BUFFER_LOAD)), (O::raw_load, By(op::RAW_BUFFER_LOAD)), (O::buf_store, By(op::RAW_BUFFER_STORE)), (O::raw_store, By(op::RAW_BUFFER_STORE)),
    (O::buf_atomic, By(op::ATOMIC_BIN_OP)), (O::raw_atomic, By(op::ATOMIC_BIN_OP)), (O::tex_atomic, By(op::ATOMIC_BIN_OP)),
    (O::tex_load, By(op::TEXTURE_LOAD)), (O::tex_store, By(op::TEXTURE_STORE)),
    (O::sample, By(op::SAMPLE)), (O::sample_bias, By(op::SAMPLE_BIAS)), (O::sample_level, By(op::SAMPLE_LEVEL)), (O::sample_grad, By(op::SAMPLE_GRAD)),
    (O::sample_cmp, By(op::SAMPLE_CMP)), (O::sample_cmp_level, By(op::SAMPLE_CMP_LEVEL_ZERO)), (O::gather, By(op::TEXTURE_GATHER)), (O::gather_cmp, By(op::TEXTURE_GATHER_CMP)),
    (O::sample_cmp_bias, By(op::SAMPLE_CMP_BIAS)), (O::sample_cmp_grad, By(op::SAMPLE_CMP_GRAD)), (O::gather_raw, By(op::TEXTURE_GATHER_RAW)), (O::tex_lod, By(op::CALCULATE_LOD)), (O::sample_pos, By(op::TEXTURE_2DMS_GET_SAMPLE_POSITION)),
    (O::feedback, By(op::WRITE_SAMPLER_FEEDBACK)), (O::feedback_bias, By(op::WRITE_SAMPLER_FEEDBACK_BIAS)), (O::feedback_level, By(op::WRITE_SAMPLER_FEEDBACK_LEVEL)), (O::feedback_grad, By(op::WRITE_SAMPLER_FEEDBACK_GRAD)),
    (O::tex_size, By(op::GET_DIMENSIONS)), (O::buf_size, By(op::GET_DIMENSIONS)), (O::counter_add, By(op::BUFFER_UPDATE_COUNTER)), (O::status_ok, By(op::CHECK_ACCESS_FULLY_MAPPED)),
    (O::barrier, By(op::BARRIER)), (O::memory_barrier, By(op::BARRIER_BY_MEMORY_TYPE)), (O::handle_barrier, By(op::BARRIER_BY_MEMORY_HANDLE)), (O::heap_resource, By(op::CREATE_HANDLE_FROM_HEAP)),
    (O::wave_is_first_lane, By(op::WAVE_IS_FIRST_LANE)), (O::wave_lane_index, By(op::WAVE_GET_LANE_INDEX)), (O::wave_lane_count, By(op::WAVE_GET_LANE_COUNT)),
    (O::wave_any_true, Dx(op::WAVE_ANY_TRUE)), (O::wave_all_true, Dx(op::WAVE_ALL_TRUE)), (O::wave_all_equal, Dx(op::WAVE_ACTIVE_ALL_EQUAL)), (O::wave_ballot, By(op::WAVE_ACTIVE_BALLOT)),
    (O::wave_read_lane_at, Dx(op::WAVE_READ_LANE_AT)), (O::wave_read_lane_first, Dx(op::WAVE_READ_LANE_FIRST)),
    (O::wave_active_op, By(op::WAVE_ACTIVE_OP)), (O::wave_prefix_op, By(op::WAVE_PREFIX_OP)), (O::wave_multi_prefix_op, By(op::WAVE_MULTI_PREFIX_OP)),
    (O::wave_all_bit_count, Dx(op::WAVE_ALL_BIT_COUNT)), (O::wave_prefix_bit_count, Dx(op::WAVE_PREFIX_BIT_COUNT)),
    (O::wave_match, By(op::WAVE_MATCH)), (O::wave_multi_prefix_bit_count, By(op::WAVE_MULTI_PREFIX_BIT_COUNT)),
    (O::quad_read_lane_at, Dx(op::QUAD_READ_LANE_AT)),
    (O::deriv_coarse_x, Dx(op::DERIV_COARSE_X)), (O::deriv_coarse_y, Dx(op::DERIV_COARSE_Y)), (O::deriv_fine_x, Dx(op::DERIV_FINE_X)), (O::deriv_fine_y, Dx(op::DERIV_FINE_Y)),
];

static INDEX: [Option<Do>; OPCODES.len()] = {
    let mut out = [None; OPCODES.len()];
    let mut i = 0;
    while i < ROWS.len() {
        out[ROWS[i].0 as usize] = Some(ROWS[i].1);
        i += 1;
    }
    out
};

/// The counterpart of `op`.
pub fn of(op: Opcode) -> Option<Do> {
    INDEX[op as usize]
}

/// The DXIL operation that `op` is, if it is one: what decides the shader model and stages of a function.
pub fn operation(op: Opcode) -> Option<DxOp> {
    match of(op) {
        Some(Dx(n) | FromTop(n) | By(n)) => Some(n),
        _ => RtInfo::of(op).map(|r| r.dxil),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_exists_and_no_instruction_has_two_rows() {
        for (i, (op, what)) in ROWS.iter().enumerate() {
            assert!(ROWS[..i].iter().all(|r| r.0 != *op), "{op} has two rows");
            if let Some(r) = RtInfo::of(*op) {
                assert_eq!(*what, Dx(r.dxil), "{op} is another operation in the stage table");
            }
        }
    }
}
