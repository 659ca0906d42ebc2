//! Comparisons with constants against all numbers that could tell them apart.

use rtc_ir::Opcode;
use rtc_test_support::Random;
use smallvec::SmallVec;

use super::{Expr, ExprId, Lit, NO_LOOP, PathConditions, ranges};

/// What a comparison gives, of the bits of its operands.
fn holds(op: Opcode, a: u32, b: u32) -> bool {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    match op {
        Opcode::ieq => a == b,
        Opcode::slt => (a as i32) < b as i32,
        Opcode::sle => a as i32 <= b as i32,
        Opcode::ult => a < b,
        Opcode::ule => a <= b,
        Opcode::feq => x == y,
        Opcode::fne => x != y,
        Opcode::flt => x < y,
        Opcode::fle => x <= y,
        Opcode::isnan => x.is_nan(),
        Opcode::isinf => x.is_infinite(),
        Opcode::isfinite => x.is_finite(),
        _ => panic!("no comparison"),
    }
}

const SIGNED: &[Opcode] = &[Opcode::ieq, Opcode::slt, Opcode::sle];
const UNSIGNED: &[Opcode] = &[Opcode::ieq, Opcode::ult, Opcode::ule];
const FLOAT: &[Opcode] =
    &[Opcode::feq, Opcode::fne, Opcode::flt, Opcode::fle, Opcode::flt, Opcode::fle, Opcode::isnan, Opcode::isinf, Opcode::isfinite];

const INTEGERS: &[u32] = &[0, 1, 2, 3, 4, 0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff];
/// Zeros, the least numbers, infinities and the greatest numbers.
const FLOATS: &[u32] = &[0, 0x8000_0000, 1, 2, 0x8000_0001, 0x8000_0002, 0x7f80_0000, 0xff80_0000, 0x7f7f_ffff, 0xff7f_ffff, 0x3f80_0000];

#[test]
fn comparisons_hold_together_if_some_number_is_so() {
    let mut random = Random(0x2b7e_1516);
    let mut counts = [[0; 2]; 3];
    for n in 0..30_000 {
        let kind = n % 3;
        let (ops, constants) = [(SIGNED, INTEGERS), (UNSIGNED, INTEGERS), (FLOAT, FLOATS)][kind];
        let mut k = PathConditions::new();
        let x = k.opaque(NO_LOOP);
        let mut comparisons: Vec<(Opcode, u32, bool, bool)> = Vec::new();
        let mut lits: Vec<Lit> = Vec::new();
        for _ in 0..random.of(&[1, 2, 3, 4, 6]) {
            let (op, c, left, so) = (random.of(ops), random.of(constants), random.of(&[true, false]), random.of(&[true, false]));
            let with = k.constant(c.into());
            let e = match op {
                Opcode::ieq => Expr::Eq(x, with),
                Opcode::isnan | Opcode::isinf | Opcode::isfinite => Expr::Op(op, 0, SmallVec::from_slice(&[x])),
                _ => Expr::Op(op, 32, SmallVec::from_slice(&if left { [x, with] } else { [with, x] })),
            };
            let lit: ExprId = k.expr(e);
            let unary = matches!(op, Opcode::isnan | Opcode::isinf | Opcode::isfinite);
            comparisons.push((op, c, left || unary || op == Opcode::ieq, so));
            lits.push((lit, so));
        }
        // Numbers near those that are compared with, and no number.
        let near = constants.iter().flat_map(|&c| (0..=8u32).map(move |d| c.wrapping_add(d).wrapping_sub(4)));
        let fits =
            |v: u32| comparisons.iter().all(|&(op, c, left, so)| holds(op, if left { v } else { c }, if left { c } else { v }) == so);
        let possible = near.chain([0x7fc0_0000]).any(fits);
        assert_eq!(ranges::possible(&k, &lits), possible, "{comparisons:x?}");
        counts[kind][usize::from(possible)] += 1;
    }
    assert!(counts.as_flattened().iter().all(|&n| n > 1000), "{counts:?}");
}

