//! Numbers of constants as SPIR-V listings have them.

use rspirv::binary::Disassemble;
use rspirv::dr::Operand;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Signed,
    Unsigned,
    /// Of IEEE 754, with so many bits.
    Float(u32),
}

/// A number of a type.
pub fn number(value: &Operand, ty: Option<Scalar>) -> String {
    match (value, ty) {
        (Operand::LiteralBit32(n), Some(Scalar::Signed)) => n.cast_signed().to_string(),
        (Operand::LiteralBit64(n), Some(Scalar::Signed)) => n.cast_signed().to_string(),
        (Operand::LiteralBit32(n), Some(Scalar::Float(16))) => hexadecimal(u64::from(*n), 5, 10),
        (Operand::LiteralBit32(n), Some(Scalar::Float(32))) => {
            let value = f32::from_bits(*n);
            // Nine digits are enough to tell all numbers apart.
            let plain = value.is_normal() || value == 0.0;
            if plain { decimal(f64::from(value), 9) } else { hexadecimal(u64::from(*n), 8, 23) }
        }
        (Operand::LiteralBit64(n), Some(Scalar::Float(64))) => {
            let value = f64::from_bits(*n);
            let plain = value.is_normal() || value == 0.0;
            if plain { decimal(value, 17) } else { hexadecimal(*n, 11, 52) }
        }
        _ => value.disassemble(),
    }
}

/// With so many significant digits, without zeros at the end, and with an exponent where C's `%g` has one.
fn decimal(value: f64, digits: usize) -> String {
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed =
        |text: &str| if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() };
    match usize::try_from(exponent + 4) {
        Ok(above) if above < digits + 4 => trimmed(&format!("{value:.*}", digits + 3 - above)),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
        }
    }
}

/// With the bits of the fraction as hexadecimal digits and an exponent of two; infinities and NaN, too.
fn hexadecimal(bits: u64, exponent_bits: u32, fraction_bits: u32) -> String {
    let sign = if bits >> (exponent_bits + fraction_bits) & 1 == 1 { "-" } else { "" };
    let biased = (bits >> fraction_bits & ((1 << exponent_bits) - 1)).cast_signed();
    let mut fraction = bits & ((1 << fraction_bits) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    let mut exponent = biased - bias;
    if biased == 0 {
        if fraction == 0 {
            return format!("{sign}0x0p+0");
        }
        // The highest bit becomes the one before the point.
        let shift = fraction.leading_zeros() - (63 - fraction_bits);
        fraction = fraction << shift & ((1 << fraction_bits) - 1);
        exponent = 1 - bias - i64::from(shift);
    }
    let nibbles = fraction_bits.div_ceil(4);
    let digits = format!("{:0width$x}", fraction << (nibbles * 4 - fraction_bits), width = nibbles as usize);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x1{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn floats_have_the_digits_of_c() {
        let single = |x: f32| number(&Operand::LiteralBit32(x.to_bits()), Some(Scalar::Float(32)));
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (0.1, "0.100000001"),
            (-2.25, "-2.25"),
            (1e9, "1e+09"),
            (123_456_792.0, "123456792"),
            (0.0001, "9.99999975e-05"),
            (0.000_125, "0.000125000006"),
            (f32::MAX, "3.40282347e+38"),
            (f32::INFINITY, "0x1p+128"),
            (f32::NEG_INFINITY, "-0x1p+128"),
            (f32::from_bits(1), "0x1p-149"),
            (f32::from_bits(0x0060_0000), "0x1.8p-127"),
        ] {
            assert_eq!(single(value), text);
        }
        assert_eq!(number(&Operand::LiteralBit64(0.1f64.to_bits()), Some(Scalar::Float(64))), "0.10000000000000001");
        for (bits, text) in [(0x3c00, "0x1p+0"), (0xc100, "-0x1.4p+1"), (0x7c00, "0x1p+16"), (1, "0x1p-24"), (0, "0x0p+0")] {
            assert_eq!(number(&Operand::LiteralBit32(bits), Some(Scalar::Float(16))), text);
        }
    }
}
