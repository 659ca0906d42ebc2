//! Path conditions against all assignments of their values: what is interned, simplified, assumed, joined and refuted.

use rtc_test_support::Random;

use super::*;

#[test]
fn a_condition_and_its_negation_contradict() {
    let mut k = PathConditions::new();
    let (a, b) = (k.opaque(NO_LOOP), k.opaque(NO_LOOP));
    let both = k.expr(Expr::And(a, b));
    let not = k.expr(Expr::Not(both));
    let s = k.add(NONE, (not, true)).unwrap();
    let s = k.add(s, (a, true)).unwrap();
    assert_eq!(k.add(s, (b, true)), Err(NoAssumptions::Contradiction));
    assert!(k.add(s, (b, false)).is_ok());
    let t = k.add(NONE, (both, true)).unwrap();
    assert_eq!(k.lits(t), [(a, true), (b, true)]);
    assert_eq!(k.add(t, (a, false)), Err(NoAssumptions::Contradiction));
}

#[test]
fn equalities_with_different_constants_contradict() {
    let mut k = PathConditions::new();
    let x = k.opaque(NO_LOOP);
    let (one, two) = (k.constant(1), k.constant(2));
    let (a, b) = (k.expr(Expr::Eq(x, one)), k.expr(Expr::Eq(x, two)));
    let s = k.add(NONE, (a, true)).unwrap();
    assert_eq!(k.add(s, (b, true)), Err(NoAssumptions::Contradiction));
    assert_eq!(k.add(s, (b, false)), Ok(s));
}

#[test]
fn iterations_of_a_loop_are_independent() {
    let mut k = PathConditions::new();
    k.parents.push(NO_LOOP);
    k.parents.push(1);
    let (out, inside) = (k.opaque(NO_LOOP), k.opaque(2));
    let s = k.add(NONE, (out, true)).unwrap();
    let t = k.add(s, (inside, true)).unwrap();
    assert_eq!(k.forget(t, 2), s);
    assert_eq!(k.forget(t, 1), s);
    assert_eq!(k.forget(t, 0), t);
}

#[test]
fn both_sides_of_a_branch_are_no_condition() {
    let mut k = PathConditions::new();
    let (a, b) = (k.opaque(NO_LOOP), k.opaque(NO_LOOP));
    let s = k.add(NONE, (a, true)).unwrap();
    let (x, y) = (k.add(s, (b, true)).unwrap(), k.add(s, (b, false)).unwrap());
    assert_eq!(k.resolve(x, y), Some(s));
    assert!(k.subsumes(s, x) && !k.subsumes(x, s));
}

const BOOLS: usize = 4;
const NUMBERS: usize = 2;
/// Numbers are compared with all of these but the last, which so is any other number.
const VALUES: u64 = 4;

/// An assignment: a bit for each condition, then two for each number.
type World = usize;
const WORLDS: World = 1 << (BOOLS + 2 * NUMBERS);

/// Expressions over a few opaque values.
struct Pool {
    k: PathConditions,
    bools: Vec<ExprId>,
    numbers: Vec<ExprId>,
    /// Conditions, and in which worlds each holds.
    conditions: Vec<(ExprId, Vec<bool>)>,
    /// What else has a number as value, with it in each world.
    values: Vec<(ExprId, Vec<u64>)>,
}

impl Pool {
    fn new() -> Pool {
        let mut k = PathConditions::new();
        let bools: Vec<ExprId> = (0..BOOLS).map(|_| k.opaque(NO_LOOP)).collect();
        let numbers: Vec<ExprId> = (0..NUMBERS).map(|_| k.opaque(NO_LOOP)).collect();
        let mut conditions: Vec<(ExprId, Vec<bool>)> = Vec::new();
        for (n, &b) in bools.iter().enumerate() {
            conditions.push((b, (0..WORLDS).map(|w| w >> n & 1 != 0).collect()));
        }
        for c in [false, true] {
            conditions.push((k.constant(c.into()), vec![c; WORLDS]));
        }
        let mut values: Vec<(ExprId, Vec<u64>)> = Vec::new();
        for (n, &x) in numbers.iter().enumerate() {
            values.push((x, (0..WORLDS).map(|w| (w >> (BOOLS + 2 * n)) as u64 % VALUES).collect()));
        }
        for c in 0..VALUES - 1 {
            values.push((k.constant(c), vec![c; WORLDS]));
        }
        Pool { k, bools, numbers, conditions, values }
    }

