//! Path conditions: boolean expressions over opaque values, interned, and sets of assumptions about them.
//!
//! Two branches over the same value take the same side. So a path is kept with the conditions that it assumes, and a
//! path that assumes a condition and its negation is infeasible. At a back edge, assumptions about values that the loop recomputes
//! are dropped.

mod ranges;

use rtc_ir::Opcode;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A loop of the CFG, numbered in the order of entry: its parent has a smaller number.
pub(super) type LoopId = u32;
/// The code outside all loops.
pub(super) const NO_LOOP: LoopId = 0;

/// An expression, interned.
pub(super) type ExprId = u32;
/// A literal: an expression with whether it holds.
pub(super) type Lit = (ExprId, bool);
/// A set of assumptions, interned; [`NONE`] is the empty one.
pub(super) type Assumptions = u32;
/// Nothing is assumed.
pub(super) const NONE: Assumptions = 0;
/// Paths that assume more than this are not followed any further.
const MAX_ASSUMPTIONS: usize = 10;
/// Assumptions about more values than this, or of more parts, may be possible together.
const MAX_LEAVES: u32 = 8;
const MAX_PARTS: usize = 64;
/// Operations on choices inside of more choices stay as they are.
pub(super) const MAX_CHOICES: u32 = 16;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Expr {
    Const(u64),
    /// An opaque value with a number.
    Opaque(u32),
    Not(ExprId),
    And(ExprId, ExprId),
    Or(ExprId, ExprId),
    /// If the first holds the second, else the third.
    Choice(ExprId, ExprId, ExprId),
    Eq(ExprId, ExprId),
    /// A computation without effects: operation, immediate (of a comparison how many bits its operands have), operands.
    Op(Opcode, u32, SmallVec<[ExprId; 4]>),
}

/// Why assumptions cannot be made together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoAssumptions {
    /// They contradict each other: no path has them.
    Contradiction,
    /// There are more than the analysis keeps: the path is given up.
    TooMany,
}

/// Choices of more values are no operands of operations on each of their values.
pub(super) const MAX_VALUES: u32 = 64;

/// The interner of expressions and assumptions.
#[derive(Default)]
pub(super) struct PathConditions {
    exprs: Vec<(Expr, LoopId)>,
    /// Of how many values each expression is a choice.
    values: Vec<u32>,
    ids: FxHashMap<Expr, ExprId>,
    sets: Vec<SmallVec<[Lit; 4]>>,
    set_ids: FxHashMap<SmallVec<[Lit; 4]>, Assumptions>,
    /// Comparisons of choices with constants, which others share.
    equals: FxHashMap<(ExprId, ExprId), ExprId>,
    /// The loop around each loop.
    pub parents: Vec<LoopId>,
}

impl PathConditions {
    pub fn new() -> Self {
        let mut k = PathConditions { parents: vec![NO_LOOP], ..PathConditions::default() };
        k.set(SmallVec::new());
        k
    }

