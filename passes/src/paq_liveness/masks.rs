//! Construction of the CFG: bits of which branches ask. A number that is a set of flags (`found |= SHADOW`) is another number on most paths, so where
//! paths meet, and at the heads of loops, edges assume of the bits under each mask whether they are clear. Which masks those are is known once the
//! shader was walked: if there are any it is walked again.

use rtc_ir::{Opcode, Type};
use smallvec::{SmallVec, smallvec};

use super::bit_fields::MAX_PARTS;
use super::build::{Incoming, Walk, Watched};
use super::constants::{Assumed, Case, MAX_EDGES};
use super::path_conditions::{Expr, ExprId};
use super::watched::Mask;

impl Walk<'_, '_> {
    /// The value of `what` where paths meet of which nothing is known.
    pub(super) fn met(&mut self, what: Watched) -> ExprId {
        let k = self.cfg.conds.opaque(self.looped);
        let func = self.call().func;
        self.tests.met.insert(k, (func, what));
        k
    }

    /// Notes that a branch compares `k` with a constant.
    pub(super) fn note_comparison(&mut self, k: ExprId, c: u64) {
        if let Some((_, x, y)) = self.cfg.conds.small_choice(k) {
            self.note_comparison(x, c);
            return self.note_comparison(y, c);
        }
        let (of, bits, _) = self.cfg.conds.under_mask(k);
        let (of, component) = self.vector_of(of);
        let Some(&what) = self.tests.met.get(&of) else { return };
        match bits.is_power_of_two() || bits <= u64::from(u32::MAX) && c == 0 {
            true => self.tests.add(what, Mask { component, bits }),
            // Each flag of several, if it is made of flags.
            false => _ = self.tests.compared.insert(what),
        }
    }

    /// Notes that bits of `k` are set or cleared.
    pub(super) fn note_flags(&mut self, mut k: ExprId, mut bits: u64) {
        for _ in 0..MAX_PARTS {
            match self.cfg.conds.get(k) {
                Expr::Op(Opcode::or | Opcode::and, _, args) => k = args[0],
                Expr::Op(Opcode::ubfe, _, args) => {
                    let Some(at) = self.cfg.conds.constant_of(args[1]).filter(|&at| at < 32) else { break };
                    (k, bits) = (args[2], bits << at);
                }
                Expr::Choice(_, x, _) => k = *x,
                _ => break,
            }
        }
        let (of, component) = self.vector_of(k);
        if let Some(&what) = self.tests.met.get(&of)
            && bits.is_power_of_two()
        {
            self.tests.made.push((what, Mask { component, bits }));
        }
    }

    /// The vector of which `k` is a component, and which.
    fn vector_of(&self, k: ExprId) -> (ExprId, Option<u32>) {
        match self.cfg.conds.get(k) {
            Expr::Op(Opcode::extract, n, args) => (args[0], Some(*n)),
            _ => (k, None),
        }
    }

    /// The masks under which edges tell what `what` has.
    pub(super) fn masks(&self, what: Watched) -> SmallVec<[Mask; 2]> {
        self.tests.told.get(&(self.call().func, what)).cloned().unwrap_or_default()
    }

    /// The condition that the bits of `k` under a mask are clear.
    fn is_clear(&mut self, mut k: ExprId, mask: Mask) -> ExprId {
        if let Some(n) = mask.component {
            k = self.extracted(k, n, Type::I32);
        }
        let bits = self.masked(k, mask.bits, MAX_PARTS);
        let zero = self.cfg.conds.constant(0);
        self.cfg.conds.expr(Expr::Eq(bits, zero))
    }

    /// The cases of `now`, the value of what was `before`: whether the bits under a mask are clear.
    pub(super) fn told_masked(&mut self, before: ExprId, now: ExprId, mask: Mask) -> SmallVec<[Case; 2]> {
        let [was, is] = [before, now].map(|k| self.is_clear(k, mask));
        match self.cfg.conds.constant_of(was) {
            Some(c) => smallvec![Case { before: Assumed::new(), now: smallvec![(is, c != 0)] }],
            None => [true, false].map(|holds| Case { before: smallvec![(was, holds)], now: smallvec![(is, holds)] }).into(),
        }
    }

    /// Of the value `is` that something has where these edges meet.
    pub(super) fn join_masked(&mut self, what: Watched, is: ExprId, incoming: &mut Incoming) {
        for mask in self.masks(what) {
            let before: Vec<ExprId> = incoming.iter().map(|e| e.2[&what]).collect();
            let cases: Vec<_> = before.into_iter().map(|k| self.told_masked(k, is, mask)).collect();
            if cases.iter().map(|c| c.len()).sum::<usize>() <= MAX_EDGES {
                self.split(incoming, cases);
            }
        }
    }
}
