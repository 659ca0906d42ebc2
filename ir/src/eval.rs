//! Evaluation of component-wise instructions on constants: the only definition of their numeric semantics, used by constant folding
//! and by the tests' interpreter.
//!
//! Scalars are bits: `bool` 0 or 1, integers zero-extended, floats in IEEE encoding. Arithmetic is IEEE in the type's own
//! precision, half-precision results rounded once from a wider format; transcendental functions are those of `f64`, rounded.
//! Where the table says undefined, nothing is evaluated.

use crate::{Denormals, Module, Opcode, Scalar};
use rtc_base::half;

/// The value of a float constant.
pub fn to_f64(s: Scalar, bits: u64) -> f64 {
    match s {
        Scalar::F16 => half::to_f64(bits as u16),
        Scalar::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// The bits of `x` as float type `s`, rounded to nearest.
pub fn from_f64(s: Scalar, x: f64) -> u64 {
    match s {
        Scalar::F16 => half::from_f64(x).into(),
        Scalar::F32 => (x as f32).to_bits().into(),
        _ => x.to_bits(),
    }
}

/// The integer or boolean `bits` of type `s`, sign extended (`true` is -1).
pub fn to_i64(s: Scalar, bits: u64) -> i64 {
    let unused = 64 - s.bits();
    ((bits << unused) as i64) >> unused
}

fn mask(s: Scalar, bits: u64) -> u64 {
    bits & (u64::MAX >> (64 - s.bits()))
}

/// Whether instruction `op` moves its operand's bits or tells of them, and computes nothing.
fn moves(op: Opcode) -> bool {
    use Opcode as O;
    matches!(op, O::select | O::bitcast | O::fabs | O::isnan | O::isinf | O::isfinite)
}

/// Whether `bits` is a denormal of a type whose denormals devices may flush: of `f32`.
pub fn is_denormal(s: Scalar, bits: u64) -> bool {
    s == Scalar::F32 && f32::from_bits(bits as u32).is_subnormal()
}

/// Whether module `m` leaves the result of `op` to the device: denormals are flushed there.
pub fn is_flushed(m: &Module, op: Opcode, to: Scalar) -> bool {
    m.denormals == Some(Denormals::Flush) && to == Scalar::F32 && !moves(op)
}

/// As [`scalar`] in module `m`: `None` too if denormals are flushed and `op` takes or gives one; then the device has the word.
pub fn in_module(m: &Module, op: Opcode, from: Scalar, to: Scalar, args: &[u64]) -> Option<u64> {
    with_denormals(m.denormal_mode(), op, from, to, args)
}

/// As [`scalar`] under a mode of denormals: `None` too if they are flushed and `op` takes or gives one.
pub fn with_denormals(mode: Option<Denormals>, op: Opcode, from: Scalar, to: Scalar, args: &[u64]) -> Option<u64> {
    let bits = scalar(op, from, to, args)?;
    let met = || is_denormal(to, bits) || args.iter().any(|&a| is_denormal(from, a));
    (mode != Some(Denormals::Flush) || moves(op) || !met()).then_some(bits)
}

/// `1 / c` for a power of two `c`, where both are normal numbers.
pub fn reciprocal_of_power(c: f32) -> Option<f32> {
    let reciprocal = 1.0 / c;
    (c.to_bits() & 0x007f_ffff == 0 && c.is_normal() && reciprocal.is_normal()).then_some(reciprocal)
}

/// One component of `op`: operands of type `from` (the condition of `select` is `bool`; for `select`
/// `from` is what is selected), result of type `to`. `None` if `op` is not component-wise, if the
/// result is undefined, or if implementations differ in it.
pub fn scalar(op: Opcode, from: Scalar, to: Scalar, args: &[u64]) -> Option<u64> {
    use Opcode as O;
    match op {
        O::select => return Some(if args[0] != 0 { args[1] } else { args[2] }),
        O::bitcast => return Some(args[0]),
        O::zext => return Some(args[0]),
        O::sext => return Some(mask(to, to_i64(from, args[0]) as u64)),
        O::itrunc => return Some(mask(to, args[0])),
        O::stof => {
            let x = to_i64(from, args[0]);
            return Some(match to {
                Scalar::F32 => (x as f32).to_bits().into(),
                _ => from_f64(to, x as f64),
            });
        }
        O::utof => {
            return Some(match to {
                Scalar::F32 => (args[0] as f32).to_bits().into(),
                _ => from_f64(to, args[0] as f64),
            });
        }
        O::ftos => {
            let x = to_f64(from, args[0]);
            return Some(match to {
                Scalar::I16 => x as i16 as u16 as u64,
                Scalar::I32 => x as i32 as u32 as u64,
                _ => x as i64 as u64,
            });
        }
        O::ftou => {
            let x = to_f64(from, args[0]);
            return Some(match to {
                Scalar::I16 => x as u16 as u64,
                Scalar::I32 => x as u32 as u64,
                _ => x as u64,
            });
        }
        O::fconv => return Some(from_f64(to, to_f64(from, args[0]))),
        O::f16tof32 => return Some(from_f64(Scalar::F32, half::to_f64(args[0] as u16))),
        O::f32tof16 => {
            // Rounding differs between devices: only what is exact.
            let x = to_f64(Scalar::F32, args[0]);
            let h = half::from_f64(x);
            return (half::to_f64(h) == x).then_some(h.into());
        }
        O::dot4add_i8 | O::dot4add_u8 => {
            let byte = |bits: u64, n: u32| {
                let b = (bits >> (8 * n)) as u8;
                if op == O::dot4add_i8 { i64::from(b as i8) } else { b.into() }
            };
            let sum: i64 = (0..4).map(|n| byte(args[0], n) * byte(args[1], n)).sum();
            return Some(mask(to, (sum as u64).wrapping_add(args[2])));
        }
        O::make_double => return Some(args[1] << 32 | args[0]),
        _ => {}
    }
    if from.is_float() { float(op, from, args) } else { int(op, from, args) }
}

fn float(op: Opcode, s: Scalar, args: &[u64]) -> Option<u64> {
    use Opcode as O;
    let a = to_f64(s, args[0]);
    let b = args.get(1).map_or(0.0, |&b| to_f64(s, b));
    let c = args.get(2).map_or(0.0, |&c| to_f64(s, c));
    let truth = |b: bool| Some(u64::from(b));
    match op {
        O::feq => return truth(a == b),
        O::fne => return truth(a != b),
        O::flt => return truth(a < b),
        O::fle => return truth(a <= b),
        O::fgt => return truth(a > b),
        O::fge => return truth(a >= b),
        O::isnan => return truth(a.is_nan()),
        O::isinf => return truth(a.is_infinite()),
        O::isfinite => return truth(a.is_finite()),
        O::isnormal => {
            let least = match s {
                Scalar::F16 => 2f64.powi(-14),
                Scalar::F32 => f32::MIN_POSITIVE.into(),
                _ => f64::MIN_POSITIVE,
            };
            return truth(a.is_finite() && a.abs() >= least);
        }
        // The sign is a bit; not-a-numbers keep theirs.
        O::fneg => return Some(args[0] ^ 1 << (s.bits() - 1)),
        O::fabs => return Some(args[0] & !(1 << (s.bits() - 1))),
        _ => {}
    }
    // Sums, products and roots of f32 and f16 are exact enough in f64 that rounding the result once
    // more gives the correctly rounded one.
    let round = |x: f64| to_f64(s, from_f64(s, x));
    let x = match op {
        O::fadd => a + b,
        O::fsub => a - b,
        O::fmul => a * b,
        // Quotients below the normal range would be rounded more than once.
        O::fdiv if s == Scalar::F32 => (a as f32 / b as f32).into(),
        O::fdiv => a / b,
        O::frem => a % b,
        O::fmin if a.is_nan() || b < a => b,
        O::fmin => a,
        O::fmax if a.is_nan() || b > a => b,
        O::fmax => a,
        O::fmad => round(a * b) + c,
        O::fma => a.mul_add(b, c),
        O::saturate if a > 0.0 => a.min(1.0),
        O::saturate => 0.0,
        O::floor => a.floor(),
        O::ceil => a.ceil(),
        O::trunc => a.trunc(),
        O::round_ne => a.round_ties_even(),
        O::frac => a - a.floor(),
        O::sqrt => a.sqrt(),
        O::rsqrt => 1.0 / a.sqrt(),
        O::exp2 => a.exp2(),
        O::log2 => a.log2(),
        O::sin => a.sin(),
        O::cos => a.cos(),
        O::tan => a.tan(),
        O::asin => a.asin(),
        O::acos => a.acos(),
        O::atan => a.atan(),
        O::sinh => a.sinh(),
        O::cosh => a.cosh(),
        O::tanh => a.tanh(),
        O::power => a.powf(b),
        _ => return None,
    };
    // One not-a-number on every machine that compiles.
    Some(from_f64(s, if x.is_nan() { f64::NAN } else { x }))
}

fn int(op: Opcode, s: Scalar, args: &[u64]) -> Option<u64> {
    use Opcode as O;
    let w = s.bits();
    let (a, b) = (args[0], args.get(1).copied().unwrap_or(0));
    let c = args.get(2).copied().unwrap_or(0);
    let (sa, sb) = (to_i64(s, a), to_i64(s, b));
    let truth = |b: bool| Some(u64::from(b));
    let shift = (b % u64::from(w)) as u32;
    let index = |bit: Option<u32>| bit.map_or(u32::MAX, |b| b).into();
    let x = match op {
        O::iadd => a.wrapping_add(b),
        O::isub => a.wrapping_sub(b),
        O::imul => a.wrapping_mul(b),
        O::imad => a.wrapping_mul(b).wrapping_add(c),
        O::sdiv | O::srem if b == 0 || (sb == -1 && a == 1 << (w - 1)) => return None,
        O::sdiv => (sa / sb) as u64,
        O::srem => (sa % sb) as u64,
        O::udiv => a.checked_div(b)?,
        O::urem => a.checked_rem(b)?,
        O::ineg => a.wrapping_neg(),
        O::smin => sa.min(sb) as u64,
        O::smax => sa.max(sb) as u64,
        O::umin => a.min(b),
        O::umax => a.max(b),
        O::and => a & b,
        O::or => a | b,
        O::xor => a ^ b,
        O::not => !a,
        O::shl => a << shift,
        O::lshr => a >> shift,
        O::ashr => (sa >> shift) as u64,
        O::bfrev => a.reverse_bits() >> (64 - w),
        O::countbits => return Some(a.count_ones().into()),
        O::firstbit_lo => return Some(index((a != 0).then(|| a.trailing_zeros()))),
        O::firstbit_hi => return Some(index(a.checked_ilog2())),
        O::firstbit_shi => {
            let differs = mask(s, if sa < 0 { !a } else { a });
            return Some(index(differs.checked_ilog2()));
        }
        O::ubfe | O::sbfe => {
            let (width, at) = (a % u64::from(w), b % u64::from(w));
            let all = u64::from(w);
            let kept = width.min(all - at);
            if width == 0 {
                0
            } else if op == O::ubfe {
                (c >> at) & (u64::MAX >> (64 - kept))
            } else {
                let unused = 64 - kept;
                (((c >> at) << unused) as i64 >> unused) as u64
            }
        }
        O::ieq => return truth(a == b),
        O::ine => return truth(a != b),
        O::slt => return truth(sa < sb),
        O::sle => return truth(sa <= sb),
        O::sgt => return truth(sa > sb),
        O::sge => return truth(sa >= sb),
        O::ult => return truth(a < b),
        O::ule => return truth(a <= b),
        O::ugt => return truth(a > b),
        O::uge => return truth(a >= b),
        _ => return None,
    };
    Some(mask(s, x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Opcode as O;

    fn f(op: Opcode, args: &[f32]) -> f32 {
        let bits: Vec<u64> = args.iter().map(|x| x.to_bits().into()).collect();
        f32::from_bits(scalar(op, Scalar::F32, Scalar::F32, &bits).unwrap() as u32)
    }
    fn i(op: Opcode, args: &[i32]) -> Option<i32> {
        let bits: Vec<u64> = args.iter().map(|&x| u64::from(x as u32)).collect();
        Some(scalar(op, Scalar::I32, Scalar::I32, &bits)? as u32 as i32)
    }

    #[test]
    fn floats_agree_with_native_arithmetic() {
        let xs = [0.1f32, -3.5, 1e-40, 3e38, 7.0, -0.0, f32::INFINITY];
        for a in xs {
            for b in xs {
                let same = |x: f32, y: f32| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
                assert!(same(f(O::fadd, &[a, b]), a + b));
                assert!(same(f(O::fmul, &[a, b]), a * b));
                assert!(same(f(O::fdiv, &[a, b]), a / b));
                assert!(same(f(O::frem, &[a, b]), a % b));
                assert!(same(f(O::fmad, &[a, b, a]), a * b + a));
                assert!(same(f(O::sqrt, &[a]), a.sqrt()));
            }
        }
        assert_eq!(f(O::fmin, &[f32::NAN, 2.0]), 2.0);
        assert_eq!(f(O::fmax, &[2.0, f32::NAN]), 2.0);
        assert_eq!(f(O::saturate, &[f32::NAN]), 0.0);
        assert_eq!(f(O::round_ne, &[2.5]), 2.0);
    }

    #[test]
    fn integers_wrap_and_undefined_stays_unknown() {
        assert_eq!(i(O::iadd, &[i32::MAX, 1]), Some(i32::MIN));
        assert_eq!(i(O::sdiv, &[-7, 2]), Some(-3));
        assert_eq!(i(O::sdiv, &[7, 0]), None);
        assert_eq!(i(O::srem, &[i32::MIN, -1]), None);
        assert_eq!(i(O::urem, &[7, 0]), None);
        assert_eq!(i(O::shl, &[1, 33]), Some(2));
        assert_eq!(i(O::ashr, &[-8, 1]), Some(-4));
        assert_eq!(i(O::bfrev, &[1]), Some(i32::MIN));
        assert_eq!(i(O::firstbit_hi, &[0]), Some(-1));
        assert_eq!(i(O::firstbit_shi, &[-2]), Some(0));
        assert_eq!(i(O::firstbit_shi, &[-1]), Some(-1));
        assert_eq!(i(O::ubfe, &[4, 28, -1]), Some(15));
        assert_eq!(i(O::sbfe, &[8, 28, -1]), Some(-1));
        assert_eq!(i(O::ubfe, &[0, 3, -1]), Some(0));
    }

    #[test]
    fn conversions_saturate_and_extend() {
        let big = u64::from(1e20f32.to_bits());
        assert_eq!(scalar(O::ftos, Scalar::F32, Scalar::I32, &[big]), Some(0x7fff_ffff));
        assert_eq!(scalar(O::sext, Scalar::Bool, Scalar::I32, &[1]), Some(0xffff_ffff));
        assert_eq!(scalar(O::zext, Scalar::Bool, Scalar::I64, &[1]), Some(1));
        let third = u64::from((1f32 / 3.0).to_bits());
        assert_eq!(scalar(O::f32tof16, Scalar::F32, Scalar::I32, &[third]), None);
    }
}
