//! What each IR instruction becomes in DXIL: one row for each that has a direct counterpart. What has
//! no row is written by hand (see [`super::arith`], [`super::texture`], [`super::buffer`]); ray-tracing
//! instructions have their rows in [`rtc_tables::raytracing`].

use rtc_dxil_module::{BinOp, CastOp, CmpPred};
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
    Dx(u32),
    /// A DXIL operation that counts bits from the top, of which the IR counts from the bottom.
    FromTop(u32),
    /// The DXIL operation of an instruction that is written by hand.
    By(u32),
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
    (O::fabs, Dx(6)), (O::fmin, Dx(36)), (O::fmax, Dx(35)), (O::fmad, Dx(46)), (O::fma, Dx(47)),
    (O::saturate, Dx(7)), (O::floor, Dx(27)), (O::ceil, Dx(28)), (O::trunc, Dx(29)), (O::round_ne, Dx(26)),
    (O::frac, Dx(22)), (O::sqrt, Dx(24)), (O::rsqrt, Dx(25)), (O::exp2, Dx(21)), (O::log2, Dx(23)),
    (O::sin, Dx(13)), (O::cos, Dx(12)), (O::tan, Dx(14)), (O::asin, Dx(16)), (O::acos, Dx(15)), (O::atan, Dx(17)),
    (O::sinh, Dx(19)), (O::cosh, Dx(18)), (O::tanh, Dx(20)),
    (O::isnan, Dx(8)), (O::isinf, Dx(9)), (O::isfinite, Dx(10)), (O::isnormal, Dx(11)),
    (O::iadd, Int(B::Add)), (O::isub, Int(B::Sub)), (O::imul, Int(B::Mul)),
    (O::sdiv, Div(B::SDiv)), (O::udiv, Div(B::UDiv)), (O::srem, Div(B::SRem)), (O::urem, Div(B::URem)),
    (O::smin, Dx(38)), (O::smax, Dx(37)), (O::umin, Dx(40)), (O::umax, Dx(39)), (O::imad, Dx(48)),
    (O::and, Int(B::And)), (O::or, Int(B::Or)), (O::xor, Int(B::Xor)),
    (O::shl, Shift(B::Shl)), (O::ashr, Shift(B::AShr)), (O::lshr, Shift(B::LShr)),
    (O::bfrev, Dx(30)), (O::countbits, Dx(31)), (O::firstbit_lo, Dx(32)),
    (O::firstbit_hi, FromTop(33)), (O::firstbit_shi, FromTop(34)),
    (O::ubfe, Dx(52)), (O::sbfe, Dx(51)),
    (O::feq, Cmp(P::OEq)), (O::fne, Cmp(P::UNe)), (O::flt, Cmp(P::OLt)), (O::fle, Cmp(P::OLe)),
    (O::fgt, Cmp(P::OGt)), (O::fge, Cmp(P::OGe)),
    (O::ieq, Cmp(P::IEq)), (O::ine, Cmp(P::INe)),
    (O::slt, Cmp(P::ISlt)), (O::sle, Cmp(P::ISle)), (O::sgt, Cmp(P::ISgt)), (O::sge, Cmp(P::ISge)),
    (O::ult, Cmp(P::IUlt)), (O::ule, Cmp(P::IUle)), (O::ugt, Cmp(P::IUgt)), (O::uge, Cmp(P::IUge)),
    (O::ftos, Cast(C::FpToSi)), (O::ftou, Cast(C::FpToUi)), (O::stof, Cast(C::SiToFp)), (O::utof, Cast(C::UiToFp)),
    (O::sext, Cast(C::SExt)), (O::zext, Cast(C::ZExt)), (O::itrunc, Cast(C::Trunc)),
    (O::f32tof16, By(130)), (O::f16tof32, By(131)), (O::make_double, By(101)), (O::split_double, By(102)),
    (O::dot2add, By(162)), (O::dot4add_i8, By(163)), (O::dot4add_u8, By(164)), (O::unpack4x8, By(219)), (O::pack4x8, By(220)),
    (O::cbuf_load, By(59)), (O::buf_load, By(139)), (O::raw_load, By(139)), (O::buf_store, By(140)), (O::raw_store, By(140)),
    (O::buf_atomic, By(78)), (O::raw_atomic, By(78)), (O::tex_atomic, By(78)),
    (O::tex_load, By(66)), (O::tex_store, By(67)),
    (O::sample, By(60)), (O::sample_bias, By(61)), (O::sample_level, By(62)), (O::sample_grad, By(63)),
    (O::sample_cmp, By(64)), (O::sample_cmp_level, By(65)), (O::gather, By(73)), (O::gather_cmp, By(74)),
    (O::sample_cmp_bias, By(255)), (O::sample_cmp_grad, By(254)), (O::gather_raw, By(223)), (O::tex_lod, By(81)), (O::sample_pos, By(75)),
    (O::feedback, By(174)), (O::feedback_bias, By(175)), (O::feedback_level, By(176)), (O::feedback_grad, By(177)),
    (O::tex_size, By(72)), (O::buf_size, By(72)), (O::counter_add, By(70)), (O::status_ok, By(71)),
    (O::barrier, By(80)), (O::memory_barrier, By(244)), (O::handle_barrier, By(245)), (O::heap_resource, By(218)),
    (O::wave_is_first_lane, By(110)), (O::wave_lane_index, By(111)), (O::wave_lane_count, By(112)),
    (O::wave_any_true, Dx(113)), (O::wave_all_true, Dx(114)), (O::wave_all_equal, Dx(115)), (O::wave_ballot, By(116)),
    (O::wave_read_lane_at, Dx(117)), (O::wave_read_lane_first, Dx(118)),
    (O::wave_active_op, By(119)), (O::wave_prefix_op, By(121)), (O::wave_multi_prefix_op, By(166)),
    (O::wave_all_bit_count, Dx(135)), (O::wave_prefix_bit_count, Dx(136)),
    (O::wave_match, By(165)), (O::wave_multi_prefix_bit_count, By(167)),
    (O::quad_read_lane_at, Dx(122)),
    (O::deriv_coarse_x, Dx(83)), (O::deriv_coarse_y, Dx(84)), (O::deriv_fine_x, Dx(85)), (O::deriv_fine_y, Dx(86)),
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
pub fn operation(op: Opcode) -> Option<u32> {
    match of(op) {
        Some(Dx(n) | FromTop(n) | By(n)) => Some(n),
        _ => RtInfo::of(op).map(|r| r.dxil),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_tables::dxil_ops::DxilOp;

    #[test]
    fn every_operation_exists_and_no_instruction_has_two_rows() {
        for (i, (op, what)) in ROWS.iter().enumerate() {
            assert!(ROWS[..i].iter().all(|r| r.0 != *op), "{op} has two rows");
            if let Some(r) = RtInfo::of(*op) {
                assert_eq!(*what, Dx(r.dxil), "{op} is another operation in the stage table");
            }
            if let Dx(n) | FromTop(n) | By(n) = what {
                assert!(DxilOp::by_opcode(*n).is_some(), "{op}: {n}");
            }
        }
    }
}
