//! Constants in text. A finite number is printed as the shortest decimal that parses to the same bits; everything else
//! (infinities, not-a-numbers, bits that do not fit the type) as hexadecimal bits.

use std::fmt::Write;

use crate::Scalar;
use rtc_base::half;

/// Writes the constant `bits` of scalar type `s`.
pub(super) fn write(out: &mut String, s: Option<Scalar>, bits: u64) {
    let fits = |w: u32| w == 64 || bits >> w == 0;
    let _ = match s {
        Some(Scalar::Bool) if bits < 2 => write!(out, "{}", bits == 1),
        Some(Scalar::I16) if fits(16) => write!(out, "{}", bits as i16),
        Some(Scalar::I32) if fits(32) => write!(out, "{}", bits as i32),
        Some(Scalar::I64) => write!(out, "{}", bits as i64),
        Some(Scalar::F16) if fits(16) && half::to_f64(bits as u16).is_finite() => {
            write!(out, "{:?}", half::to_f64(bits as u16))
        }
        Some(Scalar::F32) if fits(32) && f32::from_bits(bits as u32).is_finite() => {
            write!(out, "{:?}", f32::from_bits(bits as u32))
        }
        Some(Scalar::F64) if f64::from_bits(bits).is_finite() => {
            write!(out, "{:?}", f64::from_bits(bits))
        }
        _ => write!(out, "{bits:#x}"),
    };
}

/// The bits of literal `text` as a constant of scalar type `s`.
pub(super) fn read(text: &str, s: Option<Scalar>) -> Option<u64> {
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    match s? {
        Scalar::Bool => match text {
            "false" => Some(0),
            "true" => Some(1),
            _ => None,
        },
        s @ (Scalar::I16 | Scalar::I32 | Scalar::I64) => {
            let n: i128 = text.parse().ok()?;
            let w = s.bits();
            let ok = -(1i128 << (w - 1)) <= n && n < 1i128 << w;
            ok.then_some(n as u64 & (u64::MAX >> (64 - w)))
        }
        Scalar::F16 => Some(half::from_f64(text.parse().ok()?) as u64),
        Scalar::F32 => Some(text.parse::<f32>().ok()?.to_bits() as u64),
        Scalar::F64 => Some(text.parse::<f64>().ok()?.to_bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_number_reads_back() {
        let f = |x: f32| x.to_bits() as u64;
        let numbers = [0, 1, 0x7fff, 0x8000, 0xffff, 0x8000_0000, 0xffff_ffff];
        let odd = [f(0.1), f(-0.0), f(f32::INFINITY), f(f32::NAN), f(1e-45)];
        let wide = [u64::MAX, 1 << 63, 1.5f64.to_bits(), f64::MIN.to_bits()];
        for (s, _) in Scalar::ALL {
            for bits in numbers.into_iter().chain(odd).chain(wide) {
                let mut text = String::new();
                write(&mut text, Some(s), bits);
                assert_eq!(read(&text, Some(s)), Some(bits), "{text} as {s:?}");
            }
        }
    }
}
