//! Transfer functions of the value-range analysis: the range of an instruction's result, from the ranges of its operands.

use rtc_ir::Opcode as O;

use super::range::Range;

/// The range of what `op` gives for a 32-bit result. `args`: the operands, of the width `bits` (1: booleans, else 32).
pub(super) fn compute(op: O, args: &[Range], boolean: bool) -> Range {
    if args.iter().any(|r| r.is_empty()) {
        return Range::NONE;
    }
    let (a, b, c) = match *args {
        [] => (Range::ALL, Range::ALL, Range::ALL),
        [a] => (a, Range::ALL, Range::ALL),
        [a, b] => (a, b, Range::ALL),
        [a, b, c, ..] => (a, b, c),
    };
    match op {
        O::iadd => add(a, b),
        O::isub => add(a, negate(b)).meet(sub_bounds(a, b)),
        O::imul => multiply(a, b),
        O::imad => add(multiply(a, b), c),
        O::ineg => negate(a),
        O::udiv if b.umin > 0 => Range::unsigned(a.umin / b.umax, a.umax / b.umin),
        O::urem if b.umin > 0 && a.umax < b.umin => a,
        O::urem if b.umin > 0 => Range::unsigned(0, a.umax.min(b.umax - 1)),
        O::sdiv if b.smin > 0 => corners(a, b, |x, y| x / y),
        O::srem if b.smin > 0 => {
            let most = i64::from(b.smax) - 1;
            let low = if a.smin < 0 { (-most).max(a.smin.into()) } else { 0 };
            let high = if a.smax > 0 { most.min(a.smax.into()) } else { 0 };
            Range::signed(low as i32, high as i32)
        }
        O::and => Range::bits(a.zeros | b.zeros, a.ones & b.ones).meet(Range::unsigned(0, a.umax.min(b.umax))),
        O::or => Range::bits(a.zeros & b.zeros, a.ones | b.ones).meet(Range::unsigned(a.umin.max(b.umin), u32::MAX)),
        O::xor => Range::bits(a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros),
        O::not if boolean => Range::unsigned(1 - a.umax.min(1), 1 - a.umin.min(1)),
        O::not => Range { umin: !a.umax, umax: !a.umin, smin: !a.smax, smax: !a.smin, zeros: a.ones, ones: a.zeros },
        O::shl => shift(a, b, |a, n| {
            let bits = Range::bits(a.zeros << n | !(u32::MAX << n), a.ones << n);
            match a.umax.checked_mul(1 << n) {
                Some(max) => bits.meet(Range::unsigned(a.umin << n, max)),
                None => bits,
            }
        }),
        O::lshr => {
            shift(a, b, |a, n| Range::unsigned(a.umin >> n, a.umax >> n).meet(Range::bits(a.zeros >> n | !(u32::MAX >> n), a.ones >> n)))
                .meet(Range::unsigned(0, a.umax))
        }
        O::ashr => shift(a, b, |a, n| Range::signed(a.smin >> n, a.smax >> n)),
        O::smin => Range::signed(a.smin.min(b.smin), a.smax.min(b.smax)).meet(a.join(b)),
        O::smax => Range::signed(a.smin.max(b.smin), a.smax.max(b.smax)).meet(a.join(b)),
        O::umin => Range::unsigned(a.umin.min(b.umin), a.umax.min(b.umax)).meet(a.join(b)),
        O::umax => Range::unsigned(a.umin.max(b.umin), a.umax.max(b.umax)).meet(a.join(b)),
        O::ubfe => match a.constant().map(|n| n % 32) {
            Some(0) => Range::just(0),
            Some(n) => Range::unsigned(0, (1 << n) - 1),
            None => Range::ALL,
        },
        O::sbfe => match a.constant().map(|n| n % 32) {
            Some(0) => Range::just(0),
            Some(n) => Range::signed(-(1 << (n - 1)), (1 << (n - 1)) - 1),
            None => Range::ALL,
        },
        O::select => match a.constant() {
            Some(0) => c,
            Some(_) => b,
            None => b.join(c),
        },
        O::ieq => truth(if a.meet(b).is_empty() { Some(false) } else { same(a, b) }),
        O::ine => truth(if a.meet(b).is_empty() { Some(true) } else { same(a, b).map(|s| !s) }),
        O::ult => truth(less(a.umax.into(), a.umin.into(), b.umax.into(), b.umin.into())),
        O::ugt => truth(less(b.umax.into(), b.umin.into(), a.umax.into(), a.umin.into())),
        O::ule => truth(less(b.umax.into(), b.umin.into(), a.umax.into(), a.umin.into()).map(|x| !x)),
        O::uge => truth(less(a.umax.into(), a.umin.into(), b.umax.into(), b.umin.into()).map(|x| !x)),
        O::slt => truth(less(a.smax.into(), a.smin.into(), b.smax.into(), b.smin.into())),
        O::sgt => truth(less(b.smax.into(), b.smin.into(), a.smax.into(), a.smin.into())),
        O::sle => truth(less(b.smax.into(), b.smin.into(), a.smax.into(), a.smin.into()).map(|x| !x)),
        O::sge => truth(less(a.smax.into(), a.smin.into(), b.smax.into(), b.smin.into()).map(|x| !x)),
        _ => given(op),
    }
}

