//! Constant folding of operators and intrinsics: each is mapped to its IR opcode, and [`rtc_ir::eval`] computes it.

use rtc_ir::{Denormals, Opcode, eval};
use rtc_tables::intrinsics::{Expander, Intrinsic, Lower};

use crate::hir::{BinaryOp, Const, Scalar, UnaryOp};

/// The value of a binary operator on constants of one type; `None` where it is undefined or the device decides.
pub fn fold(denormals: Option<Denormals>, op: BinaryOp, a: Const, b: Const) -> Option<Const> {
    let (s, result) = (a.scalar, op.result(a.scalar));
    let opcode = match op.opcode(s) {
        // Devices differ in the quotient of the smallest integer and -1; in constant expressions it wraps.
        Opcode::sdiv if b.as_int() == Some(-1) => return Some(unary(UnaryOp::Neg, a)),
        Opcode::srem if b.as_int() == Some(-1) => return Some(Const::int(s, 0)),
        opcode => opcode,
    };
    let bits = eval::with_denormals(denormals, opcode, s.ir(), result.ir(), &[a.bits, b.bits])?;
    Some(Const { scalar: result, bits })
}

/// The value of a unary operator. Negation is exact for denormals too.
pub fn unary(op: UnaryOp, c: Const) -> Const {
    let s = c.scalar.ir();
    Const { bits: eval::scalar(op.opcode(c.scalar), s, s, &[c.bits]).unwrap_or(c.bits), ..c }
}

/// The value of one component of an intrinsic with constant arguments; `None` if constant expressions may not call it.
pub fn intrinsic(denormals: Option<Denormals>, row: &Intrinsic, args: &[Const], result: Scalar) -> Option<Const> {
    let first = *args.first().filter(|_| row.constexpr)?;
    let s = first.scalar;
    let compute = |op, args: &[u64]| eval::with_denormals(denormals, op, s.ir(), result.ir(), args);
    let bits: Vec<u64> = args.iter().map(|c| c.bits).collect();
    let bits = match row.lowers {
        Lower::Op(op) => compute(op, &bits)?,
        Lower::ByClass { float, signed, unsigned } => compute(s.select(float, signed, unsigned), &bits)?,
        Lower::Expand(Expander::Bitcast) => compute(Opcode::bitcast, &bits)?,
        Lower::Expand(Expander::Abs) if s.is_float() => compute(Opcode::fabs, &bits)?,
        Lower::Expand(Expander::Abs) if s.is_signed() => compute(Opcode::smax, &[first.bits, unary(UnaryOp::Neg, first).bits])?,
        Lower::Expand(Expander::Abs) => first.bits,
        _ => return None,
    };
    Some(Const { scalar: result, bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_wraps_and_refuses_division_by_zero() {
        let c = |n| Const::int(Scalar::Int, n);
        assert_eq!(fold(None, BinaryOp::Add, c(i32::MAX as i128), c(1)), Some(c(i32::MIN as i128)));
        assert_eq!(fold(None, BinaryOp::Div, c(1), c(0)), None);
        assert_eq!(fold(None, BinaryOp::Shr, c(-8), c(1)), Some(c(-4)));
        assert_eq!(fold(None, BinaryOp::Lt, c(-1), c(0)), Some(Const::bool(true)));
        let u = |n| Const::int(Scalar::Uint, n);
        assert_eq!(fold(None, BinaryOp::Shl, u(1), u(33)), Some(u(2)));
        let nan = Const::float(Scalar::Float, f64::NAN);
        assert_eq!(fold(None, BinaryOp::Ne, nan, nan), Some(Const::bool(true)));
        assert_eq!(fold(None, BinaryOp::Div, c(i32::MIN.into()), c(-1)), Some(c(i32::MIN.into())));
        assert_eq!(fold(None, BinaryOp::Rem, c(i32::MIN.into()), c(-1)), Some(c(0)));
    }

    #[test]
    fn every_constexpr_row_is_evaluated() {
        for row in rtc_tables::intrinsics::all().filter(|r| r.constexpr) {
            let one = Const::float(Scalar::Float, 1.0);
            let args = vec![one; row.params.len()];
            assert!(intrinsic(None, row, &args, Scalar::Float).is_some(), "{}", row.full_name());
        }
    }

    #[test]
    fn what_a_device_may_flush_is_not_folded() {
        let tiny = Const::float(Scalar::Float, 1e-40);
        let flush = Some(Denormals::Flush);
        assert_eq!(fold(flush, BinaryOp::Add, tiny, tiny), None);
        assert!(fold(None, BinaryOp::Add, tiny, tiny).is_some());
        assert_eq!(unary(UnaryOp::Neg, tiny).as_f64(), -tiny.as_f64());
    }
}
