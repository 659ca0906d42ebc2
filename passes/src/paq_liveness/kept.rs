//! Construction of the CFG: scalars that may still be the constant that they were. `best` is the largest number until a search finds something
//! less, `count` is zero until something is counted: that they are no longer says that the search went where payloads are written. So
//! where paths meet, and at the heads of loops, edges assume whether such a scalar is its constant.

use rtc_ir::{Inst, InstData, Opcode, Type};
use smallvec::{SmallVec, smallvec};

use super::build::{Incoming, Walk, Watched};
use super::cfg::Edge;
use super::constants::{Assumed, MAX_EDGES};
use super::path_conditions::{Expr, ExprId, Lit};

impl Walk<'_, '_> {
    fn followed_type(&self, what: Watched) -> Option<Type> {
        let Watched::Scalar(n) = what else { return None };
        let scalar = &self.function_facts().scalars[n as usize];
        scalar.decides.then_some(scalar.ty)
    }

    /// The constant that a scalar may still be if its value is `k`.
    pub(super) fn origin(&self, what: Watched, k: ExprId) -> Option<u64> {
        let ty = self.followed_type(what)?;
        let c = self.cfg.conds.constant_of(k).or_else(|| self.origins.get(&k).copied())?;
        // What is not a number equals nothing.
        (ty == Type::I32 || ty == Type::F32 && !f32::from_bits(c as u32).is_nan()).then_some(c)
    }

    /// Whether a loop may leave a scalar alone that it stores to: no store is in each iteration.
    pub(super) fn may_keep(&self, what: Watched, looped: Inst) -> bool {
        let (Watched::Scalar(n), InstData::Loop { body, continuing, .. }) = (what, &self.f().insts[looped]) else { return false };
        let facts = self.function_facts();
        facts.scalars[n as usize].stores.iter().all(|&s| ![*body, *continuing].contains(&facts.parents[s]))
    }

    /// The assumption that the value `k` of a scalar is the constant `c`, or is not.
    fn is_still(&mut self, what: Watched, k: ExprId, c: u64, holds: bool) -> Lit {
        let c = self.cfg.conds.constant(c);
        let e = match self.followed_type(what) {
            Some(Type::F32) => Expr::Op(Opcode::feq, 32, smallvec![k, c]),
            _ => Expr::Eq(k, c),
        };
        (self.cfg.conds.expr(e), holds)
    }

    /// The facts about `now`, the value of a scalar that was `before`: for each case the assumptions, the last one of which is about `now`. None
    /// if it may be what it was or another number.
    pub(super) fn told(&mut self, what: Watched, before: ExprId, now: ExprId, c: u64) -> SmallVec<[Assumed; 2]> {
        if let Some(b) = self.cfg.conds.constant_of(before) {
            let same = match self.followed_type(what) {
                Some(Type::F32) => f32::from_bits(b as u32) == f32::from_bits(c as u32),
                _ => b == c,
            };
            return smallvec![smallvec![self.is_still(what, now, c, same)]];
        }
        if self.origins.get(&before) != Some(&c) {
            return smallvec![Assumed::new()];
        }
        [true, false].iter().map(|&is| smallvec![self.is_still(what, before, c, is), self.is_still(what, now, c, is)]).collect()
    }

    /// Of the value `is` that a scalar has where these edges meet, with the values `ks` on them.
    pub(super) fn join_kept(&mut self, what: Watched, is: ExprId, ks: &[ExprId], incoming: &mut Incoming) {
        let kept = ks.iter().find(|&k| self.origins.contains_key(k));
        // The last edge is that of an `if` without `else`, which leaves it alone.
        let constant = || ks.iter().rev().find(|&&k| self.cfg.conds.constant_of(k).is_some());
        let Some(c) = kept.or_else(constant).and_then(|&k| self.origin(what, k)) else { return };
        if 2 * ks.len() > MAX_EDGES {
            return;
        }
        self.origins.insert(is, c);
        for ((from, edge, constants), &k) in std::mem::take(incoming).into_iter().zip(ks) {
            let told = self.told(what, k, is, c);
            let Edge { to, ref lits, back } = self.cfg.blocks[from as usize].succs[edge];
            let before = lits.clone();
            for (n, more) in told.into_iter().enumerate() {
                let new = Edge { to, lits: before.iter().copied().chain(more).collect(), back };
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
