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
    /// What a bit-field of `width` bits keeps of an integer.
    pub fn bit_field(self, width: u32) -> Const {
        let unused = 64 - width.clamp(1, 64);
        let shifted = self.bits << unused;
        let value = if self.scalar.is_signed() { i128::from(shifted as i64 >> unused) } else { i128::from(shifted >> unused) };
        Const::int(self.scalar, value)
    }
    /// The same value as another type, converted as at run time: once, and a number beyond the range of an integer type becomes its
    /// nearest value.
    pub fn convert(self, to: Scalar) -> Const {
        let (from, target) = (self.scalar.ir(), to.ir());
        let signed_or = |signed, unsigned| if self.scalar.is_signed() { signed } else { unsigned };
        let bits = match (self.scalar.is_float(), to.is_float()) {
            _ if to == Scalar::Bool => compute(BinaryOp::Ne.opcode(self.scalar), from, target, &[self.bits, 0]),
            (true, true) => compute(Opcode::fconv, from, target, &[self.bits]),
            (true, false) => {
                let op = if to.is_signed() { Opcode::ftos } else { Opcode::ftou };
                compute(op, from, target, &[self.bits])
            }
            // The only number of a boolean's bit is one.
            (false, true) => compute(signed_or(Opcode::stof, Opcode::utof), from, target, &[self.bits]),
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

    #[test]
    fn conversions_clamp_and_round_once() {
        let literal = |x: f64| Const::float(Scalar::LitFloat, x);
        assert_eq!(literal(3e9).convert(Scalar::Int).as_int(), Some(i32::MAX.into()));
        assert_eq!(literal(-3e9).convert(Scalar::Int).as_int(), Some(i32::MIN.into()));
        assert_eq!(literal(5e9).convert(Scalar::Uint).as_int(), Some(u32::MAX.into()));
        assert_eq!(literal(-1.0).convert(Scalar::Uint).as_int(), Some(0));
        assert_eq!(literal(f64::NAN).convert(Scalar::Int).as_int(), Some(0));
        assert_eq!(literal(1e6).convert(Scalar::Int16).as_int(), Some(i16::MAX.into()));
        assert_eq!(literal(1e30).convert(Scalar::Uint64).as_int(), Some(u64::MAX.into()));
        assert_eq!(Const::int(Scalar::LitInt, 9_007_199_791_611_905).convert(Scalar::Float).bits, 0x5a00_0001);
        assert_eq!(Const::bool(true).convert(Scalar::Float).as_f64(), 1.0);
    }

    #[test]
    fn bit_fields_keep_their_bits() {
        assert_eq!(Const::int(Scalar::Uint, 0x25).bit_field(4).as_int(), Some(5));
        assert_eq!(Const::int(Scalar::Int, 31).bit_field(4).as_int(), Some(-1));
        assert_eq!(Const::int(Scalar::Uint64, -1).bit_field(64).as_int(), Some(u64::MAX.into()));
    }
}
