//! IEEE half precision, as bits: Rust has no stable `f16`.

/// The bits of the half nearest to `x`, ties to even.
pub fn from_f64(x: f64) -> u16 {
    let bits = x.to_bits();
    let sign = ((bits >> 48) & 0x8000) as u16;
    let exp = ((bits >> 52) & 0x7ff) as i32;
    let frac = bits & ((1 << 52) - 1);
    if exp == 0x7ff {
        return sign | 0x7c00 | if frac != 0 { 0x200 } else { 0 };
    }
    let e = exp - 1023;
    if e > 15 {
        return sign | 0x7c00;
    }
    // The significand with 52 fraction bits, to be shifted so that 10 (or fewer, if subnormal) remain.
    let significand = frac | 1 << 52;
    let (shift, base) = if e >= -14 {
        (42, (e + 15) as u64)
    } else {
        ((42 - 14 - e).min(63), 0)
    };
    let kept = significand >> shift;
    let rest = significand & ((1 << shift) - 1);
    let half = 1u64 << (shift - 1);
    let round = rest > half || (rest == half && kept & 1 == 1);
    let mantissa = kept + round as u64;
    // A normal number's hidden bit adds one to the exponent field.
    let out = if base > 0 {
        ((base - 1) << 10) + mantissa
    } else {
        mantissa
    };
    sign | out.min(0x7c00) as u16
}

/// The value of a half.
pub fn to_f64(bits: u16) -> f64 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let exp = (bits >> 10) & 31;
    let frac = f64::from(bits & 0x3ff);
    sign * match exp {
        0 => frac * 2f64.powi(-24),
        31 if frac == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + frac / 1024.0) * 2f64.powi(i32::from(e) - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn every_half_round_trips() {
        for b in 0..=u16::MAX {
            let x = to_f64(b);
            if x.is_nan() {
                assert!(to_f64(from_f64(x)).is_nan());
            } else {
                assert_eq!(from_f64(x), b, "{x}");
            }
        }
    }
    #[test]
    fn ties_go_to_even() {
        assert_eq!(from_f64(1.0 + 1.0 / 2048.0), 0x3c00);
        assert_eq!(from_f64(1.0 + 3.0 / 2048.0), 0x3c02);
        assert_eq!(from_f64(65519.9), 0x7bff);
        assert_eq!(from_f64(65520.0), 0x7c00);
        assert_eq!(from_f64(2f64.powi(-25)), 0);
        assert_eq!(from_f64(1e-300), 0);
    }
}
