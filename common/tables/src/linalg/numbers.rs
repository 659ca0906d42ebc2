//! The numbers of component types: bits to values and back, by the conversion rules of linear algebra.
//!
//! | from, to | result |
//! |---|---|
//! | integer, integer | saturated |
//! | integer, float | rounded to the nearest one, ties to even |
//! | float, integer | rounded to the nearest one, ties to even, and saturated; 0 of a NaN |
//! | float, float | rounded to the nearest one, ties to even; too large is infinite, or the largest number of a type without infinity |

use super::{Component, component_of};

/// A number of any component type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Of an integer type.
    Int(i128),
    /// Of a floating-point type: every number of each is a double.
    Float(f64),
}

/// How a component type encodes numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Two's complement of so many bits.
    Signed(u32),
    /// An integer without sign of so many bits.
    Unsigned(u32),
    /// A float.
    Float(FloatFormat),
}

/// A floating-point format: a sign, an exponent, a fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatFormat {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction.
    pub fraction: u32,
    /// Whether the largest exponent is that of infinity and NaNs; otherwise only all ones is a NaN.
    pub infinite: bool,
}

const fn float(exponent: u32, fraction: u32, infinite: bool) -> Encoding {
    Encoding::Float(FloatFormat { exponent, fraction, infinite })
}

impl FloatFormat {
    /// What is added to an exponent.
    pub fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }
    /// The bits of what is too large.
    pub fn overflow(self) -> u64 {
        let top = (1 << (self.exponent + self.fraction)) - 1;
        if self.infinite { top & !((1 << self.fraction) - 1) } else { top - 1 }
    }
    /// The bits of a NaN.
    pub fn nan(self) -> u64 {
        let top = (1 << (self.exponent + self.fraction)) - 1;
        if self.infinite { self.overflow() | 1 << (self.fraction - 1) } else { top }
    }
    fn sign(self) -> u32 {
        self.exponent + self.fraction
    }
    fn encode(self, x: f64) -> u64 {
        let sign = u64::from(x.is_sign_negative()) << self.sign();
        if x.is_nan() {
            return sign | self.nan();
        }
        let x = x.abs();
        if x.is_infinite() {
            return sign | self.overflow();
        }
        // Numbers below the least normal one have its exponent.
        let exponent = ((x.to_bits() >> 52) as i32 - 1023).max(1 - self.bias());
        let unit = exponent - self.fraction as i32;
        // Divided by a power of two in two steps, each of which is in range.
        let steps = (x * power(-unit / 2) * power(-unit - -unit / 2)).round_ties_even() as u64;
        let bits = ((exponent + self.bias()) as u64) << self.fraction;
        sign | (bits + steps - (1 << self.fraction)).min(self.overflow())
    }
    fn decode(self, bits: u64) -> f64 {
        let sign = if bits >> self.sign() & 1 == 1 { -1.0 } else { 1.0 };
        let magnitude = bits & ((1 << self.sign()) - 1);
        let field = (magnitude >> self.fraction) as i32;
        let fraction = magnitude & ((1 << self.fraction) - 1);
        if self.infinite && magnitude >= self.overflow() {
            return if magnitude == self.overflow() { sign * f64::INFINITY } else { f64::NAN };
        }
        if !self.infinite && magnitude > self.overflow() {
            return f64::NAN;
        }
        let hidden = if field > 0 { 1 << self.fraction } else { 0 };
        let unit = field.max(1) - self.bias() - self.fraction as i32;
        sign * (hidden + fraction) as f64 * power(unit / 2) * power(unit - unit / 2)
    }
}