/// What an instruction gives whatever its operands are.
fn given(op: O) -> Range {
    match op {
        O::hit_kind => Range::unsigned(0, 0xff),
        O::instance_id | O::ray_query_candidate_instance_id | O::ray_query_committed_instance_id => Range::unsigned(0, 0xff_ffff),
        O::ray_query_candidate_instance_contribution_to_hit_group_index
        | O::ray_query_committed_instance_contribution_to_hit_group_index => Range::unsigned(0, 0xff_ffff),
        O::ray_query_committed_status => Range::unsigned(0, 2),
        O::ray_query_candidate_type => Range::unsigned(0, 1),
        O::wave_lane_index => Range::unsigned(0, 127),
        O::wave_lane_count => Range::unsigned(1, 128),
        O::wave_all_bit_count | O::wave_prefix_bit_count | O::wave_multi_prefix_bit_count => Range::unsigned(0, 128),
        O::countbits => Range::unsigned(0, 32),
        O::firstbit_lo | O::firstbit_hi | O::firstbit_shi => Range::signed(-1, 31),
        O::f32tof16 => Range::unsigned(0, 0xffff),
        _ => Range::ALL,
    }
}

fn truth(t: Option<bool>) -> Range {
    t.map_or(Range::BOOL, |t| Range::just(t.into()))
}

fn same(a: Range, b: Range) -> Option<bool> {
    (a.constant()? == b.constant()?).then_some(true)
}

/// Whether every number of the first range is less than every number of the second, or none is.
fn less(amax: i64, amin: i64, bmax: i64, bmin: i64) -> Option<bool> {
    if amax < bmin {
        Some(true)
    } else if amin >= bmax {
        Some(false)
    } else {
        None
    }
}

/// The interval of exact results, if none wraps.
fn exact(min: i64, max: i64) -> Range {
    let mut r = Range::ALL;
    if let (Ok(min), Ok(max)) = (u32::try_from(min), u32::try_from(max)) {
        r = r.meet(Range::unsigned(min, max));
    }
    if let (Ok(min), Ok(max)) = (i32::try_from(min), i32::try_from(max)) {
        r = r.meet(Range::signed(min, max));
    }
    r
}

fn add(a: Range, b: Range) -> Range {
    let unsigned = |wrap: i64| exact(i64::from(a.umin) + i64::from(b.umin) - wrap, i64::from(a.umax) + i64::from(b.umax) - wrap);
    let signed = exact(i64::from(a.smin) + i64::from(b.smin), i64::from(a.smax) + i64::from(b.smax));
    // Low bits that are known in both operands are known in the sum.
    let known = (a.zeros | a.ones) & (b.zeros | b.ones);
    let low = match known.trailing_ones() {
        32 => u32::MAX,
        n => (1 << n) - 1,
    };
    let sum = a.ones.wrapping_add(b.ones);
    unsigned(0).meet(unsigned(1 << 32)).meet(signed).meet(Range::bits(!sum & low, sum & low))
}

fn sub_bounds(a: Range, b: Range) -> Range {
    let unsigned = exact(i64::from(a.umin) - i64::from(b.umax), i64::from(a.umax) - i64::from(b.umin));
    unsigned.meet(exact(i64::from(a.smin) - i64::from(b.smax), i64::from(a.smax) - i64::from(b.smin)))
}

fn negate(a: Range) -> Range {
    if let Some(n) = a.constant() {
        return Range::just(n.wrapping_neg());
    }
    let low = a.zeros.trailing_ones();
    let bits = Range::bits(if low >= 32 { u32::MAX } else { (1 << low) - 1 }, 0);
    bits.meet(exact(-i64::from(a.smax), -i64::from(a.smin)))
}

