//! Numbers as LLVM writes them: decimal with six places where that is exact, otherwise the bits of
//! the number as a double.

use std::fmt::Write;

/// Writes a `float` from its bits.
pub fn single(out: &mut String, bits: u32) {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        let sign = u64::from(bits >> 31) << 63;
        let payload = u64::from(bits & 0x7F_FFFF) << 29;
        let _ = write!(out, "0x{:X}", sign | 0x7FF << 52 | payload);
    } else {
        double(out, f64::from(value).to_bits());
    }
}

/// Writes a `double` from its bits.
pub fn double(out: &mut String, bits: u64) {
    let value = f64::from_bits(bits);
    if value.is_finite() {
        let text = exponent(value);
        if text.parse() == Ok(value) {
            out.push_str(&text);
            return;
        }
    }
    let _ = write!(out, "0x{bits:X}");
}

/// Writes a `half` from its bits.
pub fn half(out: &mut String, bits: u16) {
    let _ = write!(out, "0xH{bits:04X}");
}

/// C's `%e`: six places and at least two digits of exponent, with its sign.
fn exponent(value: f64) -> String {
    let text = format!("{value:.6e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, digits) = match exponent.strip_prefix('-') {
                Some(digits) => ('-', digits),
                None => ('+', exponent),
            };
            format!("{mantissa}e{sign}{digits:0>2}")
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(value: f32) -> String {
        let mut out = String::new();
        single(&mut out, value.to_bits());
        out
    }

    #[test]
    fn exact_numbers_are_decimal() {
        assert_eq!(float(10000.0), "1.000000e+04");
        assert_eq!(float(-0.0), "-0.000000e+00");
        assert_eq!(float(0.5), "5.000000e-01");
        assert_eq!(float(1e-20f32 * 0.0), "0.000000e+00");
    }

    #[test]
    fn others_are_bits() {
        assert_eq!(float(0.001), "0x3F50624DE0000000");
        assert_eq!(float(f32::INFINITY), "0x7FF0000000000000");
        assert_eq!(float(f32::NAN), "0x7FF8000000000000");
        let mut out = String::new();
        half(&mut out, 0x3C00);
        assert_eq!(out, "0xH3C00");
    }
}