    /// Makes one expression more, and tells in which worlds it has to hold.
    fn grow(&mut self, random: &mut Random) {
        let all = self.conditions.len();
        let [a, b, c] = [(); 3].map(|()| self.conditions[random.below(all)].clone());
        let all = self.values.len();
        let [x, y] = [(); 2].map(|()| self.values[random.below(all)].clone());
        let worlds = |f: &dyn Fn(World) -> bool| (0..WORLDS).map(f).collect::<Vec<bool>>();
        let made = match random.below(6) {
            0 => (self.k.expr(Expr::Not(a.0)), worlds(&|w| !a.1[w])),
            1 => (self.k.expr(Expr::And(a.0, b.0)), worlds(&|w| a.1[w] && b.1[w])),
            2 => (self.k.expr(Expr::Or(a.0, b.0)), worlds(&|w| a.1[w] || b.1[w])),
            3 => (self.k.either(a.0, b.0, c.0), worlds(&|w| if a.1[w] { b.1[w] } else { c.1[w] })),
            4 => {
                let n = random.below(VALUES as usize - 1) as u64;
                let to = self.k.constant(n);
                (self.k.expr(Expr::Eq(x.0, to)), worlds(&|w| x.1[w] == n))
            }
            _ => {
                let choice = self.k.expr(Expr::Choice(a.0, x.0, y.0));
                let values = (0..WORLDS).map(|w| if a.1[w] { x.1[w] } else { y.1[w] }).collect();
                return self.values.push((choice, values));
            }
        };
        self.conditions.push(made);
    }

    /// The value of an interned expression in a world.
    fn value(&self, k: ExprId, w: World) -> u64 {
        if let Some(n) = self.bools.iter().position(|&b| b == k) {
            return (w >> n & 1) as u64;
        }
        if let Some(n) = self.numbers.iter().position(|&x| x == k) {
            return (w >> (BOOLS + 2 * n)) as u64 % VALUES;
        }
        match *self.k.get(k) {
            Expr::Const(c) => c,
            Expr::Not(a) => u64::from(self.value(a, w) == 0),
            Expr::And(a, b) => u64::from(self.value(a, w) != 0 && self.value(b, w) != 0),
            Expr::Or(a, b) => u64::from(self.value(a, w) != 0 || self.value(b, w) != 0),
            Expr::Choice(c, a, b) => self.value(if self.value(c, w) != 0 { a } else { b }, w),
            Expr::Eq(a, b) => u64::from(self.value(a, w) == self.value(b, w)),
            Expr::Opaque(_) | Expr::Op(..) => panic!("all opaque values are known"),
        }
    }

    /// The worlds in which all these assumptions hold.
    fn worlds(&self, lits: &[Lit]) -> Vec<bool> {
        (0..WORLDS).map(|w| lits.iter().all(|&(k, holds)| (self.value(k, w) != 0) == holds)).collect()
    }
}

#[test]
fn expressions_mean_what_they_were_made_of() {
    let mut random = Random(0x51a7_e0b3);
    for _ in 0..40 {
        let mut pool = Pool::new();
        (0..60).for_each(|_| pool.grow(&mut random));
        for (k, holds) in &pool.conditions {
            assert!((0..WORLDS).all(|w| (pool.value(*k, w) != 0) == holds[w]), "{:?}", pool.k.get(*k));
            // What is evaluated under some assumptions is so wherever these hold, and under all of them it is known.
            let (some, all) = (random.below(1 << BOOLS), (1 << BOOLS) - 1);
            for mask in [some, all] {
                let w = random.below(WORLDS);
                let mut lits: Vec<Lit> = Vec::new();
                for (n, &b) in pool.bools.iter().enumerate().filter(|b| mask >> b.0 & 1 != 0) {
                    lits.push((b, w >> n & 1 != 0));
                }
                if mask == all {
                    for &x in &pool.numbers {
                        for c in 0..VALUES - 1 {
                            let to = pool.k.ids[&Expr::Const(c)];
                            lits.extend(pool.k.ids.get(&Expr::Eq(x, to)).map(|&k| (k, pool.value(x, w) == c)));
                        }
                    }
                }
                let found = pool.k.eval(*k, &lits, 64);
                assert!(mask != all || found.is_some(), "{:?}", pool.k.get(*k));
                let here = pool.worlds(&lits);
                assert!(here[w]);
                assert!(found.is_none_or(|x| (0..WORLDS).all(|w| !here[w] || holds[w] == x)), "{:?}", pool.k.get(*k));
            }
        }
    }
}

