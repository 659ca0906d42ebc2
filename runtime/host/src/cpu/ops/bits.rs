//! Bit operations and packed arithmetic that are no single LLVM instruction.

use crate::cpu::args::{Args, Scalar};
use crate::cpu::ops::OpFn;
use crate::cpu::thread::Thread;
use rtc_base::half;
use rtc_tables::dxil_ops::{DxOp, op};

/// The family.
#[rustfmt::skip]
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::IS_NORMAL, |_, a| each(a, |a, bits| u64::from(is_normal(a.scalar(), bits)))),
    (op::FIRSTBIT_LO, |_, a| each(a, |a, bits| first_low(cut(a.scalar(), bits)))),
    (op::FIRSTBIT_HI, |_, a| each(a, |a, bits| first_high(a.scalar(), cut(a.scalar(), bits)))),
    (op::FIRSTBIT_SHI, |_, a| each(a, |a, bits| first_high_signed(a.scalar(), bits))),
    (op::IMUL, |_, a| { let p = i64::from(a.i32(0)) * i64::from(a.i32(1)); two(a, (p >> 32) as u32, p as u32) }),
    (op::UMUL, |_, a| { let p = u64::from(a.u32(0)) * u64::from(a.u32(1)); two(a, (p >> 32) as u32, p as u32) }),
    (op::UDIV, |_, a| { let (x, y) = (a.u32(0), a.u32(1)); two(a, x.checked_div(y).unwrap_or(!0), x.checked_rem(y).unwrap_or(!0)) }),
    (op::UADDC, |_, a| { let (s, c) = a.u32(0).overflowing_add(a.u32(1)); two(a, s, c.into()) }),
    (op::USUBB, |_, a| { let (s, c) = a.u32(0).overflowing_sub(a.u32(1)); two(a, s, c.into()) }),
    (op::MSAD, |_, a| { let v = msad(a.u32(0), a.u32(1), a.u32(2)); a.ret_u32(0, v) }),
    (op::IBFE, |_, a| { let v = ibfe(a.u32(0), a.u32(1), a.u32(2)); a.ret_u32(0, v) }),
    (op::UBFE, |_, a| { let v = ubfe(a.u32(0), a.u32(1), a.u32(2)); a.ret_u32(0, v) }),
    (op::BFI, |_, a| { let v = bfi(a.u32(0), a.u32(1), a.u32(2), a.u32(3)); a.ret_u32(0, v) }),
    (op::MAKE_DOUBLE, |_, a| { let v = a.bits(0) & 0xFFFF_FFFF | a.bits(1) << 32; a.ret(0, v) }),
    (op::SPLIT_DOUBLE, |_, a| { let v = a.bits(0); two(a, v as u32, (v >> 32) as u32) }),
    (op::LEGACY_F32_TO_F16, |_, a| { let v = half::from_f32(a.f32(0)); a.ret_u32(0, v.into()) }),
    (op::LEGACY_F16_TO_F32, |_, a| { let v = half::to_f32(a.u32(0) as u16); a.ret_f32(0, v) }),
    (op::LEGACY_DOUBLE_TO_FLOAT, |_, a| { let v = a.f64(0) as f32; a.ret_f32(0, v) }),
    (op::LEGACY_DOUBLE_TO_SINT32, |_, a| { let v = a.f64(0) as i32; a.ret_u32(0, v as u32) }),
    (op::LEGACY_DOUBLE_TO_UINT32, |_, a| { let v = a.f64(0) as u32; a.ret_u32(0, v) }),
    (op::DOT2_ADD_HALF, |_, a| { let h = |i| half::to_f32(a.u32(i) as u16); let v = a.f32(0) + (h(1) * h(3) + h(2) * h(4)); a.ret_f32(0, v) }),
    (op::DOT4_ADD_I8_PACKED, |_, a| { let v = dot4(a, |x| i32::from(x as i8)); a.ret_u32(0, v) }),
    (op::DOT4_ADD_U8_PACKED, |_, a| { let v = dot4(a, i32::from); a.ret_u32(0, v) }),
    (op::PACK_4X8, pack),
    (op::UNPACK_4X8, unpack),
    (op::CYCLE_COUNTER_LEGACY, |_, a| { a.ret_u32(0, 0); a.ret_u32(1, 0) }),
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

/// The index of the lowest set bit; all ones if there is none.
fn first_low(bits: u64) -> u64 {
    if bits == 0 { 0xFFFF_FFFF } else { bits.trailing_zeros().into() }
}

/// The number of bits above the highest set one; all ones if there is none.
fn first_high(scalar: Scalar, bits: u64) -> u64 {
    if bits == 0 { 0xFFFF_FFFF } else { (bits.leading_zeros() - (64 - width(scalar))).into() }
}

/// The same for the highest bit that differs from the sign.
fn first_high_signed(scalar: Scalar, bits: u64) -> u64 {
    let bits = cut(scalar, bits);
    let negative = bits >> (width(scalar) - 1) & 1 != 0;
    first_high(scalar, if negative { cut(scalar, !bits) } else { bits })
}

/// Masked sum of absolute differences: zero bytes of the reference are skipped.
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
}
