//! Operations on numbers and their bits that are no single instruction.

use crate::cpu::args::{Args, OpFn, Scalar};
use crate::cpu::thread::Thread;

/// The family.
#[rustfmt::skip]
pub const OPS: &[(&str, OpFn)] = &[
    ("IsNormal", |_, a| each(a, |a, bits| u64::from(is_normal(a.scalar(), bits)))),
    ("FirstbitLo", |_, a| each(a, |a, bits| first_low(cut(a.scalar(), bits)))),
    ("FirstbitHi", |_, a| each(a, |a, bits| first_high(a.scalar(), cut(a.scalar(), bits)))),
    ("FirstbitSHi", |_, a| each(a, |a, bits| first_high_signed(a.scalar(), bits))),
    ("IMul", |_, a| { let p = i64::from(a.i32(0)) * i64::from(a.i32(1)); two(a, (p >> 32) as u32, p as u32) }),
    ("UMul", |_, a| { let p = u64::from(a.u32(0)) * u64::from(a.u32(1)); two(a, (p >> 32) as u32, p as u32) }),
    ("UDiv", |_, a| { let (x, y) = (a.u32(0), a.u32(1)); two(a, x.checked_div(y).unwrap_or(!0), x.checked_rem(y).unwrap_or(!0)) }),
    ("UAddc", |_, a| { let (s, c) = a.u32(0).overflowing_add(a.u32(1)); two(a, s, c.into()) }),
    ("USubb", |_, a| { let (s, c) = a.u32(0).overflowing_sub(a.u32(1)); two(a, s, c.into()) }),
    ("Msad", |_, a| { let v = msad(a.u32(0), a.u32(1), a.u32(2)); a.ret_u32(0, v) }),
    ("Ibfe", |_, a| { let v = ibfe(a.u32(0), a.u32(1), a.u32(2)); a.ret_u32(0, v) }),
    ("Ubfe", |_, a| { let v = ubfe(a.u32(0), a.u32(1), a.u32(2)); a.ret_u32(0, v) }),
    ("Bfi", |_, a| { let v = bfi(a.u32(0), a.u32(1), a.u32(2), a.u32(3)); a.ret_u32(0, v) }),
    ("MakeDouble", |_, a| { let v = a.bits(0) & 0xFFFF_FFFF | a.bits(1) << 32; a.ret(0, v) }),
    ("SplitDouble", |_, a| { let v = a.bits(0); two(a, v as u32, (v >> 32) as u32) }),
    ("LegacyF32ToF16", |_, a| { let v = to_half(a.f32(0)); a.ret_u32(0, v.into()) }),
    ("LegacyF16ToF32", |_, a| { let v = crate::picture::half(a.u32(0) as u16); a.ret_f32(0, v) }),
    ("LegacyDoubleToFloat", |_, a| { let v = a.f64(0) as f32; a.ret_f32(0, v) }),
    ("LegacyDoubleToSInt32", |_, a| { let v = a.f64(0) as i32; a.ret_u32(0, v as u32) }),
    ("LegacyDoubleToUInt32", |_, a| { let v = a.f64(0) as u32; a.ret_u32(0, v) }),
    ("Dot2AddHalf", |_, a| { let h = |i| crate::picture::half(a.u32(i) as u16); let v = a.f32(0) + (h(1) * h(3) + h(2) * h(4)); a.ret_f32(0, v) }),
    ("Dot4AddI8Packed", |_, a| { let v = dot4(a, |x| i32::from(x as i8)); a.ret_u32(0, v) }),
    ("Dot4AddU8Packed", |_, a| { let v = dot4(a, i32::from); a.ret_u32(0, v) }),
    ("Pack4x8", pack),
    ("Unpack4x8", unpack),
    ("CycleCounterLegacy", |_, a| { a.ret_u32(0, 0); a.ret_u32(1, 0) }),
];

/// Applies a function to each component.
fn each(a: &mut Args<'_>, f: impl Fn(&Args<'_>, u64) -> u64) {
    for i in 0..a.lanes().max(1) {
        let v = f(a, a.bits(i));
        a.ret(i, v);
    }
}

fn two(a: &mut Args<'_>, first: u32, second: u32) {
    a.ret_u32(0, first);
    a.ret_u32(1, second);
}

fn width(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::I16 | Scalar::F16 => 16,
        Scalar::I64 | Scalar::F64 => 64,
        Scalar::I8 => 8,
        _ => 32,
    }
}

fn cut(scalar: Scalar, bits: u64) -> u64 {
    bits & (u64::MAX >> (64 - width(scalar)))
}

fn is_normal(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F16 => (1..31).contains(&(bits >> 10 & 31)),
        _ => f32::from_bits(bits as u32).is_normal(),
    }
}

/// The number of the lowest set bit; all ones if there is none.
fn first_low(bits: u64) -> u64 {
    if bits == 0 { 0xFFFF_FFFF } else { bits.trailing_zeros().into() }
}

/// How many bits stand above the highest set one; all ones if there is none.
fn first_high(scalar: Scalar, bits: u64) -> u64 {
    if bits == 0 { 0xFFFF_FFFF } else { (bits.leading_zeros() - (64 - width(scalar))).into() }
}

/// The same for the highest bit that differs from the sign.
fn first_high_signed(scalar: Scalar, bits: u64) -> u64 {
    let bits = cut(scalar, bits);
    let negative = bits >> (width(scalar) - 1) & 1 != 0;
    first_high(scalar, if negative { cut(scalar, !bits) } else { bits })
}