    fn intern(&mut self, e: Expr, l: LoopId) -> ExprId {
        if let Some(&k) = self.ids.get(&e) {
            return k;
        }
        let k = self.exprs.len() as ExprId;
        self.values.push(match e {
            Expr::Choice(_, a, b) => self.values[a as usize].saturating_add(self.values[b as usize]),
            _ => 1,
        });
        self.ids.insert(e.clone(), k);
        self.exprs.push((e, l));
        k
    }
    /// A new opaque value that is computed in loop `l`.
    pub fn opaque(&mut self, l: LoopId) -> ExprId {
        self.intern(Expr::Opaque(self.exprs.len() as u32), l)
    }
    pub fn constant(&mut self, bits: u64) -> ExprId {
        self.intern(Expr::Const(bits), NO_LOOP)
    }
    /// The expression; its loop is the innermost loop of its operands.
    pub fn expr(&mut self, e: Expr) -> ExprId {
        if let Expr::And(a, b) | Expr::Or(a, b) = e
            && a == b
        {
            return a;
        }
        if let Expr::And(..) | Expr::Or(..) | Expr::Not(_) | Expr::Choice(..) | Expr::Eq(..) = e {
            match self.decided(&e) {
                Some(Ok(holds)) => return self.constant(holds.into()),
                Some(Err(same)) => return same,
                None => {}
            }
        }
        if let Expr::Eq(a, b) = e
            && self.constant_of(b).is_some()
            && let Some(is) = self.choice_equals(a, b, MAX_CHOICES)
        {
            return is;
        }
        self.plain(e)
    }
    /// The expression as it is.
    fn plain(&mut self, e: Expr) -> ExprId {
        let mut l = NO_LOOP;
        let mut see = |k: &ExprId| l = self.deeper(l, self.exprs[*k as usize].1);
        match &e {
            Expr::Const(_) | Expr::Opaque(_) => {}
            Expr::Not(a) => see(a),
            Expr::And(a, b) | Expr::Or(a, b) | Expr::Eq(a, b) => [a, b].into_iter().for_each(&mut see),
            Expr::Choice(a, b, c) => [a, b, c].into_iter().for_each(&mut see),
            Expr::Op(.., args) => args.iter().for_each(&mut see),
        }
        self.intern(e, l)
    }
    /// What an expression over constants is, or which of its operands it is.
    fn decided(&self, e: &Expr) -> Option<Result<bool, ExprId>> {
        let known = |k: ExprId| self.constant_of(k).map(|c| c != 0);
        match *e {
            Expr::Not(a) => known(a).map(|a| Ok(!a)),
            Expr::And(a, b) => match (known(a), known(b)) {
                (Some(false), _) | (_, Some(false)) => Some(Ok(false)),
                (Some(true), _) => Some(Err(b)),
                (_, Some(true)) => Some(Err(a)),
                _ => None,
            },
            Expr::Or(a, b) => match (known(a), known(b)) {
                (Some(true), _) | (_, Some(true)) => Some(Ok(true)),
                (Some(false), _) => Some(Err(b)),
                (_, Some(false)) => Some(Err(a)),
                _ => None,
            },
            Expr::Choice(_, a, b) if a == b => Some(Err(a)),
            Expr::Choice(c, a, b) => known(c).map(|c| Err(if c { a } else { b })),
            Expr::Eq(a, b) if a == b => Some(Ok(true)),
            Expr::Eq(a, b) => self.constant_of(a).zip(self.constant_of(b)).map(|(a, b)| Ok(a == b)),
            Expr::Const(_) | Expr::Opaque(_) | Expr::Op(..) => None,
        }
    }
    /// Whether a choice of numbers equals a constant: a choice of conditions. `None` if `a` is no choice. Choices share what they choose from, so
    /// that each comparison is made once.
    fn choice_equals(&mut self, a: ExprId, b: ExprId, depth: u32) -> Option<ExprId> {
        let (c, x, y) = self.choice(a).filter(|_| depth > 0)?;
        if let Some(&is) = self.equals.get(&(a, b)) {
            return Some(is);
        }
        let [x, y] = [x, y].map(|k| match (self.choice_equals(k, b, depth - 1), self.constant_of(k).zip(self.constant_of(b))) {
            (Some(is), _) => is,
            (None, Some((k, b))) => self.constant((k == b).into()),
            (None, None) => self.plain(Expr::Eq(k, b)),
        });
        let is = self.either(c, x, y);
        self.equals.insert((a, b), is);
        Some(is)
    }
    /// If `c` holds the condition `x`, else `y`.
    pub fn either(&mut self, c: ExprId, x: ExprId, y: ExprId) -> ExprId {
        let known = |k: ExprId| self.constant_of(k).map(|c| c != 0);
        match (known(x), known(y)) {
            (Some(true), Some(false)) => c,
            (_, Some(false)) => self.expr(Expr::And(c, x)),
            (Some(true), _) => self.expr(Expr::Or(c, y)),
            (Some(false), _) => {
                let not = self.expr(Expr::Not(c));
                self.expr(Expr::And(not, y))
            }
            (_, Some(true)) => {
                let not = self.expr(Expr::Not(c));
                self.expr(Expr::Or(not, x))
            }
            (None, None) => self.expr(Expr::Choice(c, x, y)),
        }
    }
    /// The parts of a choice.
    pub fn choice(&self, k: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        match self.exprs[k as usize].0 {
            Expr::Choice(c, x, y) => Some((c, x, y)),
            _ => None,
        }
    }
    /// The parts of a choice of few values.
    pub fn small_choice(&self, k: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        self.choice(k).filter(|_| self.values[k as usize] <= MAX_VALUES)
    }
    /// What an expression is.
    pub fn get(&self, k: ExprId) -> &Expr {
        &self.exprs[k as usize].0
    }
    pub fn constant_of(&self, k: ExprId) -> Option<u64> {
        match self.exprs[k as usize].0 {
            Expr::Const(c) => Some(c),
            _ => None,
        }
    }
    fn deeper(&self, a: LoopId, b: LoopId) -> LoopId {
        // Loops are numbered from outside to inside.
        a.max(b)
    }
    /// Whether `k` is recomputed in each iteration of loop `l`.
    fn varies(&self, k: ExprId, l: LoopId) -> bool {
        let mut at = self.exprs[k as usize].1;
        while at > l {
            at = self.parents[at as usize];
        }
        at == l && l != NO_LOOP
    }

