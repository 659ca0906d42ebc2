//! Conversions between IEEE half precision (`f16`, as bits: Rust has no stable type) and `f32` and `f64`.
//!
//! Constants of the compiler, texels and the arithmetic of the CPU device use these functions. (The crate `half` rounds a double
//! twice.) NaNs become quiet NaNs and keep their sign.

/// The bits of infinity; smaller encodings are finite, larger ones are NaNs.
const INFINITY: u16 = 0x7c00;
/// A quiet NaN.
const NAN: u16 = 0x7e00;

/// The bits of the `f16` nearest to `x`, ties to even.
pub fn from_f64(x: f64) -> u16 {
    let bits = x.to_bits();
    let sign = ((bits >> 48) & 0x8000) as u16;
    let exp = ((bits >> 52) & 0x7ff) as i32;
    let frac = bits & ((1 << 52) - 1);
    if exp == 0x7ff {
        return sign | if frac != 0 { NAN } else { INFINITY };
    }
    let e = exp - 1023;
    if e > 15 {
        return sign | INFINITY;
    }
    // The significand with 52 fraction bits, to be shifted so that 10 (or fewer, if subnormal) remain.
    let significand = frac | 1 << 52;
    let (shift, base) = if e >= -14 { (42, (e + 15) as u64) } else { ((42 - 14 - e).min(63), 0) };
    let kept = significand >> shift;
    let rest = significand & ((1 << shift) - 1);
    let half = 1u64 << (shift - 1);
    let round = rest > half || (rest == half && kept & 1 == 1);
    let mantissa = kept + u64::from(round);
    // A normal number's hidden bit adds one to the exponent field.
    let out = if base > 0 { ((base - 1) << 10) + mantissa } else { mantissa };
    sign | out.min(INFINITY.into()) as u16
}

/// The bits of the half nearest to `x`, ties to even: [`from_f64`] in few instructions.
pub fn from_f32(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | NAN;
    }
    // 65520 is halfway between the largest `f16` and the next power of two: it and everything above is infinite.
    if magnitude >= 0x477f_f000 {
        return sign | INFINITY;
    }
    if magnitude < 0x3880_0000 {
        // Subnormal: adding 0.5 moves the remaining bits to the end, rounded by the machine.
        let sum = f32::from_bits(magnitude) + 0.5;
        return sign | (sum.to_bits() - 0.5f32.to_bits()) as u16;
    }
    let odd = magnitude >> 13 & 1;
    let rounded = magnitude - (112 << 23) + 0xfff + odd;
    sign | (rounded >> 13) as u16
}

/// The value of an `f16`.
#[inline]
pub fn to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let rest = u32::from(bits & 0x7fff);
    let magnitude = match rest >> 10 {
        // Exact: ten bits times a power of two.
        0 => (rest as f32 * f32::from_bits(0x3380_0000)).to_bits(),
        31 => 0x7f80_0000 | (rest & 0x3ff) << 13,
        _ => (rest << 13) + (112 << 23),
    };
    f32::from_bits(sign | magnitude)
}

/// The value of an `f16`.
pub fn to_f64(bits: u16) -> f64 {
    to_f32(bits).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value by the definition of the format.
    fn value(bits: u16) -> f64 {
        let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
        let magnitude = match exponent {
            0 => fraction * 2f64.powi(-24),
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            e => (1.0 + fraction / 1024.0) * 2f64.powi(e - 15),
        };
        if bits & 0x8000 != 0 { -magnitude } else { magnitude }
    }

    #[test]
    fn every_half_is_its_value_and_round_trips() {
        for bits in 0..=u16::MAX {
            let is = value(bits);
            if is.is_nan() {
                assert!(to_f32(bits).is_nan() && to_f64(bits).is_nan(), "{bits:#06x}");
                let quiet = bits & 0x8000 | NAN;
                assert_eq!((from_f32(to_f32(bits)), from_f64(to_f64(bits))), (quiet, quiet), "{bits:#06x}");
            } else {
                assert_eq!((f64::from(to_f32(bits)).to_bits(), to_f64(bits).to_bits()), (is.to_bits(), is.to_bits()), "{bits:#06x}");
                assert_eq!((from_f32(to_f32(bits)), from_f64(is)), (bits, bits), "{bits:#06x}");
            }
        }
    }

    /// The midpoint of two neighbours is rounded to the even one, any other number to the nearer one.
    #[test]
    fn ties_go_to_even_and_the_rest_to_the_nearest() {
        for bits in (0..0x7bffu16).chain(0x8000..0xfbff) {
            let middle = (value(bits) + value(bits + 1)) / 2.0;
            let even = bits + (bits & 1);
            let single = middle as f32;
            assert_eq!(f64::from(single), middle);
            for (n, wanted) in [(0, even), (1, bits + 1), (-1, bits)] {
                assert_eq!(from_f32(f32::from_bits(single.to_bits().wrapping_add_signed(n))), wanted, "{bits:#06x}");
                assert_eq!(from_f64(f64::from_bits(middle.to_bits().wrapping_add_signed(n.into()))), wanted, "{bits:#06x}");
            }
        }
    }

    /// Every exponent of a float, with fractions at which something changes.
    #[test]
    fn singles_round_as_doubles_do() {
        for exponent in 0..=255u32 {
            for low in [0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2000, 0x3000, 0x7f_e000, 0x7f_efff, 0x7f_f000, 0x7f_f001, 0x7f_ffff] {
                for sign in [0, 1 << 31] {
                    let x = f32::from_bits(sign | exponent << 23 | low);
                    assert_eq!(from_f32(x), from_f64(x.into()), "{x:e}");
                }
            }
        }
    }

    #[test]
    fn ends_of_the_range() {
        for (x, bits) in [(65519.0, 0x7bff), (65520.0, 0x7c00), (-1e9, 0xfc00), (-0.0, 0x8000), (2049.0, 0x6800), (2051.0, 0x6802)] {
            assert_eq!((from_f32(x), from_f64(x.into())), (bits, bits), "{x}");
        }
        for (x, bits) in [(65519.9, 0x7bff), (1e-300, 0), (2f64.powi(-25), 0), (2f64.powi(-25) * 1.5, 1), (-1e-30, 0x8000)] {
            assert_eq!(from_f64(x), bits, "{x:e}");
        }
        // More than a float has: a tie of which the last bit of a double decides.
        assert_eq!(from_f64(1.0 + 2f64.powi(-11) + 2f64.powi(-52)), 0x3c01);
    }
}
