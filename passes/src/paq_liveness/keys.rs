//! What conditions say: boolean expressions over values whose meaning is unknown, and sets of assumptions about them.
//!
//! Two branches over the same value go the same way. So a path is kept with the conditions that it assumes, and a
//! path that assumes a condition and its opposite is none. What a loop computes anew in each round is forgotten when
//! a round ends.

use rtc_ir::Opcode;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A loop of the flow graph, numbered as they are entered; its parent comes before it.
pub(super) type LoopId = u32;
/// The code outside all loops.
pub(super) const NO_LOOP: LoopId = 0;

/// An expression, interned.
pub(super) type Key = u32;
/// An expression that holds (`true`) or does not.
pub(super) type Lit = (Key, bool);
/// A set of assumptions, interned; [`NONE`] is the empty one.
pub(super) type Assume = u32;
/// Nothing is assumed.
pub(super) const NONE: Assume = 0;
/// Paths that assume more than this are not followed any further.
const MAX: usize = 10;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Expr {
    Const(u64),
    /// A value that nothing is known about, number n.
    Opaque(u32),
    Not(Key),
    And(Key, Key),
    Or(Key, Key),
    /// The second where the first holds, else the third.
    Choice(Key, Key, Key),
    Eq(Key, Key),
    /// A computation without effects: operation, immediate, operands.
    Op(Opcode, u32, SmallVec<[Key; 4]>),
}

/// The interner of expressions and assumptions.
#[derive(Default)]
pub(super) struct Keys {
    exprs: Vec<(Expr, LoopId)>,
    ids: FxHashMap<Expr, Key>,
    sets: Vec<SmallVec<[Lit; 4]>>,
    set_ids: FxHashMap<SmallVec<[Lit; 4]>, Assume>,
    /// The loop around each loop.
    pub parents: Vec<LoopId>,
}

impl Keys {
    pub fn new() -> Self {
        let mut k = Keys { parents: vec![NO_LOOP], ..Keys::default() };
        k.set(SmallVec::new());
        k
    }

    fn intern(&mut self, e: Expr, l: LoopId) -> Key {
        if let Some(&k) = self.ids.get(&e) {
            return k;
        }
        let k = self.exprs.len() as Key;
        self.ids.insert(e.clone(), k);
        self.exprs.push((e, l));
        k
    }
    /// A value of its own that is computed in loop `l`.
    pub fn opaque(&mut self, l: LoopId) -> Key {
        self.intern(Expr::Opaque(self.exprs.len() as u32), l)
    }
    pub fn constant(&mut self, bits: u64) -> Key {
        self.intern(Expr::Const(bits), NO_LOOP)
    }
    /// The expression, computed in the innermost of the loops of its operands.
    pub fn expr(&mut self, e: Expr) -> Key {
        if let Expr::And(a, b) | Expr::Or(a, b) = e
            && a == b
        {
            return a;
        }
        let mut l = NO_LOOP;
        let mut see = |k: &Key| l = self.deeper(l, self.exprs[*k as usize].1);
        match &e {
            Expr::Const(_) | Expr::Opaque(_) => {}
            Expr::Not(a) => see(a),
            Expr::And(a, b) | Expr::Or(a, b) | Expr::Eq(a, b) => [a, b].into_iter().for_each(&mut see),
            Expr::Choice(a, b, c) => [a, b, c].into_iter().for_each(&mut see),
            Expr::Op(.., args) => args.iter().for_each(&mut see),
        }
        self.intern(e, l)
    }
    pub fn constant_of(&self, k: Key) -> Option<u64> {
        match self.exprs[k as usize].0 {
            Expr::Const(c) => Some(c),
            _ => None,
        }
    }
    fn deeper(&self, a: LoopId, b: LoopId) -> LoopId {
        // Loops are numbered from outside to inside.
        a.max(b)
    }
    /// Whether `k` is computed anew in each round of loop `l`.
    fn varies(&self, k: Key, l: LoopId) -> bool {
        let mut at = self.exprs[k as usize].1;
        while at > l {
            at = self.parents[at as usize];
        }
        at == l && l != NO_LOOP
    }

