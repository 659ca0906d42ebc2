//! Scoped value numbering: finds available instructions that compute the same value, for common subexpression elimination.
//!
//! The table is a scoped hash table for a walk over the dominator tree: [`ValueNumbers::mark`] opens a scope,
//! [`ValueNumbers::leave`] drops the entries of the scope. A [`Builder`](super::Builder) with a table looks up every
//! instruction whose result depends on its operands alone; calls and loads only where its caller states that they do.
//!
//! [`ValueNumbers::forget`] invalidates all entries: after a point across which no value is to be kept live.

use super::{Body, Inst, InstData, List, Op, Type, Value};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

/// A scoped hash table of available instructions.
#[derive(Debug, Default)]
pub struct ValueNumbers {
    /// The available instructions, in the order of their insertion.
    all: Vec<Entry>,
    /// The last entry of `all` with each hash: its index plus 1.
    last: FxHashMap<u64, u32>,
    /// Counts the calls of [`ValueNumbers::forget`].
    age: u32,
}

#[derive(Debug)]
struct Entry {
    hash: u64,
    inst: Inst,
    age: u32,
    /// The previous entry with the same hash: its index plus 1; 0 for none.
    before: u32,
}

/// The begin of a scope: see [`ValueNumbers::mark`].
#[derive(Debug, Clone, Copy)]
pub struct Mark(usize);

impl ValueNumbers {
    /// Begins a scope.
    pub fn mark(&self) -> Mark {
        Mark(self.all.len())
    }

    /// Ends the scope that began at `mark`.
    pub fn leave(&mut self, mark: Mark) {
        if mark.0 == 0 {
            self.all.clear();
            self.last.clear();
            return;
        }
        for entry in self.all.drain(mark.0..).rev() {
            self.last.insert(entry.hash, entry.before);
        }
    }

    /// Invalidates all entries.
    pub fn forget(&mut self) {
        self.age += 1;
    }

    /// The available instruction that computes the same value as `inst`; otherwise `inst`, which becomes available. If `inst` is
    /// a call, the caller guarantees that its result depends on its arguments alone.
    pub fn first_of(&mut self, body: &mut Body, inst: Inst) -> Inst {
        let InstData { op, ty, .. } = body.insts[inst];
        self.get_or(body, ty, op, |_| inst)
    }

    /// The available instruction that computes `op`. If there is none, `make` creates it.
    pub(super) fn get_or(&mut self, body: &mut Body, ty: Type, op: Op, make: impl FnOnce(&mut Body) -> Inst) -> Inst {
        let hash = hash(body, ty, &op);
        let newest = self.last.entry(hash).or_insert(0);
        let last = *newest;
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
        *newest = self.all.len() as u32;
        inst
    }
}

/// Whether the result of an instruction depends on its operands alone. False for calls, whose callees are not looked at.
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

/// The parts of an operation other than its operands: opcode, predicate, flags.
fn details(op: &Op) -> u32 {
    match *op {
        Op::Binary { op, flags, .. } => u32::from(flags) << 8 | op as u32,
        Op::Cmp { pred, flags, .. } => u32::from(flags) << 8 | pred as u32,
        Op::Cast { op, .. } => op as u32,
        Op::Gep { inbounds, .. } => inbounds.into(),
        _ => 0,
    }
}

/// The operands of an operation, and its constant indices.
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
