//! Arithmetic on constants.

use crate::hir::{BinaryOp, Const};

/// The value of an operation on constants of one type; `None` where it has none.
pub fn fold(op: BinaryOp, a: Const, b: Const) -> Option<Const> {
    use BinaryOp::*;
    let s = a.scalar;
    if op.is_comparison() {
        let order = match (a.as_int(), b.as_int()) {
            (Some(x), Some(y)) => Some(x.cmp(&y)),
            _ => a.as_f64().partial_cmp(&b.as_f64()),
        };
        let r = match op {
            Lt => order.is_some_and(|o| o.is_lt()),
            Le => order.is_some_and(|o| o.is_le()),
            Gt => order.is_some_and(|o| o.is_gt()),
            Ge => order.is_some_and(|o| o.is_ge()),
            Eq => order.is_some_and(|o| o.is_eq()),
            _ => !order.is_some_and(|o| o.is_eq()),
        };
        return Some(Const::bool(r));
    }
    let (Some(x), Some(y)) = (a.as_int(), b.as_int()) else {
        let (x, y) = (a.as_f64(), b.as_f64());
        // Arithmetic in the type's own precision: rounding twice from f64 is exact for these operations.
        return Some(Const::float(
            s,
            match op {
                Add => x + y,
                Sub => x - y,
                Mul => x * y,
                Div => x / y,
                Rem => x % y,
                _ => return None,
            },
        ));
    };
    let width = s.bits();
    Some(Const::int(
        s,
        match op {
            Add => x.wrapping_add(y),
            Sub => x.wrapping_sub(y),
            Mul => x.wrapping_mul(y),
            Div => x.checked_div(y)?,
            Rem => x.checked_rem(y)?,
            Shl => x << (y as u32 & (width.max(2) - 1)),
            Shr => x >> (y as u32 & (width.max(2) - 1)),
            And => x & y,
            Or => x | y,
            Xor => x ^ y,
            _ => return None,
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::Scalar;

    #[test]
    fn folding_wraps_and_refuses_division_by_zero() {
        let c = |n| Const::int(Scalar::Int, n);
        assert_eq!(fold(BinaryOp::Add, c(i32::MAX as i128), c(1)), Some(c(i32::MIN as i128)));
        assert_eq!(fold(BinaryOp::Div, c(1), c(0)), None);
        assert_eq!(fold(BinaryOp::Shr, c(-8), c(1)), Some(c(-4)));
        assert_eq!(fold(BinaryOp::Lt, c(-1), c(0)), Some(Const::bool(true)));
        let u = |n| Const::int(Scalar::Uint, n);
        assert_eq!(fold(BinaryOp::Shl, u(1), u(33)), Some(u(2)));
        let nan = Const::float(Scalar::Float, f64::NAN);
        assert_eq!(fold(BinaryOp::Ne, nan, nan), Some(Const::bool(true)));
    }
}