#[test]
fn what_differs_from_itself_is_no_number() {
    let mut k = PathConditions::new();
    let x = k.opaque(NO_LOOP);
    let zero = k.constant(0);
    let mut of = |op, args: [ExprId; 2]| k.expr(Expr::Op(op, 32, SmallVec::from_slice(&args)));
    let [differs, above, below] =
        [(Opcode::fne, [x, x]), (Opcode::fle, [zero, x]), (Opcode::flt, [x, zero])].map(|(op, args)| of(op, args));
    assert!(!ranges::possible(&k, &[(differs, true), (above, true)]) && ranges::possible(&k, &[(differs, true), (above, false)]));
    let neither = [(above, false), (below, false)];
    assert!(ranges::possible(&k, &neither) && !ranges::possible(&k, &[(differs, false), neither[0], neither[1]]));
}

#[test]
fn what_is_masked_is_no_more_than_the_mask() {
    let mut k = PathConditions::new();
    let x = k.opaque(NO_LOOP);
    let [three, four] = [3, 4].map(|c| k.constant(c));
    let all = k.constant(u64::from(u32::MAX));
    for (masked, most) in [([x, three], 3), ([three, x], 3), ([x, all], u64::from(u32::MAX))] {
        let masked = k.expr(Expr::Op(Opcode::and, 0, SmallVec::from_slice(&masked)));
        let most_of = k.constant(most);
        for (op, with, holds, possible) in [
            (Opcode::ule, most_of, false, false),
            (Opcode::ult, most_of, false, true),
            (Opcode::ule, four, true, true),
            (Opcode::ult, four, false, most > 3),
        ] {
            let lit = k.expr(Expr::Op(op, 32, SmallVec::from_slice(&[masked, with])));
            assert_eq!(ranges::possible(&k, &[(lit, holds)]), possible, "{op} {most}");
        }
    }
}

#[test]
fn other_widths_values_and_operations_say_nothing() {
    let mut k = PathConditions::new();
    let [x, y] = [(); 2].map(|()| k.opaque(NO_LOOP));
    let zero = k.constant(0);
    let mut less = |op, bits, a, b| k.expr(Expr::Op(op, bits, SmallVec::from_slice(&[a, b])));
    // No number without a sign is less than zero.
    let (below, wide, narrow) = (less(Opcode::ult, 32, x, zero), less(Opcode::ult, 64, x, zero), less(Opcode::ult, 16, x, zero));
    let (signed, other, sum) = (less(Opcode::slt, 32, x, zero), less(Opcode::ult, 32, x, y), less(Opcode::iadd, 32, x, zero));
    assert!(!ranges::possible(&k, &[(below, true)]));
    for lit in [wide, narrow, signed, other, sum] {
        assert!(ranges::possible(&k, &[(lit, true)]) && ranges::possible(&k, &[(lit, false)]));
    }
    // Neither hides what another one says, nor does a condition that is no comparison.
    for first in [wide, signed, other, sum, y] {
        assert!(!ranges::possible(&k, &[(first, true), (below, true)]));
        assert!(!ranges::possible(&k, &[(below, true), (first, false)]));
    }
    // What is no number is neither less nor equal, and so says nothing of one that is compared with it.
    let none = k.constant(0x7fc0_0000);
    let [equal, unordered] = [zero, none].map(|c| k.expr(Expr::Op(Opcode::fle, 32, SmallVec::from_slice(&[x, c]))));
    assert!(ranges::possible(&k, &[(unordered, false)]) && ranges::possible(&k, &[(unordered, false), (equal, true)]));
    let above = k.expr(Expr::Op(Opcode::ult, 32, SmallVec::from_slice(&[y, zero])));
    assert!(!ranges::possible(&k, &[(above, true)]) && !ranges::possible(&k, &[(signed, true), (above, true)]));
}