/// Masked sum of absolute differences: bytes of the reference that are zero do not count.
fn msad(reference: u32, source: u32, accum: u32) -> u32 {
    let pairs = reference.to_le_bytes().into_iter().zip(source.to_le_bytes());
    pairs.filter(|p| p.0 != 0).fold(accum, |sum, (r, s)| sum.wrapping_add(r.abs_diff(s).into()))
}

fn ibfe(width: u32, offset: u32, value: u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    match width {
        0 => 0,
        _ if width + offset < 32 => (((value << (32 - width - offset)) as i32) >> (32 - width)) as u32,
        _ => ((value as i32) >> offset) as u32,
    }
}

fn ubfe(width: u32, offset: u32, value: u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    match width {
        0 => 0,
        _ if width + offset < 32 => value << (32 - width - offset) >> (32 - width),
        _ => value >> offset,
    }
}

fn bfi(width: u32, offset: u32, value: u32, replaced: u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    let mask = ((1u32 << width) - 1) << offset;
    value << offset & mask | replaced & !mask
}

fn dot4(a: &Args<'_>, f: impl Fn(u8) -> i32) -> u32 {
    let (x, y) = (a.u32(1).to_le_bytes(), a.u32(2).to_le_bytes());
    x.iter().zip(y).fold(a.u32(0), |sum, (&x, y)| sum.wrapping_add((f(x) * f(y)) as u32))
}

/// `Pack4x8(mode, x, y, z, w)`: mode 0 truncates, 1 clamps to unsigned bytes, 2 to signed ones.
fn pack(_: &mut Thread<'_>, a: &mut Args<'_>) {
    let sixteen = a.scalar() == Scalar::I16;
    let mut out = [0; 4];
    for (i, byte) in out.iter_mut().enumerate() {
        let v = if sixteen { i32::from(a.bits(i + 1) as i16) } else { a.i32(i + 1) };
        *byte = match a.u32(0) {
            1 => v.clamp(0, 255) as u8,
            2 => v.clamp(-128, 127) as u8,
            _ => v as u8,
        };
    }
    a.ret_u32(0, u32::from_le_bytes(out));
}

/// `Unpack4x8(mode, packed)`: mode 0 extends with zeros, 1 with the sign.
fn unpack(_: &mut Thread<'_>, a: &mut Args<'_>) {
    let (signed, bytes) = (a.u32(0) == 1, a.u32(1).to_le_bytes());
    for (i, b) in bytes.into_iter().enumerate() {
        let v = if signed { i32::from(b as i8) as u32 } else { b.into() };
        a.ret_u32(i, v);
    }
}

/// The half nearest to a float, ties to even.
pub fn to_half(value: f32) -> u16 {
    let bits = value.to_bits();
    let (sign, exponent, fraction) = ((bits >> 16 & 0x8000) as u16, (bits >> 23 & 255) as i32 - 127, bits & 0x7F_FFFF);
    if exponent == 128 {
        return sign | 0x7C00 | if fraction != 0 { 0x200 } else { 0 };
    }
    // The value as an integer of eleven or fewer bits and what is cut off.
    let (mantissa, shift) = match exponent {
        16.. => return sign | 0x7C00,
        -14.. => (((exponent + 15) as u32) << 23 | fraction, 13),
        -25..-14 => (fraction | 0x80_0000, (-1 - exponent) as u32),
        _ => return sign,
    };
    let (kept, cut) = (mantissa >> shift, mantissa & ((1 << shift) - 1));
    let half = 1 << (shift - 1);
    let up = cut > half || cut == half && kept & 1 == 1;
    sign | (kept + u32::from(up)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_bits() {
        assert_eq!(ubfe(4, 8, 0xABCD_EF12), 0xF);
        assert_eq!(ibfe(4, 8, 0xABCD_EF12), !0);
        assert_eq!((ubfe(0, 3, !0), ubfe(31, 31, !0), ibfe(8, 28, 0x7000_0000)), (0, 1, 7));
        assert_eq!(bfi(8, 4, 0xFF, 0), 0xFF0);
        assert_eq!(msad(0x00FF_0102, 0x0000_0203, 10), 10 + 255 + 1 + 1);
    }

    #[test]
    fn first_bits() {
        assert_eq!(first_high(Scalar::I32, 1), 31);
        assert_eq!(first_high(Scalar::I16, 1), 15);
        assert_eq!(first_high_signed(Scalar::I32, 0xFFFF_FFFE), 31);
        assert_eq!((first_low(8), first_low(0)), (3, 0xFFFF_FFFF));
    }

    #[test]
    fn halves_round_trip_and_round_to_even() {
        for bits in 0..=u16::MAX {
            let wide = crate::picture::half(bits);
            if !wide.is_nan() {
                assert_eq!(to_half(wide), bits, "{wide}");
            }
        }
        assert!(crate::picture::half(to_half(f32::NAN)).is_nan());
        assert_eq!((to_half(65519.9), to_half(65520.0), to_half(2049.0), to_half(2051.0)), (0x7BFF, 0x7C00, 0x6800, 0x6802));
        assert_eq!((to_half(2f32.powi(-25)), to_half(2f32.powi(-25) * 1.5), to_half(-1e-30)), (0, 1, 0x8000));
    }
}
