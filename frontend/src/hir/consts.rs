//! Constant scalars: a type and bits. Arithmetic on the bits is that of [`rtc_ir::eval`].

use rtc_ir::{Denormals, Opcode, Scalar as Ir, eval};

use super::{BinaryOp, Scalar};

/// A constant of scalar type.
///
/// `bits` is the encoding of the value in a register: a `bool` is 0 or 1, integers are zero-extended from
/// their width, `float` and `half` without native 16-bit types hold the bits of an f32, `double` of an
/// f64, 16-bit floats (minimum-precision ones too) of an f16.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Const {
    /// Its type.
    pub scalar: Scalar,
    /// Its bits.
    pub bits: u64,
}

impl Const {
    /// A `bool`.
    pub fn bool(b: bool) -> Const {
        Const { scalar: Scalar::Bool, bits: b as u64 }
    }
    /// The integer `n` as `scalar`, wrapped; a float type gets its value.
    pub fn int(scalar: Scalar, n: i128) -> Const {
        if scalar.is_float() {
            return Const::float(scalar, n as f64);
        }
        let bits = match scalar.bits() {
            1 => (n != 0) as u64,
            bits => n as u64 & (u64::MAX >> (64 - bits)),
        };
        Const { scalar, bits }
    }
    /// The number `x` as `scalar`: rounded to a float type, truncated to an integer.
    pub fn float(scalar: Scalar, x: f64) -> Const {
        Const { scalar: Scalar::LitFloat, bits: x.to_bits() }.convert(scalar)
    }
    /// Whether it is a 32-bit float that is denormal.
    pub fn is_denormal(self) -> bool {
        eval::is_denormal(self.scalar.ir(), self.bits)
    }
    /// The value as an integer; `None` for floats.
    pub fn as_int(self) -> Option<i128> {
        self.scalar.select(None, Some(eval::to_i64(self.scalar.ir(), self.bits).into()), Some(self.bits.into()))
    }
    /// The value as a double; exact but for 64-bit integers.
    pub fn as_f64(self) -> f64 {
        self.as_int().map_or_else(|| eval::to_f64(self.scalar.ir(), self.bits), |n| n as f64)
    }
    /// Whether it is not zero.
    pub fn is_true(self) -> bool {
        self.convert(Scalar::Bool).bits != 0
    }
    /// The same value as another type, converted as the language converts. Conversions between integers and floats go
    /// through 64 bits: a number beyond those saturates, one beyond the type wraps.
    pub fn convert(self, to: Scalar) -> Const {
        let (from, target) = (self.scalar.ir(), to.ir());
        let signed_or = |signed, unsigned| if self.scalar.is_signed() { signed } else { unsigned };
        let bits = match (self.scalar.is_float(), to.is_float()) {
            _ if to == Scalar::Bool => compute(BinaryOp::Ne.opcode(self.scalar), from, target, &[self.bits, 0]),
            (true, true) => compute(Opcode::fconv, from, target, &[self.bits]),
            (true, false) => {
                let op = if to.is_signed() { Opcode::ftos } else { Opcode::ftou };
                let wide = compute(op, from, Ir::I64, &[self.bits]);
                compute(Opcode::itrunc, Ir::I64, target, &[wide])
            }
            (false, true) => {
                let wide = compute(signed_or(Opcode::stof, Opcode::utof), from, Ir::F64, &[self.bits]);
                compute(Opcode::fconv, Ir::F64, target, &[wide])
            }
            (false, false) => {
                let wide = compute(signed_or(Opcode::sext, Opcode::zext), from, Ir::I64, &[self.bits]);
                compute(Opcode::itrunc, Ir::I64, target, &[wide])
            }
        };
        Const { scalar: to, bits }
    }
    /// [`convert`](Self::convert), unless the device decides about the result: under `denormals` it flushes denormals, and
    /// the conversion has one. Literals have no type on the device, so their conversions are exact.
    pub fn convert_under(self, denormals: Option<Denormals>, to: Scalar) -> Option<Const> {
        let new = self.convert(to);
        let flushed = denormals == Some(Denormals::Flush) && (self.is_denormal() || new.is_denormal());
        (self.scalar.is_literal() || !flushed).then_some(new)
    }
}

/// A conversion. Unlike other instructions it is defined for every operand.
fn compute(op: Opcode, from: Ir, to: Ir, args: &[u64]) -> u64 {
    eval::scalar(op, from, to, args).expect("conversions have a value for every operand")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_keep_their_sign() {
        let minus = Const::int(Scalar::Int, -1);
        assert_eq!(minus.bits, 0xffff_ffff);
        assert_eq!(minus.as_int(), Some(-1));
        assert_eq!(minus.convert(Scalar::Uint).as_int(), Some(0xffff_ffff));
        assert_eq!(minus.convert(Scalar::Int64).as_int(), Some(-1));
        assert_eq!(minus.convert(Scalar::Float).as_f64(), -1.0);
        assert_eq!(Const::int(Scalar::Int16, 0x1_8000).as_int(), Some(-0x8000));
    }

    #[test]
    fn floats_round_and_truncate() {
        let x = Const::float(Scalar::LitFloat, 2.7);
        assert_eq!(x.convert(Scalar::Int).as_int(), Some(2));
        assert_eq!(x.convert(Scalar::Float).bits, 2.7f32.to_bits() as u64);
        assert_eq!(Const::float(Scalar::Float16, 1.5).as_f64(), 1.5);
        assert!(!Const::float(Scalar::Double, -0.0).is_true());
    }
}