/// Two to the power of `n`, which is the exponent of a normal double.
fn power(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

impl Component {
    /// How it encodes numbers; none of types that no matrix has.
    pub fn encoding(&self) -> Option<Encoding> {
        Some(match self.name {
            "I8" => Encoding::Signed(8),
            "I16" => Encoding::Signed(16),
            "I32" => Encoding::Signed(32),
            "I64" => Encoding::Signed(64),
            "U8" => Encoding::Unsigned(8),
            "U16" => Encoding::Unsigned(16),
            "U32" => Encoding::Unsigned(32),
            "U64" => Encoding::Unsigned(64),
            "F8_E4M3FN" => float(4, 3, false),
            "F8_E5M2" => float(5, 2, true),
            "F16" => float(5, 10, true),
            "BFloat16" => float(8, 7, true),
            "F32" => float(8, 23, true),
            "F64" => float(11, 52, true),
            _ => return None,
        })
    }
}

/// How the component type with this number encodes numbers.
pub fn encoding_of(number: u32) -> Option<Encoding> {
    component_of(number).and_then(Component::encoding)
}

impl Encoding {
    /// Bits of a number.
    pub fn bits(self) -> u32 {
        match self {
            Encoding::Signed(n) | Encoding::Unsigned(n) => n,
            Encoding::Float(f) => 1 + f.exponent + f.fraction,
        }
    }
    /// Bytes of a number.
    pub fn bytes(self) -> u32 {
        self.bits() / 8
    }
    /// Whether it is floating-point.
    pub fn is_float(self) -> bool {
        matches!(self, Encoding::Float(_))
    }
    /// Whether numbers have a sign.
    pub fn is_signed(self) -> bool {
        !matches!(self, Encoding::Unsigned(_))
    }
    /// The number with these bits; higher ones do not count.
    pub fn decode(self, bits: u64) -> Number {
        match self {
            Encoding::Signed(n) => Number::Int(((bits << (64 - n)) as i64 >> (64 - n)).into()),
            Encoding::Unsigned(n) => Number::Int((bits << (64 - n) >> (64 - n)).into()),
            Encoding::Float(f) => Number::Float(match f.fraction {
                52 => f64::from_bits(bits),
                23 => f32::from_bits(bits as u32).into(),
                _ => f.decode(bits),
            }),
        }
    }
    /// The bits of a number, converted.
    pub fn encode(self, number: Number) -> u64 {
        match (self, number) {
            (Encoding::Float(f), Number::Float(x)) => match f.fraction {
                52 => x.to_bits(),
                23 => u64::from((x as f32).to_bits()),
                _ => f.encode(x),
            },
            (Encoding::Float(f), Number::Int(n)) => match f.fraction {
                52 => (n as f64).to_bits(),
                23 => u64::from((n as f32).to_bits()),
                _ => f.encode(to_odd(n)),
            },
            (_, Number::Int(n)) => self.saturate(n),
            // `as` makes 0 of a NaN.
            (_, Number::Float(x)) => self.saturate(x.round_ties_even() as i128),
        }
    }
    fn saturate(self, n: i128) -> u64 {
        let bits = self.bits();
        let (low, high) = match self {
            Encoding::Signed(_) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            _ => (0, (1 << bits) - 1),
        };
        n.clamp(low, high) as u64 & (u64::MAX >> (64 - bits))
    }
}

/// An integer as a double that every smaller format rounds to what it rounds the integer to: the last bit also holds whether there are lower ones.
fn to_odd(n: i128) -> f64 {
    let size = n.unsigned_abs();
    let shift = (128 - size.leading_zeros()).saturating_sub(53);
    let kept = (size >> shift) as u64 | u64::from(size & ((1 << shift) - 1) != 0);
    let x = kept as f64 * power(shift as i32);
    if n < 0 { -x } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(number: u32) -> Encoding {
        encoding_of(number).expect("a type of matrices")
    }
    const E4M3: u32 = 21;
    const E5M2: u32 = 22;

    #[test]
    fn every_small_float_is_read_back() {
        for (number, bits) in [(E4M3, 8), (E5M2, 8), (8, 16), (23, 16)] {
            let e = of(number);
            for b in 0..1u64 << bits {
                let n = e.decode(b);
                let Number::Float(x) = n else { panic!("{n:?}") };
                if !x.is_nan() {
                    assert_eq!(e.encode(n), b, "{number} {b:#x} {x}");
                }
            }
        }
    }

    #[test]
    fn halves_are_those_of_the_machine() {
        for n in 0..40_000u32 {
            let x = f32::from_bits(n.wrapping_mul(107_374));
            let bits = u64::from(x.to_bits());
            let half = rtc_half(x);
            if !x.is_nan() {
                assert_eq!(of(8).encode(of(9).decode(bits)), u64::from(half), "{x}");
            }
        }
    }

    /// A half by the definition: of all finite ones the nearest.
    fn rtc_half(x: f32) -> u16 {
        let size = f64::from(x.abs());
        let value = |b: u16| {
            if b == 0x7c00 {
                65536.0
            } else {
                f64::from(b & 0x3ff | if b >> 10 > 0 { 0x400 } else { 0 }) * power(i32::from((b >> 10).max(1)) - 25)
            }
        };
        let (mut low, mut high) = (0u16, 0x7c00u16);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if value(middle) <= size { low = middle } else { high = middle }
        }
        let (down, up) = (size - value(low), value(high) - size);
        let near = if up < down || up == down && high & 1 == 0 { high } else { low };
        near.min(0x7c00) | if x.is_sign_negative() { 0x8000 } else { 0 }
    }

    #[test]
    fn small_floats_are_rounded_to_even_and_end() {
        let e4 = |x: f64| of(E4M3).encode(Number::Float(x));
        let e5 = |x: f64| of(E5M2).encode(Number::Float(x));
        // 1.0 is 0x38, its neighbours 1.125 and 1.25.
        assert_eq!([e4(1.0), e4(1.0625), e4(1.1875), e4(1.07), e4(-1.0)], [0x38, 0x38, 0x3a, 0x39, 0xb8]);
        assert_eq!([e4(448.0), e4(464.0), e4(1e9), e4(f64::INFINITY), e4(-500.0)], [0x7e, 0x7e, 0x7e, 0x7e, 0xfe]);
        assert_eq!([e4(0.001953125), e4(0.0009765625), e4(0.000976563), e4(0.015625), e4(-0.0)], [1, 0, 1, 8, 0x80]);
        assert_eq!([e5(57344.0), e5(61439.0), e5(61440.0), e5(f64::INFINITY)], [0x7b, 0x7b, 0x7c, 0x7c]);
        assert_eq!([e5(1.0), e5(1.125), e5(1.375), e5(1.52587890625e-5)], [0x3c, 0x3c, 0x3e, 1]);
        assert_eq!([e4(f64::NAN) & 0x7f, e5(f64::NAN) & 0x7f], [0x7f, 0x7e]);
    }

    #[test]
    fn integers_saturate_and_round() {
        let to = |number, n| of(number).encode(n);
        assert_eq!(
            [to(19, Number::Int(300)), to(19, Number::Int(-300)), to(20, Number::Int(-1)), to(20, Number::Int(256))],
            [0x7f, 0x80, 0, 255]
        );
        assert_eq!([to(4, Number::Float(2.5)), to(4, Number::Float(3.5)), to(4, Number::Float(-2.5))], [2, 4, 0xffff_fffe]);
        assert_eq!([to(4, Number::Float(1e20)), to(5, Number::Float(-3.0)), to(4, Number::Float(f64::NAN))], [0x7fff_ffff, 0, 0]);
        assert_eq!([to(7, Number::Float(1e30)), to(6, Number::Float(-1e30))], [u64::MAX, 1 << 63]);
        // One more than half of the distance between two numbers of BFloat16, in the last bit of 64.
        assert_eq!(to(23, Number::Int((1 << 63) + (1 << 55) + 1)), 0x5f01);
        assert_eq!(to(23, Number::Int((1 << 63) + (1 << 55))), 0x5f00);
        assert_eq!(to(9, Number::Int(16_777_217)), u64::from(16_777_216f32.to_bits()));
    }
}