#[test]
fn assumptions_hold_where_all_of_them_do() {
    let mut random = Random(0x9e1d_77c5);
    let (mut contradictions, mut missed, mut many) = (0, 0, 0);
    for _ in 0..120 {
        let mut pool = Pool::new();
        (0..25).for_each(|_| pool.grow(&mut random));
        let mut sets: Vec<(Assumptions, Vec<bool>)> = vec![(NONE, vec![true; WORLDS])];
        for _ in 0..60 {
            let (before, worlds) = sets[random.below(sets.len())].clone();
            let (k, holds) = pool.conditions[random.below(pool.conditions.len())].clone();
            let as_said = random.below(2) != 0;
            let now: Vec<bool> = (0..WORLDS).map(|w| worlds[w] && holds[w] == as_said).collect();
            let possible = now.contains(&true);
            match pool.k.add(before, (k, as_said)) {
                Ok(set) => {
                    assert_eq!(pool.worlds(pool.k.lits(set)), now, "{:?}", pool.k.get(k));
                    assert!(pool.k.lits(set).is_sorted_by(|a, b| a.0 < b.0));
                    missed += usize::from(!possible);
                    sets.push((set, now));
                }
                Err(NoAssumptions::Contradiction) => {
                    assert!(!possible, "{:?} and {:?}", pool.k.lits(before), pool.k.get(k));
                    contradictions += 1;
                }
                Err(NoAssumptions::TooMany) => many += 1,
            }
        }
        for _ in 0..60 {
            let [(a, in_a), (b, in_b)] = [(); 2].map(|()| sets[random.below(sets.len())].clone());
            let both = (0..WORLDS).any(|w| in_a[w] && in_b[w]);
            let agree = pool.k.agree(a, b);
            assert!(agree || !both);
            let fewer = pool.k.subsumes(a, b);
            assert_eq!(fewer, pool.k.lits(a).iter().all(|l| pool.k.lits(b).contains(l)));
            assert!(!fewer || (0..WORLDS).all(|w| !in_b[w] || in_a[w]));
            if let Some(either) = pool.k.resolve(a, b) {
                let all: Vec<bool> = (0..WORLDS).map(|w| in_a[w] || in_b[w]).collect();
                assert_eq!(pool.worlds(pool.k.lits(either)), all);
            }
            // Two sets that one condition tells apart.
            let k = random.of(&pool.bools);
            if let (Ok(x), Ok(y)) = (pool.k.add(a, (k, true)), pool.k.add(a, (k, false)))
                && pool.k.lits(x).len() == pool.k.lits(a).len() + 1
                && pool.k.lits(y).len() == pool.k.lits(x).len()
                && !pool.k.agree(x, y)
            {
                assert_eq!(pool.k.resolve(x, y), Some(a));
                assert_eq!(pool.k.resolve(x, a), None);
                assert_eq!(pool.k.resolve(x, x), None);
            }
        }
    }
    // Most of what cannot hold is found, and little is too much.
    assert!(contradictions > 1500 && missed * 50 < contradictions && many * 50 < contradictions, "{contradictions} {missed} {many}");
}

#[test]
fn what_is_decided_stays_no_expression() {
    let mut k = PathConditions::new();
    let [a, b] = [(); 2].map(|()| k.opaque(NO_LOOP));
    let [no, yes, two] = [0, 1, 2].map(|c| k.constant(c));
    assert_eq!([k.expr(Expr::And(a, yes)), k.expr(Expr::And(yes, a)), k.expr(Expr::And(a, a))], [a; 3]);
    assert_eq!([k.expr(Expr::Or(a, no)), k.expr(Expr::Or(no, a)), k.expr(Expr::Or(a, a))], [a; 3]);
    assert_eq!([k.expr(Expr::And(a, no)), k.expr(Expr::And(no, a)), k.expr(Expr::Not(yes)), k.expr(Expr::Not(two))], [no; 4]);
    assert_eq!([k.expr(Expr::Or(a, yes)), k.expr(Expr::Or(yes, a)), k.expr(Expr::Not(no)), k.expr(Expr::Eq(a, a))], [yes; 4]);
    assert_eq!([k.expr(Expr::Choice(a, b, b)), k.expr(Expr::Choice(yes, b, a)), k.expr(Expr::Choice(no, a, b))], [b; 3]);
    assert_eq!([k.expr(Expr::Eq(two, two)), k.expr(Expr::Eq(two, yes))], [yes, no]);
    let not = k.expr(Expr::Not(a));
    assert_eq!([k.either(a, yes, no), k.either(not, yes, no)], [a, not]);
    assert_eq!(*k.get(k.ids[&Expr::Not(a)]), Expr::Not(a));
    let [x, y, z, w] = [k.either(a, b, no), k.either(a, yes, b), k.either(a, no, b), k.either(a, b, yes)];
    assert_eq!([k.get(x), k.get(y), k.get(z), k.get(w)], [&Expr::And(a, b), &Expr::Or(a, b), &Expr::And(not, b), &Expr::Or(not, b)]);
}

