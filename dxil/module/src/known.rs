//! [`Known`]: what was computed already and can still be used, so that it is not computed again.
//!
//! A function that is written in an order in which nested scopes are dominated by what comes before them needs no more than
//! a stack: leaving a scope forgets what was computed in it. A [`Builder`](super::Builder) that is given a table looks
//! everything up that depends on its operands alone; calls and loads only if it is told that they do.
//!
//! [`Known::forget`] begins anew without a scope: behind a point across which nothing shall be carried for this.

use super::{Body, Inst, InstData, List, Op, Type, Value};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

/// The table.
#[derive(Debug, Default)]
pub struct Known {
    /// What was computed, in order.
    all: Vec<Entry>,
    /// The last of `all` with each hash: its number and one.
    last: FxHashMap<u64, u32>,
    /// Counts the calls of [`Known::forget`].
    age: u32,
}

#[derive(Debug)]
struct Entry {
    hash: u64,
    inst: Inst,
    age: u32,
    /// The one before it with the same hash, if any: its number and one.
    before: u32,
}

/// A place in the order of what was computed: see [`Known::mark`].
#[derive(Debug, Clone, Copy)]
pub struct Mark(usize);

impl Known {
    /// Begins a scope.
    pub fn mark(&self) -> Mark {
        Mark(self.all.len())
    }

    /// Ends the scope that began at `mark`.
    pub fn leave(&mut self, mark: Mark) {
        for entry in self.all.drain(mark.0..).rev() {
            self.last.insert(entry.hash, entry.before);
        }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.age += 1;
    }

    /// The instruction that computed before what `inst` computes, if it can be used there; otherwise `inst`, which is known from
    /// now on. What a call gives, the caller must know to depend on its arguments alone.
    pub fn first_of(&mut self, body: &mut Body, inst: Inst) -> Inst {
        let InstData { op, ty, .. } = body.insts[inst];
        self.get_or(body, ty, op, |_| inst)
    }

    /// The instruction that computed `op` before, if it can be used here. If there is none, `make` makes one.
    pub(super) fn get_or(&mut self, body: &mut Body, ty: Type, op: Op, make: impl FnOnce(&mut Body) -> Inst) -> Inst {
        let hash = hash(body, ty, &op);
        let last = self.last.get(&hash).copied().unwrap_or(0);
        let mut at = last;
        while let Some(entry) = (at as usize).checked_sub(1).and_then(|n| self.all.get(n)) {
            let InstData { op: found, ty: of, .. } = &body.insts[entry.inst];
            if entry.age == self.age && *of == ty && same(body, found, &op) {
                return entry.inst;
            }
            at = entry.before;
        }
        let inst = make(body);
        self.all.push(Entry { hash, inst, age: self.age, before: last });
        self.last.insert(hash, self.all.len() as u32);
        inst
    }
}

/// Whether the result depends on the operands alone. Of calls that is not known here.
pub fn is_computation(op: &Op) -> bool {
    matches!(
        op,
        Op::Binary { .. }
            | Op::Cast { .. }
            | Op::Cmp { .. }
            | Op::Select { .. }
            | Op::Gep { .. }
            | Op::ExtractValue { .. }
            | Op::InsertValue { .. }
            | Op::ExtractElement { .. }
            | Op::InsertElement { .. }
            | Op::ShuffleVector { .. }
    )
}

/// What an operation is besides its operands, as far as two can differ in it.
fn details(op: &Op) -> u32 {
    match *op {
        Op::Binary { op, flags, .. } => u32::from(flags) << 8 | op as u32,
        Op::Cmp { pred, flags, .. } => u32::from(flags) << 8 | pred as u32,
        Op::Cast { op, .. } => op as u32,
        Op::Gep { inbounds, .. } => inbounds.into(),
        _ => 0,
    }
}

/// The operands, and the numbers of the fields that an operation names.
fn operands<'b>(body: &'b Body, op: &'b Op) -> ([Option<Value>; 3], &'b [Value], &'b [u32]) {
    let list = |l: List| body.values(l);
    match *op {
        Op::Binary { lhs, rhs, .. } | Op::Cmp { lhs, rhs, .. } => ([Some(lhs), Some(rhs), None], &[], &[]),
        Op::Cast { value, .. } => ([Some(value), None, None], &[], &[]),
        Op::Load { ptr, .. } => ([Some(ptr), None, None], &[], &[]),
        Op::Select { cond, then, other } => ([Some(cond), Some(then), Some(other)], &[], &[]),
        Op::Gep { operands, .. } => ([None; 3], list(operands), &[]),
        Op::Call { callee, args, .. } => ([Some(callee), None, None], list(args), &[]),
        Op::ExtractValue { value, path } => ([Some(value), None, None], &[], body.path(path)),
        Op::InsertValue { value, field, path } => ([Some(value), Some(field), None], &[], body.path(path)),
        Op::ExtractElement { vector, index } => ([Some(vector), Some(index), None], &[], &[]),
        Op::InsertElement { vector, value, index } => ([Some(vector), Some(value), Some(index)], &[], &[]),
        Op::ShuffleVector { lhs, rhs, mask } => ([Some(lhs), Some(rhs), Some(mask)], &[], &[]),
        _ => ([None; 3], &[], &[]),
    }
}

fn hash(body: &Body, ty: Type, op: &Op) -> u64 {
    let mut hasher = FxHasher::default();
    discriminant(op).hash(&mut hasher);
    (ty, details(op), operands(body, op)).hash(&mut hasher);
    hasher.finish()
}

fn same(body: &Body, a: &Op, b: &Op) -> bool {
    discriminant(a) == discriminant(b) && details(a) == details(b) && operands(body, a) == operands(body, b)
}
