//! Construction of the CFG: values that may still be the constant that they were. `best` is the largest number until a search finds something
//! less, `count` is zero until something is counted: that they are no longer says that the search went where payloads are written. So
//! where paths meet, and at the heads of loops, edges assume whether such a scalar is its constant. Of what payloads hold they assume which it is of
//! the constants that the library stores there, or that it is none of these.

use rtc_ir::{Inst, InstData, Opcode, Type};
use smallvec::{SmallVec, smallvec};

use super::build::{Distinguished, Incoming, Walk, Watched};
use super::cfg::Edge;
use super::constants::{Assumed, Case, FOLLOWED, MAX_EDGES};
use super::facts::MAX_CONSTANTS;
use super::path_conditions::{Expr, ExprId, Lit};

impl Walk<'_, '_> {
    /// The type of what is followed so.
    fn followed_type(&self, what: Watched) -> Option<Type> {
        match what {
            Watched::Scalar(n) => {
                let scalar = &self.function_facts().scalars[n as usize];
                scalar.decides.then_some(scalar.ty)
            }
            Watched::Cell(n) => {
                let &(ty, member) = self.held.get(n as usize)?;
                // What is no member is a flag of the shader.
                let decides = member.is_none_or(|m| self.facts.watch(m).is_some_and(|w| w.decides));
                (decides && FOLLOWED.contains(&ty)).then_some(ty)
            }
            Watched::Result(ty) => Some(ty),
            Watched::Passed(_, ty) => FOLLOWED.contains(&ty).then_some(ty),
        }
    }

    /// The constants of which edges tell what it is, if its value is `k`.
    pub(super) fn distinguished(&self, what: Watched, k: ExprId) -> Option<Distinguished> {
        let ty = self.followed_type(what)?;
        if let Some(set) = self.origins.get(&k) {
            return Some(set.clone());
        }
        if is_value(what) {
            if ty == Type::BOOL {
                // Of what came from elsewhere it says nothing whether it still is so.
                return (!matches!(self.cfg.conds.get(k), Expr::Opaque(_))).then(|| smallvec![1]);
            }
            if let Some((_, x, y)) = self.cfg.conds.small_choice(k) {
                return self.distinguished(what, y).or_else(|| self.distinguished(what, x));
            }
        }
        // What is not a number equals nothing.
        let number = |c: u64| ty == Type::I32 || ty == Type::F32 && !f32::from_bits(c as u32).is_nan();
        let c = self.cfg.conds.constant_of(k).filter(|&c| number(c))?;
        let mut set: Distinguished = smallvec![c];
        if let Watched::Cell(n) = what
            && let Some(watch) = self.held.get(n as usize).and_then(|h| self.facts.watch(h.1?))
        {
            set.extend(watch.constants.iter().copied().filter(|&other| other != c && number(other)));
            if set.len() > MAX_CONSTANTS {
                set.truncate(1);
            }
        }
        Some(set)
    }

    /// Whether a loop may leave a scalar alone that it stores to: no store is in each iteration.
    pub(super) fn may_keep(&self, what: Watched, looped: Inst) -> bool {
        let (Watched::Scalar(n), InstData::Loop { body, continuing, .. }) = (what, &self.f().insts[looped]) else { return true };
        let facts = self.function_facts();
        self.continues(looped) || facts.scalars[n as usize].stores.iter().all(|&s| ![*body, *continuing].contains(&facts.parents[s]))
    }

    /// The condition that the value `k` of a type is the constant `c`.
    fn is_constant(&mut self, ty: Type, k: ExprId, c: u64) -> ExprId {
        if let Some((if_, x, y)) = self.cfg.conds.small_choice(k).filter(|_| ty == Type::F32) {
            let [x, y] = [x, y].map(|k| self.is_constant(ty, k, c));
            return self.cfg.conds.either(if_, x, y);
        }
        let with = self.cfg.conds.constant(c);
        let e = match (ty, self.cfg.conds.constant_of(k)) {
            (Type::F32, Some(b)) => return self.cfg.conds.constant(same(ty, b, c).into()),
            (Type::F32, None) => Expr::Op(Opcode::feq, 32, smallvec![k, with]),
            _ => Expr::Eq(k, with),
        };
        self.cfg.conds.expr(e)
    }

    /// The assumption that the value `k` is the constant `c`, or is not.
    fn is_still(&mut self, ty: Type, k: ExprId, c: u64, holds: bool) -> Lit {
        match ty {
            Type::BOOL => (k, holds == (c != 0)),
            _ => (self.is_constant(ty, k, c), holds),
        }
    }

