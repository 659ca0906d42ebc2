//! Scalar arithmetic on the bits of any type, for wave operations.

use crate::cpu::args::Scalar;
use rtc_base::half;

/// A reduction operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Reduce {
    Sum,
    Product,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// A scalar type with signedness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// The type.
    pub scalar: Scalar,
    /// Whether integers are unsigned.
    pub unsigned: bool,
}

impl Number {
    fn width(self) -> u32 {
        match self.scalar {
            Scalar::Void | Scalar::I1 => 1,
            Scalar::I8 => 8,
            Scalar::I16 | Scalar::F16 => 16,
            Scalar::I32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::F64 => 64,
        }
    }
    fn cut(self, bits: u64) -> u64 {
        bits & (u64::MAX >> (64 - self.width()))
    }
    fn signed(self, bits: u64) -> i64 {
        let shift = 64 - self.width();
        ((bits << shift) as i64) >> shift
    }
    /// The bits as a float, if it is a float type.
    fn float(self, bits: u64) -> Option<f64> {
        match self.scalar {
            Scalar::F16 => Some(half::to_f32(bits as u16).into()),
            Scalar::F32 => Some(f32::from_bits(bits as u32).into()),
            Scalar::F64 => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// Whether two values are equal; floats by float comparison.
    pub fn equal(self, a: u64, b: u64) -> bool {
        match (self.float(a), self.float(b)) {
            (Some(a), Some(b)) => a == b,
            _ => self.cut(a) == self.cut(b),
        }
    }

    /// The identity element of a reduction.
    pub fn identity(self, op: Reduce) -> u64 {
        let float = self.float(0).is_some();
        let one = match self.scalar {
            Scalar::F16 => 0x3C00,
            Scalar::F32 => 1f32.to_bits().into(),
            Scalar::F64 => 1f64.to_bits(),
            _ => 1,
        };
        let infinity = |negative: bool| match self.scalar {
            Scalar::F16 => 0x7C00 | u64::from(negative) << 15,
            Scalar::F32 => u64::from((f32::INFINITY.to_bits()) | u32::from(negative) << 31),
            _ => f64::INFINITY.to_bits() | u64::from(negative) << 63,
        };
        match op {
            Reduce::Sum | Reduce::Or | Reduce::Xor => 0,
            Reduce::Product => one,
            Reduce::And => self.cut(u64::MAX),
            Reduce::Min if float => infinity(false),
            Reduce::Max if float => infinity(true),
            Reduce::Min if self.unsigned => self.cut(u64::MAX),
            Reduce::Max if self.unsigned => 0,
            Reduce::Min => self.cut(u64::MAX) >> 1,
            Reduce::Max => 1 << (self.width() - 1),
        }
    }

    /// Combines two values.
    pub fn apply(self, op: Reduce, a: u64, b: u64) -> u64 {
        match op {
            Reduce::And => return a & b,
            Reduce::Or => return a | b,
            Reduce::Xor => return a ^ b,
            _ => {}
        }
        match self.scalar {
            // Sums and products of halves are exact as floats and rounded once; of floats they are not exact as doubles.
            Scalar::F16 => half::from_f32(float(op, half::to_f32(a as u16), half::to_f32(b as u16))).into(),
            Scalar::F32 => float(op, f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into(),
            Scalar::F64 => double(op, f64::from_bits(a), f64::from_bits(b)).to_bits(),
            _ => self.cut(match op {
                Reduce::Sum => a.wrapping_add(b),
                Reduce::Product => a.wrapping_mul(b),
                Reduce::Min if self.unsigned => self.cut(a).min(self.cut(b)),
                Reduce::Max if self.unsigned => self.cut(a).max(self.cut(b)),
                Reduce::Min => self.signed(a).min(self.signed(b)) as u64,
                _ => self.signed(a).max(self.signed(b)) as u64,
            }),
        }
    }

    /// `a - b` of floats.
    pub fn subtract(self, a: u64, b: u64) -> u64 {
        match self.scalar {
            Scalar::F16 => half::from_f32(half::to_f32(a as u16) - half::to_f32(b as u16)).into(),
            Scalar::F32 => (f32::from_bits(a as u32) - f32::from_bits(b as u32)).to_bits().into(),
            Scalar::F64 => (f64::from_bits(a) - f64::from_bits(b)).to_bits(),
            _ => self.cut(a.wrapping_sub(b)),
        }
    }
}

fn float(op: Reduce, a: f32, b: f32) -> f32 {
    match op {
        Reduce::Sum => a + b,
        Reduce::Product => a * b,
        Reduce::Min => a.min(b),
        _ => a.max(b),
    }
}

fn double(op: Reduce, a: f64, b: f64) -> f64 {
    match op {
        Reduce::Sum => a + b,
        Reduce::Product => a * b,
        Reduce::Min => a.min(b),
        _ => a.max(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPS: [Reduce; 7] = [Reduce::Sum, Reduce::Product, Reduce::Min, Reduce::Max, Reduce::And, Reduce::Or, Reduce::Xor];

    #[test]
    fn the_identity_element_changes_nothing() {
        for scalar in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::F16, Scalar::F32, Scalar::F64] {
            for unsigned in [false, true] {
                let n = Number { scalar, unsigned };
                let float = n.float(0).is_some();
                for op in OPS {
                    if float && matches!(op, Reduce::And | Reduce::Or | Reduce::Xor) {
                        continue;
                    }
                    let one_and_half = match scalar {
                        Scalar::F16 => 0x3E00,
                        Scalar::F32 => 1.5f32.to_bits().into(),
                        Scalar::F64 => 1.5f64.to_bits(),
                        _ => 3,
                    };
                    for v in [one_and_half, n.cut(1 << (n.width() - 1)), 0] {
                        let sum = n.apply(op, n.identity(op), v);
                        assert!(n.equal(sum, v), "{scalar:?} {op:?} {unsigned}: {v:#x} became {sum:#x}");
                    }
                }
            }
        }
    }

    #[test]
    fn integers_keep_their_width_and_sign() {
        let n = |scalar, unsigned| Number { scalar, unsigned };
        assert_eq!(n(Scalar::I16, false).apply(Reduce::Sum, 0xFFFF, 2), 1);
        assert_eq!(n(Scalar::I16, false).apply(Reduce::Min, 0xFFFF, 2), 0xFFFF);
        assert_eq!(n(Scalar::I16, true).apply(Reduce::Min, 0xFFFF, 2), 2);
        assert_eq!(n(Scalar::I64, false).apply(Reduce::Max, u64::MAX, 2), 2);
        assert_eq!(n(Scalar::I32, true).apply(Reduce::Product, 0x8000_0001, 2), 2);
    }

    #[test]
    fn floats_compare_as_floats() {
        let n = Number { scalar: Scalar::F32, unsigned: false };
        let bits = |f: f32| u64::from(f.to_bits());
        assert!(n.equal(bits(0.0), bits(-0.0)));
        assert!(!n.equal(bits(f32::NAN), bits(f32::NAN)));
        assert_eq!(n.apply(Reduce::Min, bits(f32::NAN), bits(2.0)), bits(2.0));
        let h = Number { scalar: Scalar::F16, unsigned: false };
        // 2048 + 1 is not representable as a half.
        assert_eq!(h.apply(Reduce::Sum, half::from_f32(2048.0).into(), half::from_f32(1.0).into()), u64::from(half::from_f32(2048.0)));
        assert_eq!(h.subtract(half::from_f32(1.0).into(), half::from_f32(2.5).into()), u64::from(half::from_f32(-1.5)));
    }
}