#[test]
fn a_choice_is_compared_side_by_side_up_to_a_depth() {
    for depth in [1, MAX_CHOICES, MAX_CHOICES + 1] {
        let mut k = PathConditions::new();
        let [zero, one, two] = [0, 1, 2].map(|c| k.constant(c));
        let mut number = two;
        let mut last = zero;
        for n in 0..depth {
            let c = k.opaque(NO_LOOP);
            number = k.expr(Expr::Choice(c, if n % 2 == 0 { one } else { zero }, number));
            last = c;
        }
        let is = k.expr(Expr::Eq(number, two));
        let mut inner = is;
        let mut found = 0;
        while let Expr::And(not, rest) = *k.get(inner) {
            assert!(matches!(k.get(not), Expr::Not(_)));
            (inner, found) = (rest, found + 1);
        }
        // The innermost is the negation of its condition, or a comparison that stays one.
        let whole = depth <= MAX_CHOICES;
        assert_eq!(matches!(k.get(inner), Expr::Not(_)), whole, "{depth}");
        assert_eq!(matches!(k.get(inner), Expr::Eq(..)), !whole, "{depth}");
        assert_eq!(found, if whole { depth - 1 } else { MAX_CHOICES }, "{depth}");
        assert!(depth != 1 || *k.get(is) == Expr::Not(last));
    }
}

#[test]
fn what_one_side_of_a_choice_is_not_the_other_one_is() {
    let mut k = PathConditions::new();
    let [c, x, y] = [(); 3].map(|()| k.opaque(NO_LOOP));
    let choice = k.expr(Expr::Choice(c, x, y));
    for holds in [true, false] {
        let s = k.add(NONE, (x, !holds)).unwrap();
        let s = k.add(s, (choice, holds)).unwrap();
        assert_eq!(k.lits(s), [(c, false), (x, !holds), (y, holds)]);
        let s = k.add(NONE, (y, !holds)).unwrap();
        let s = k.add(s, (choice, holds)).unwrap();
        assert_eq!(k.lits(s), [(c, true), (x, holds), (y, !holds)]);
        // It does not matter which side is taken where both are so.
        let s = k.add(NONE, (x, holds)).and_then(|s| k.add(s, (y, holds))).unwrap();
        assert_eq!(k.add(s, (choice, holds)), Ok(s));
        assert_eq!(k.add(s, (choice, !holds)), Err(NoAssumptions::Contradiction));
    }
    // An assumption about the whole is checked against what becomes known of its parts.
    let s = k.add(NONE, (choice, true)).and_then(|s| k.add(s, (c, true))).unwrap();
    assert_eq!(k.add(s, (x, false)), Err(NoAssumptions::Contradiction));
    assert!(k.add(s, (y, false)).is_ok());
}

#[test]
fn assignments_are_enumerated_where_conditions_share_values() {
    let mut k = PathConditions::new();
    let leaves: Vec<ExprId> = (0..9).map(|_| k.opaque(NO_LOOP)).collect();
    // Each two of them differ, in a circle: of an odd number that cannot be.
    for (count, odd) in [(3, true), (4, false), (7, true), (8, false), (9, true)] {
        let mut s = Ok(NONE);
        for n in 0..count {
            let (a, b) = (leaves[n], leaves[(n + 1) % count]);
            let not = k.expr(Expr::Not(b));
            let differ = k.either(a, not, b);
            s = s.and_then(|s| k.add(s, (differ, true)));
        }
        // Of more than eight values they are not.
        assert_eq!(s.is_err(), odd && count <= 8, "{count}");
    }
}