    /// The assumptions that the value `k` is one of these constants, for each of them; the last ones, that it is none.
    fn each(&mut self, ty: Type, k: ExprId, set: &[u64]) -> SmallVec<[Assumed; 4]> {
        let mut out: SmallVec<[Assumed; 4]> = set.iter().map(|&c| smallvec![self.is_still(ty, k, c, true)]).collect();
        out.push(set.iter().map(|&c| self.is_still(ty, k, c, false)).collect());
        out
    }

    /// The cases of `now`, the value of what was `before`: which of the constants it is, or none. One without assumptions if of `before` nothing is
    /// known.
    pub(super) fn told(&mut self, what: Watched, before: ExprId, now: ExprId, set: &[u64]) -> SmallVec<[Case; 2]> {
        let nothing = || smallvec![Case { before: Assumed::new(), now: Assumed::new() }];
        let Some(ty) = self.followed_type(what) else { return nothing() };
        if let Some(b) = self.cfg.conds.constant_of(before) {
            let which = set.iter().position(|&c| same(ty, b, c)).unwrap_or(set.len());
            let now = self.each(ty, now, set).swap_remove(which);
            return smallvec![Case { before: Assumed::new(), now }];
        }
        let known = match self.origins.get(&before) {
            Some(told) => is_value(what) || told[..] == *set,
            None => is_value(what) && self.distinguished(what, before).is_some(),
        };
        if !known {
            return nothing();
        }
        let (before, now) = (self.each(ty, before, set), self.each(ty, now, set));
        before.into_iter().zip(now).map(|(before, now)| Case { before, now }).collect()
    }

    /// The set with more constants that one of these values is, if they are few.
    fn with_constants(&self, what: Watched, mut set: Distinguished, ks: &[ExprId]) -> Distinguished {
        for &k in ks {
            if let Some(own) = self.cfg.conds.constant_of(k).and_then(|_| self.distinguished(what, k))
                && !set.contains(&own[0])
                && set.len() < MAX_CONSTANTS
            {
                set.push(own[0]);
            }
        }
        set
    }

    /// Of the value `is` that something has where these edges meet, with the values `ks` on them.
    pub(super) fn join_kept(&mut self, what: Watched, is: ExprId, ks: &[ExprId], incoming: &mut Incoming) {
        let kept = ks.iter().find(|&k| self.origins.contains_key(k));
        // The last edge is that of an `if` without `else`, which leaves it alone.
        let constant = || ks.iter().rev().find(|&&k| self.cfg.conds.constant_of(k).is_some());
        let of = kept.or_else(constant).copied();
        let set = of.and_then(|k| self.distinguished(what, k));
        let set = match is_value(what) {
            true => set.or_else(|| ks.iter().find_map(|&k| self.distinguished(what, k))).map(|set| self.with_constants(what, set, ks)),
            false => set,
        };
        let Some(set) = set else { return };
        let cases: Vec<_> = ks.iter().map(|&k| self.told(what, k, is, &set)).collect();
        if cases.iter().map(|c| c.len()).sum::<usize>() > MAX_EDGES {
            return;
        }
        self.split(incoming, cases);
        self.origins.insert(is, set);
    }

    /// Each of these edges once for each of its cases.
    pub(super) fn split(&mut self, incoming: &mut Incoming, cases: Vec<SmallVec<[Case; 2]>>) {
        for ((from, edge, constants), told) in std::mem::take(incoming).into_iter().zip(cases) {
            let Edge { to, ref lits, back } = self.cfg.blocks[from as usize].succs[edge];
            let before = lits.clone();
            for (n, more) in told.into_iter().enumerate() {
                let lits = before.iter().chain(&more.before).chain(&more.now).copied().collect();
                let new = Edge { to, lits, back };
                let succs = &mut self.cfg.blocks[from as usize].succs;
                let edge = if n == 0 { edge } else { succs.len() };
                match succs.get_mut(edge) {
                    Some(old) => *old = new,
                    None => succs.push(new),
                }
                incoming.push((from, edge, constants.clone()));
            }
        }
    }
}

/// Whether it is followed as a value, and not as a variable with all that is stored to it.
fn is_value(what: Watched) -> bool {
    matches!(what, Watched::Cell(_) | Watched::Result(_) | Watched::Passed(..))
}

/// Whether two constants of a type are equal.
fn same(ty: Type, a: u64, b: u64) -> bool {
    match ty {
        Type::F32 => f32::from_bits(a as u32) == f32::from_bits(b as u32),
        _ => a == b,
    }
}
