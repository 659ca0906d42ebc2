//! Constant scalars: a type and bits.

use super::Scalar;

/// A constant of scalar type.
///
/// `bits` is what the type's value looks like in a register: a `bool` is 0 or 1, integers are zero-extended from
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
            16 => n as u16 as u64,
            32 => n as u32 as u64,
            _ => n as u64,
        };
        Const { scalar, bits }
    }
    /// The number `x` as `scalar`: rounded to a float type, truncated to an integer (saturating).
    pub fn float(scalar: Scalar, x: f64) -> Const {
        use Scalar::*;
        let bits = match scalar {
            Float16 | Min10Float | Min16Float => rtc_base::half::from_f64(x) as u64,
            Half | Float => (x as f32).to_bits() as u64,
            Double | LitFloat => x.to_bits(),
            Bool => (x != 0.0) as u64,
            s if s.is_signed() => return Const::int(s, x as i64 as i128),
            s => return Const::int(s, x as u64 as i128),
        };
        Const { scalar, bits }
    }
    /// Whether it is a 32-bit float that is denormal.
    pub fn is_denormal(self) -> bool {
        matches!(self.scalar, Scalar::Float | Scalar::Half) && f32::from_bits(self.bits as u32).is_subnormal()
    }
    /// The value as an integer; `None` for floats.
    pub fn as_int(self) -> Option<i128> {
        if self.scalar.is_float() {
            return None;
        }
        Some(if self.scalar.is_signed() {
            match self.scalar.bits() {
                16 => self.bits as u16 as i16 as i128,
                32 => self.bits as u32 as i32 as i128,
                _ => self.bits as i64 as i128,
            }
        } else {
            self.bits as i128
        })
    }
    /// The value as a double; exact but for 64-bit integers.
    pub fn as_f64(self) -> f64 {
        use Scalar::*;
        match self.scalar {
            Float16 | Min10Float | Min16Float => rtc_base::half::to_f64(self.bits as u16),
            Half | Float => f32::from_bits(self.bits as u32) as f64,
            Double | LitFloat => f64::from_bits(self.bits),
            _ => self.as_int().unwrap_or(0) as f64,
        }
    }
    /// Whether it is not zero.
    pub fn is_true(self) -> bool {
        self.as_int().map_or_else(|| self.as_f64() != 0.0, |n| n != 0)
    }
    /// The same value as another type, converted as the language converts.
    pub fn convert(self, to: Scalar) -> Const {
        match self.as_int() {
            _ if to == Scalar::Bool => Const::bool(self.is_true()),
            Some(n) => Const::int(to, n),
            None => Const::float(to, self.as_f64()),
        }
    }
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