#[test]
fn a_path_keeps_so_many_assumptions() {
    let mut k = PathConditions::new();
    let mut s = NONE;
    for n in 0..=MAX_ASSUMPTIONS {
        assert_eq!(k.lits(s).len(), n);
        let c = k.opaque(NO_LOOP);
        match k.add(s, (c, n % 2 == 0)) {
            Ok(more) => s = more,
            Err(why) => assert_eq!((n, why), (MAX_ASSUMPTIONS, NoAssumptions::TooMany)),
        }
    }
    assert_eq!(k.lits(s).len(), MAX_ASSUMPTIONS);
    // Two paths with too many for one may still be the same path, unless they contradict each other.
    let (first, other) = (k.lits(s)[0], k.opaque(NO_LOOP));
    let t = k.add(NONE, (other, true)).unwrap();
    assert!(k.agree(s, t) && k.agree(t, s));
    let t = k.add(t, (first.0, !first.1)).unwrap();
    assert!(!k.agree(s, t) && !k.agree(t, s));
}

#[test]
fn a_loop_recomputes_what_is_in_it_and_in_its_inner_loops() {
    let mut k = PathConditions::new();
    // Loops 1 and 4 follow each other; 2 and 3 are inside of 1, one after the other.
    k.parents.extend([NO_LOOP, 1, 1, NO_LOOP]);
    let values: Vec<ExprId> = (0..5).map(|l| k.opaque(l)).collect();
    let inside: [&[usize]; 5] = [&[], &[1, 2, 3], &[2], &[3], &[4]];
    let all = values.iter().try_fold(NONE, |s, &v| k.add(s, (v, true))).unwrap();
    for (l, gone) in inside.iter().enumerate() {
        let kept = k.forget(all, l as LoopId);
        let left: Vec<Lit> = (0..5).filter(|n| !gone.contains(n)).map(|n| (values[n], true)).collect();
        assert_eq!(k.lits(kept), left, "{l}");
    }
    // What is computed of values varies with the innermost of them.
    let zero = k.constant(0);
    let [out, one, two] = [values[0], values[1], values[2]];
    for (e, varies) in [
        (Expr::And(out, one), [true, false]),
        (Expr::Or(one, out), [true, false]),
        (Expr::Not(two), [true, true]),
        (Expr::Eq(two, zero), [true, true]),
        (Expr::Choice(out, two, one), [true, true]),
        (Expr::Choice(one, out, zero), [true, false]),
        (Expr::Op(Opcode::iadd, 0, SmallVec::from_slice(&[out, two])), [true, true]),
        (Expr::Op(Opcode::iadd, 0, SmallVec::from_slice(&[out, out])), [false, false]),
    ] {
        let k = {
            let id = k.expr(e.clone());
            [k.varies(id, 1), k.varies(id, 2), k.varies(id, NO_LOOP)]
        };
        assert_eq!(k, [varies[0], varies[1], false], "{e:?}");
    }
}

#[test]
fn deep_expressions_that_share_their_parts_are_no_contradiction() {
    for depth in [4, 12, 24, 200] {
        let mut k = PathConditions::new();
        let given: Vec<ExprId> = (0..6).map(|_| k.opaque(NO_LOOP)).collect();
        let [zero, one, two] = [0, 1, 2].map(|c| k.constant(c));
        let (mut x, mut y) = (k.opaque(NO_LOOP), k.opaque(NO_LOOP));
        let (mut n, mut m) = (zero, one);
        for step in 0..depth {
            let [c, d] = [0, 1].map(|side| given[(2 * step + side) % 6]);
            x = k.either(c, x, y);
            y = k.either(d, y, x);
            n = k.expr(Expr::Choice(c, n, m));
            m = k.expr(Expr::Choice(d, m, n));
        }
        // Either may hold, as each is one of two conditions that nothing else says anything of.
        for first in [true, false] {
            let s = k.add(NONE, (x, first));
            assert!(s.is_ok(), "{depth}");
            assert!(s.and_then(|s| k.add(s, (y, first))).is_ok(), "{depth}");
        }
        let [is, is_not] = [(n, one), (m, zero)].map(|(a, b)| k.expr(Expr::Eq(a, b)));
        for lit in [(is, true), (is, false), (is_not, true), (is_not, false)] {
            assert!(k.add(NONE, lit).is_ok(), "{depth}");
        }
        // A small one is no other number.
        let none = k.expr(Expr::Eq(n, two));
        assert!(depth > 4 || k.constant_of(none) == Some(0));
    }
}