    fn set(&mut self, s: SmallVec<[Lit; 4]>) -> Assumptions {
        if let Some(&id) = self.set_ids.get(&s) {
            return id;
        }
        let id = self.sets.len() as Assumptions;
        self.sets.push(s.clone());
        self.set_ids.insert(s, id);
        id
    }
    pub fn lits(&self, a: Assumptions) -> &[Lit] {
        &self.sets[a as usize]
    }

    /// The value of `k` under assumptions, if it is determined.
    fn eval(&self, k: ExprId, s: &[Lit], depth: u32) -> Option<bool> {
        if let Some(l) = s.iter().find(|l| l.0 == k) {
            return Some(l.1);
        }
        self.eval_parts(k, s, depth)
    }

    /// The same without an assumption about `k` itself.
    fn eval_parts(&self, k: ExprId, s: &[Lit], depth: u32) -> Option<bool> {
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
                // What was assumed of bits of this number.
                let (x, mask, shift) = self.under_mask(a);
                let (known, value) = self.known_bits(x, s);
                let c = c << shift;
                match c & !mask | (value ^ c) & known & mask {
                    0 => (known & mask == mask).then_some(true),
                    _ => Some(false),
                }
            }
            Expr::Opaque(_) | Expr::Op(..) => None,
        }
    }

    /// Of which number an expression is the bits under a mask, the mask, and how far they are moved down.
    pub fn under_mask(&self, k: ExprId) -> (ExprId, u64, u64) {
        let args = |k: ExprId, of: &[Opcode]| match &self.exprs[k as usize].0 {
            Expr::Op(op, _, args) if of.contains(op) => Some(args.as_slice()),
            _ => None,
        };
        let (mut x, mut mask) = (k, u64::MAX);
        if let Some(&[of, with]) = args(x, &[Opcode::and])
            && let Some(with) = self.constant_of(with)
        {
            (x, mask) = (of, with);
        }
        if let Some(&[width, at, of]) = args(x, &[Opcode::ubfe])
            && let (Some(width @ 1..32), Some(at @ 0..32)) = (self.constant_of(width), self.constant_of(at))
        {
            return (of, (mask & ((1 << width) - 1)) << at, at);
        }
        (x, mask, 0)
    }

    /// Which bits of the number `x` assumptions determine, and what these are.
    fn known_bits(&self, x: ExprId, s: &[Lit]) -> (u64, u64) {
        let (mut known, mut value) = (0, 0);
        for &(k, holds) in s {
            let Expr::Eq(a, b) = self.exprs[k as usize].0 else { continue };
            let ((of, mask, shift), Some(c)) = (self.under_mask(a), self.constant_of(b)) else { continue };
            if of == x && holds {
                (known, value) = (known | mask, value | c << shift & mask);
            } else if of == x && c == 0 && mask.is_power_of_two() {
                (known, value) = (known | mask, value | mask);
            }
        }
        (known, value)
    }

    /// `a` with one more assumption.
    ///
    /// # Errors
    /// There is no set of assumptions for it: see [`NoAssumptions`].
    pub fn add(&mut self, a: Assumptions, lit: Lit) -> Result<Assumptions, NoAssumptions> {
        let mut s = self.sets[a as usize].clone();
        let mut todo: SmallVec<[Lit; 8]> = SmallVec::from_slice(&[lit]);
        while let Some((k, holds)) = todo.pop() {
            match (self.eval(k, &s, 8), &self.exprs[k as usize].0) {
                (Some(x), _) if x == holds => {}
                (Some(_), _) => return Err(NoAssumptions::Contradiction),
                (None, &Expr::Not(x)) => todo.push((x, !holds)),
                (None, &Expr::And(x, y)) if holds => todo.extend([(x, true), (y, true)]),
                (None, &Expr::Or(x, y)) if !holds => todo.extend([(x, false), (y, false)]),
                (None, e) => {
                    // A choice is decided if one side has the other value.
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
        // Assumptions about expressions must agree with those about their operands.
        for &(k, holds) in &s {
            if self.eval_parts(k, &s, 8).is_some_and(|x| x != holds) {
                return Err(NoAssumptions::Contradiction);
            }
        }
        if !self.possible(&s) || !ranges::possible(self, &s) {
            return Err(NoAssumptions::Contradiction);
        }
        if s.len() > MAX_ASSUMPTIONS {
            return Err(NoAssumptions::TooMany);
        }
        Ok(self.set(s))
    }

    /// Whether an assignment of the leaves satisfies all assumptions, by enumeration. With many leaves, or in large expressions, the answer is yes.
    fn possible(&self, s: &[Lit]) -> bool {
        // Expressions share their parts: each is here once, and after its own parts.
        let mut all: SmallVec<[ExprId; 32]> = SmallVec::new();
        let mut todo: SmallVec<[(ExprId, bool); 32]> = SmallVec::new();
        let (mut leaves, mut joined) = (0, 0);
        for &(k, _) in s {
            let (assumed, before) = (k, leaves);
            todo.push((k, false));
            while let Some((k, left)) = todo.pop() {
                if all.contains(&k) {
                    continue;
                }
                if all.len() == MAX_PARTS {
                    return true;
                }
                let parts: SmallVec<[ExprId; 3]> = match self.exprs[k as usize].0 {
                    Expr::Not(a) => SmallVec::from_slice(&[a]),
                    Expr::And(a, b) | Expr::Or(a, b) => SmallVec::from_slice(&[a, b]),
                    Expr::Choice(a, b, c) => SmallVec::from_slice(&[a, b, c]),
                    Expr::Const(_) => SmallVec::new(),
                    _ => {
                        leaves += 1;
                        SmallVec::new()
                    }
                };
                if left || parts.is_empty() {
                    all.push(k);
                    continue;
                }
                todo.push((k, true));
                todo.extend(parts.into_iter().map(|k| (k, false)));
            }
            joined += usize::from(leaves != before + 1 || !self.is_leaf(assumed));
        }
        // Independent leaves: always satisfiable.
        if joined == 0 || leaves > MAX_LEAVES {
            return true;
        }
        (0..1u32 << leaves).any(|bits| self.holds_in(&all, bits, s))
    }

    /// Whether all assumptions hold where the leaves among `all`, which is the parts of their expressions, have these values.
    fn holds_in(&self, all: &[ExprId], mut bits: u32, s: &[Lit]) -> bool {
        let mut values: SmallVec<[bool; 32]> = SmallVec::new();
        for &k in all {
            let of = |k: ExprId| all.iter().position(|&a| a == k).is_some_and(|n| values[n]);
            let value = match self.exprs[k as usize].0 {
                Expr::Const(c) => c != 0,
                Expr::Not(a) => !of(a),
                Expr::And(a, b) => of(a) && of(b),
                Expr::Or(a, b) => of(a) || of(b),
                Expr::Choice(c, a, b) => of(if of(c) { a } else { b }),
                _ => {
                    let leaf = bits & 1 != 0;
                    bits >>= 1;
                    leaf
                }
            };
            values.push(value);
        }
        let agree = s.iter().all(|&(k, holds)| all.iter().position(|&a| a == k).is_some_and(|n| values[n] == holds));
        // Leaves that compare one number depend on each other.
        agree && {
            let leaves: SmallVec<[Lit; 16]> = all.iter().copied().zip(values).filter(|l| self.is_leaf(l.0)).collect();
            ranges::possible(self, &leaves)
        }
    }

    fn is_leaf(&self, k: ExprId) -> bool {
        !matches!(self.exprs[k as usize].0, Expr::Const(_) | Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::Choice(..))
    }

    /// Without assumptions about values that loop `l` recomputes.
    pub fn forget(&mut self, a: Assumptions, l: LoopId) -> Assumptions {
        let s = &self.sets[a as usize];
        if !s.iter().any(|x| self.varies(x.0, l)) {
            return a;
        }
        let s = s.iter().copied().filter(|x| !self.varies(x.0, l)).collect();
        self.set(s)
    }

    /// Whether the assumptions of both may hold together.
    pub fn agree(&mut self, a: Assumptions, b: Assumptions) -> bool {
        let mut both = a;
        for lit in self.lits(b).to_vec() {
            match self.add(both, lit) {
                Ok(more) => both = more,
                Err(NoAssumptions::Contradiction) => return false,
                Err(NoAssumptions::TooMany) => {}
            }
        }
        true
    }

    /// Whether `b` has every assumption of `a`.
    pub fn subsumes(&self, a: Assumptions, b: Assumptions) -> bool {
        a == b || self.lits(a).iter().all(|l| self.lits(b).contains(l))
    }

    /// Resolution: if two sets differ in one condition only, which is negated in one of them, the assumptions that they share.
    pub fn resolve(&mut self, a: Assumptions, b: Assumptions) -> Option<Assumptions> {
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
mod range_tests;
#[cfg(test)]
mod tests;