fn multiply(a: Range, b: Range) -> Range {
    let unsigned = match a.umax.checked_mul(b.umax) {
        Some(max) => Range::unsigned(a.umin.wrapping_mul(b.umin), max),
        None => Range::ALL,
    };
    let low = (a.zeros.trailing_ones() + b.zeros.trailing_ones()).min(32);
    let zeros = if low == 32 { u32::MAX } else { (1 << low) - 1 };
    let both = match (a.constant(), b.constant()) {
        (Some(a), Some(b)) => Range::just(a.wrapping_mul(b)),
        _ => Range::ALL,
    };
    unsigned.meet(corners(a, b, |x, y| x * y)).meet(Range::bits(zeros, 0)).meet(both)
}

/// The signed interval between the results at the ends of the operands' intervals.
fn corners(a: Range, b: Range, f: impl Fn(i64, i64) -> i64) -> Range {
    let (mut min, mut max) = (i64::MAX, i64::MIN);
    for x in [a.smin, a.smax] {
        for y in [b.smin, b.smax] {
            let r = f(x.into(), y.into());
            (min, max) = (min.min(r), max.max(r));
        }
    }
    match (i32::try_from(min), i32::try_from(max)) {
        (Ok(min), Ok(max)) => Range::signed(min, max),
        _ => Range::ALL,
    }
}

/// Shifts by a known number; the join of all for a few numbers.
fn shift(a: Range, by: Range, f: impl Fn(Range, u32) -> Range) -> Range {
    if by.umax > 31 {
        return by.constant().map_or(Range::ALL, |n| f(a, n % 32));
    }
    (by.umin..=by.umax).map(|n| f(a, n)).fold(Range::NONE, Range::join)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_ir::{Scalar, eval};

    /// All that is claimed of results holds for each pair of numbers in the operands' ranges.
    #[test]
    fn results_are_in_their_ranges() {
        let mut seed = 7u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bits = seed >> 27;
            let x = seed.rotate_left(9) >> bits;
            if seed & 64 != 0 { x } else { x.wrapping_neg() }
        };
        let ops = [
            O::iadd,
            O::isub,
            O::imul,
            O::imad,
            O::ineg,
            O::udiv,
            O::urem,
            O::sdiv,
            O::srem,
            O::and,
            O::or,
            O::xor,
            O::not,
            O::shl,
            O::lshr,
            O::ashr,
            O::smin,
            O::smax,
            O::umin,
            O::umax,
            O::ubfe,
            O::sbfe,
            O::ieq,
            O::ine,
            O::ult,
            O::ule,
            O::ugt,
            O::uge,
            O::slt,
            O::sle,
            O::sgt,
            O::sge,
            O::countbits,
            O::firstbit_lo,
            O::firstbit_hi,
            O::firstbit_shi,
        ];
        for round in 0..4000 {
            let sets: Vec<[u32; 2]> =
                (0..3).map(|_| if round % 3 == 0 { [random() & 0xff, random() & 0x3f] } else { [random(), random()] }).collect();
            let ranges: Vec<Range> = sets.iter().map(|s| Range::just(s[0]).join(Range::just(s[1])).tight()).collect();
            for op in ops {
                let n = op.info().operands.len();
                let r = compute(op, &ranges[..n], false);
                for pick in 0..8 {
                    let args: Vec<u64> = (0..n).map(|k| sets[k][pick >> k & 1].into()).collect();
                    let to = if op.info().result == Some(rtc_tables::insts::Arg::BoolLike) { Scalar::Bool } else { Scalar::I32 };
                    let Some(x) = eval::scalar(op, Scalar::I32, to, &args) else { continue };
                    let x = x as u32;
                    assert!(!r.meet(Range::just(x)).is_empty(), "{op} {args:?} = {x:#x}, said {r:x?} for {ranges:x?}");
                }
            }
        }
    }

    #[test]
    fn what_is_computed() {
        let byte = Range::unsigned(0, 255);
        assert_eq!(compute(O::and, &[Range::ALL, Range::just(0xf0)], false), Range::bits(!0xf0, 0));
        assert_eq!(compute(O::umin, &[Range::ALL, Range::just(7)], false), Range::unsigned(0, 7));
        assert_eq!(compute(O::iadd, &[byte, byte], false), Range::unsigned(0, 510));
        assert_eq!(compute(O::isub, &[byte, byte], false), Range::signed(-255, 255));
        assert_eq!(compute(O::urem, &[Range::ALL, Range::just(6)], false), Range::unsigned(0, 5));
        assert_eq!(compute(O::shl, &[Range::BOOL, Range::just(4)], false).umax, 16);
        assert_eq!(compute(O::lshr, &[Range::ALL, Range::just(28)], false), Range::unsigned(0, 15));
        assert_eq!(compute(O::ult, &[byte, Range::just(256)], false), Range::just(1));
        assert_eq!(compute(O::not, &[Range::just(1)], true), Range::just(0));
    }
}