    fn set(&mut self, s: SmallVec<[Lit; 4]>) -> Assume {
        if let Some(&id) = self.set_ids.get(&s) {
            return id;
        }
        let id = self.sets.len() as Assume;
        self.sets.push(s.clone());
        self.set_ids.insert(s, id);
        id
    }
    pub fn lits(&self, a: Assume) -> &[Lit] {
        &self.sets[a as usize]
    }

    /// What `k` is under assumptions, if that is certain.
    fn eval(&self, k: Key, s: &[Lit], depth: u32) -> Option<bool> {
        if let Some(l) = s.iter().find(|l| l.0 == k) {
            return Some(l.1);
        }
        self.eval_parts(k, s, depth)
    }

    /// That, but not from an assumption about `k` itself.
    fn eval_parts(&self, k: Key, s: &[Lit], depth: u32) -> Option<bool> {
        let go = |k| {
            if depth == 0 { None } else { self.eval(k, s, depth - 1) }
        };
        match self.exprs[k as usize].0 {
            Expr::Const(c) => Some(c != 0),
            Expr::Not(a) => go(a).map(|x| !x),
            Expr::And(a, b) => match (go(a), go(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Expr::Or(a, b) => match (go(a), go(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Expr::Choice(c, a, b) => match go(c) {
                Some(true) => go(a),
                Some(false) => go(b),
                None => go(a).filter(|x| go(b) == Some(*x)),
            },
            Expr::Eq(a, b) if a == b => Some(true),
            Expr::Eq(a, b) => {
                let c = self.constant_of(b)?;
                if let Some(x) = self.constant_of(a) {
                    return Some(x == c);
                }
                // Another number was assumed.
                let other = |l: &Lit| match self.exprs[l.0 as usize].0 {
                    Expr::Eq(x, d) => l.1 && x == a && self.constant_of(d).is_some_and(|d| d != c),
                    _ => false,
                };
                s.iter().any(other).then_some(false)
            }
            Expr::Opaque(_) | Expr::Op(..) => None,
        }
    }

    /// `a` with one more assumption. `Err(true)`: it cannot hold too; `Err(false)`: it is too much to follow.
    pub fn add(&mut self, a: Assume, lit: Lit) -> Result<Assume, bool> {
        let mut s = self.sets[a as usize].clone();
        let mut todo: SmallVec<[Lit; 8]> = SmallVec::from_slice(&[lit]);
        while let Some((k, holds)) = todo.pop() {
            match (self.eval(k, &s, 8), &self.exprs[k as usize].0) {
                (Some(x), _) if x == holds => {}
                (Some(_), _) => return Err(true),
                (None, &Expr::Not(x)) => todo.push((x, !holds)),
                (None, &Expr::And(x, y)) if holds => todo.extend([(x, true), (y, true)]),
                (None, &Expr::Or(x, y)) if !holds => todo.extend([(x, false), (y, false)]),
                (None, e) => {
                    // A choice of which one side is known to be the other way decides.
                    if let &Expr::Choice(c, x, y) = e {
                        if self.eval(x, &s, 8) == Some(!holds) {
                            todo.extend([(c, false), (y, holds)]);
                            continue;
                        }
                        if self.eval(y, &s, 8) == Some(!holds) {
                            todo.extend([(c, true), (x, holds)]);
                            continue;
                        }
                    }
                    let at = s.partition_point(|l| l.0 < k);
                    s.insert(at, (k, holds));
                }
            }
        }
        // What was assumed of the whole must agree with what is now known of its parts.
        for &(k, holds) in &s {
            if self.eval_parts(k, &s, 8).is_some_and(|x| x != holds) {
                return Err(true);
            }
        }
        if !self.possible(&s) {
            return Err(true);
        }
        if s.len() > MAX {
            return Err(false);
        }
        Ok(self.set(s))
    }

    /// Whether there are values of what the conditions consist of that make all of them so. Of more than a few it is
    /// taken for granted.
    fn possible(&self, s: &[Lit]) -> bool {
        let mut leaves: SmallVec<[Key; 16]> = SmallVec::new();
        let mut todo: SmallVec<[Key; 16]> = SmallVec::new();
        let mut joined = 0;
        for &(k, _) in s {
            let before = leaves.len();
            todo.push(k);
            while let Some(k) = todo.pop() {
                match self.exprs[k as usize].0 {
                    Expr::Not(a) => todo.push(a),
                    Expr::And(a, b) | Expr::Or(a, b) => todo.extend([a, b]),
                    Expr::Choice(a, b, c) => todo.extend([a, b, c]),
                    Expr::Const(_) => {}
                    _ if leaves.contains(&k) => {}
                    _ => leaves.push(k),
                }
                if leaves.len() + todo.len() > 64 {
                    return true;
                }
            }
            joined += usize::from(leaves.len() != before + 1);
        }
        // Each about something of its own: nothing can be in the way.
        if joined == 0 || leaves.len() > 8 {
            return true;
        }
        let mut world: SmallVec<[Lit; 8]> = leaves.iter().map(|&k| (k, false)).collect();
        (0..1u32 << leaves.len()).any(|bits| {
            world.iter_mut().enumerate().for_each(|(n, l)| l.1 = bits >> n & 1 != 0);
            s.iter().all(|l| self.eval(l.0, &world, 16) == Some(l.1))
        })
    }

    /// Without what loop `l` computes anew.
    pub fn forget(&mut self, a: Assume, l: LoopId) -> Assume {
        let s = &self.sets[a as usize];
        if !s.iter().any(|x| self.varies(x.0, l)) {
            return a;
        }
        let s = s.iter().copied().filter(|x| !self.varies(x.0, l)).collect();
        self.set(s)
    }

    /// Whether everything that `a` assumes is assumed by `b`.
    pub fn weaker(&self, a: Assume, b: Assume) -> bool {
        a == b || self.lits(a).iter().all(|l| self.lits(b).contains(l))
    }

    /// If two sets differ in one condition alone, which one assumes and the other one denies: what they share.
    pub fn resolve(&mut self, a: Assume, b: Assume) -> Option<Assume> {
        let (x, y) = (&self.sets[a as usize], &self.sets[b as usize]);
        if x.len() != y.len() {
            return None;
        }
        let mut differs = x.iter().zip(y).filter(|(p, q)| p != q);
        let (p, q) = differs.next()?;
        if p.0 != q.0 || differs.next().is_some() {
            return None;
        }
        let k = p.0;
        let s = x.iter().copied().filter(|l| l.0 != k).collect();
        Some(self.set(s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_and_its_opposite_exclude_each_other() {
        let mut k = Keys::new();
        let (a, b) = (k.opaque(NO_LOOP), k.opaque(NO_LOOP));
        let both = k.expr(Expr::And(a, b));
        let not = k.expr(Expr::Not(both));
        let s = k.add(NONE, (not, true)).unwrap();
        let s = k.add(s, (a, true)).unwrap();
        assert_eq!(k.add(s, (b, true)), Err(true));
        assert!(k.add(s, (b, false)).is_ok());
        let t = k.add(NONE, (both, true)).unwrap();
        assert_eq!(k.lits(t), [(a, true), (b, true)]);
        assert_eq!(k.add(t, (a, false)), Err(true));
    }

    #[test]
    fn numbers_exclude_each_other() {
        let mut k = Keys::new();
        let x = k.opaque(NO_LOOP);
        let (one, two) = (k.constant(1), k.constant(2));
        let (a, b) = (k.expr(Expr::Eq(x, one)), k.expr(Expr::Eq(x, two)));
        let s = k.add(NONE, (a, true)).unwrap();
        assert_eq!(k.add(s, (b, true)), Err(true));
        assert_eq!(k.add(s, (b, false)), Ok(s));
    }

    #[test]
    fn rounds_of_a_loop_are_independent() {
        let mut k = Keys::new();
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
    fn both_ways_are_no_condition() {
        let mut k = Keys::new();
        let (a, b) = (k.opaque(NO_LOOP), k.opaque(NO_LOOP));
        let s = k.add(NONE, (a, true)).unwrap();
        let (x, y) = (k.add(s, (b, true)).unwrap(), k.add(s, (b, false)).unwrap());
        assert_eq!(k.resolve(x, y), Some(s));
        assert!(k.weaker(s, x) && !k.weaker(x, s));
    }
}
