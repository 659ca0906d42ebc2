//! Value-range and known-bits analysis of 32-bit integers and booleans: abstract interpretation over an interval lattice.
//!
//! Ranges start at bottom (empty) and grow by joins along use-def chains, with a worklist in the order of the text, to a fixpoint;
//! loop parameters are widened, so that each value changes a few times only. Three narrowing traversals then recover some of the
//! precision that widening lost. Conditions of dominating branches refine ranges: [`Ranges::at`] gives the range of a value at an
//! instruction. Work is linear in the size of the function: a value that keeps changing goes to top.

mod compute;
mod facts;
mod range;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rtc_base::SecondaryMap;
use rtc_ir::analysis::Exits;
use rtc_ir::{Function, Inst, InstData, Opcode as O, Region, Type, TypeTable, Value, ValueDef};

use crate::util::flows;
use facts::{Fact, Facts, Other, refine};
pub use range::Range;

/// The number of changes after which a loop parameter is widened.
const WIDEN_AFTER: u8 = 2;
/// How often a value may change before it goes to top.
const TOP_AFTER: u8 = 24;

/// The ranges of a function's values.
pub struct Ranges {
    values: SecondaryMap<Value, Range>,
    facts: Facts,
}

impl Ranges {
    /// Analyses `f`.
    pub fn of(types: &TypeTable, f: &Function) -> Ranges {
        Ranges::given(types, f, &|_| None)
    }

    /// Analyses `f` where it is known what some loads give, and what is extracted from what they give.
    pub fn given(types: &TypeTable, f: &Function, loads: &dyn Fn(Inst) -> Option<Range>) -> Ranges {
        let exits = Exits::of(f);
        let mut values = SecondaryMap::with_default(Range::ALL);
        values.resize(f.values.len());
        for (v, data) in &f.values {
            values[v] = match (data.def, data.ty) {
                (ValueDef::Const(bits), Type::I32 | Type::BOOL) => Range::just(bits as u32),
                (ValueDef::Result(..) | ValueDef::Param(..), Type::I32 | Type::BOOL) => Range::NONE,
                _ => Range::ALL,
            };
        }
        let mut r = Ranges { values, facts: Facts::of(f, &exits) };
        let mut s = Solver { types, f, loads, changes: SecondaryMap::with_default(0) };
        s.changes.resize(f.values.len());
        for &p in &f.regions[f.body].params {
            r.values[p] = top(f, p);
        }
        s.grow(&mut r);
        for _ in 0..3 {
            s.shrink(&mut r);
        }
        r
    }

    /// The numbers that `v` may be, wherever it is used. Everything for what is no 32-bit integer or boolean.
    pub fn of_value(&self, v: Value) -> Range {
        self.values[v]
    }

    /// The numbers that `v` may be when `i` runs, which uses it. Empty if `i` is never reached.
    pub fn at(&self, v: Value, i: Inst) -> Range {
        self.near(v, self.facts.at(i), true)
    }

    /// With `all`: also what comparisons with values that are no constants say.
    fn near(&self, v: Value, at: u32, all: bool) -> Range {
        let mut r = self.values[v];
        for fact in self.facts.on(v, at) {
            r = self.narrowed(r, fact, all);
        }
        r
    }

    fn narrowed(&self, r: Range, fact: Fact, all: bool) -> Range {
        match fact.other {
            Other::Number(n) => refine(r, fact.op, Range::just(n)),
            Other::Value(v) if all => refine(r, fact.op, self.values[v]),
            Other::Value(_) => r,
        }
    }
}

/// The top of the lattice for `v`.
fn top(f: &Function, v: Value) -> Range {
    if f.ty(v) == Type::BOOL { Range::BOOL } else { Range::ALL }
}

struct Solver<'a> {
    types: &'a TypeTable,
    f: &'a Function,
    /// What loads give.
    loads: &'a dyn Fn(Inst) -> Option<Range>,
    /// How often each value changed.
    changes: SecondaryMap<Value, u8>,
}

impl Solver<'_> {
    /// Ascending phase: to a fixpoint, with widening.
    fn grow(&mut self, r: &mut Ranges) {
        let f = self.f;
        let mut order = Vec::with_capacity(f.insts.len());
        f.for_each_inst(f.body, |region, i| order.push((i, region)));
        let mut first: SecondaryMap<Value, u32> = SecondaryMap::with_default(0);
        first.resize(f.values.len() + 1);
        for &(i, _) in &order {
            f.for_each_operand(i, |v| first[v] += 1);
        }
        let mut sum = 0;
        for v in f.values.keys() {
            sum += first[v];
            first[v] = sum;
        }
        let mut users = vec![0u32; sum as usize];
        for (n, &(i, _)) in order.iter().enumerate() {
            f.for_each_operand(i, |v| {
                first[v] -= 1;
                users[first[v] as usize] = n as u32;
            });
        }
        let last = Value::from_u32(f.values.len() as u32);
        first[last] = sum;
        let mut waiting = vec![true; order.len()];
        let mut todo: BinaryHeap<Reverse<u32>> = (0..order.len() as u32).map(Reverse).collect();
        let mut changed = Vec::new();
        while let Some(Reverse(n)) = todo.pop() {
            waiting[n as usize] = false;
            let (i, region) = order[n as usize];
            self.inst(r, region, i, &mut changed);
            for v in changed.drain(..) {
                let next = Value::from_u32(v.as_u32() + 1);
                for &user in &users[first[v] as usize..first[next] as usize] {
                    if !std::mem::replace(&mut waiting[user as usize], true) {
                        todo.push(Reverse(user));
                    }
                }
            }
        }
    }

    fn grown(&mut self, r: &mut Ranges, v: Value, to: Range, changed: &mut Vec<Value>) {
        let old = r.values[v];
        let mut new = old.join(to);
        if new == old || !matches!(self.f.ty(v), Type::I32 | Type::BOOL) {
            return;
        }
        let changes = &mut self.changes[v];
        *changes = changes.saturating_add(1);
        if *changes > TOP_AFTER {
            new = top(self.f, v);
        } else if *changes > WIDEN_AFTER && self.is_carried(v) {
            new = old.widen(to).meet(top(self.f, v));
        }
        r.values[v] = new;
        changed.push(v);
    }

    /// Whether `v` is a parameter of a loop's body: a phi at a loop header.
    fn is_carried(&self, v: Value) -> bool {
        let ValueDef::Param(r, _) = self.f.values[v].def else { return false };
        let owner = self.f.regions[r].owner.map(|o| self.f.insts[o]);
        matches!(owner, Some(InstData::Loop { body, .. }) if body == r)
    }

    /// The transfer function of one instruction.
    fn inst(&mut self, r: &mut Ranges, region: Region, i: Inst, changed: &mut Vec<Value>) {
        let f = self.f;
        match f.insts[i] {
            InstData::Loop { init, body, .. } => {
                for (&v, &p) in f.get(init).iter().zip(&f.regions[body].params) {
                    let to = self.operand(r, v, i, None, false);
                    self.grown(r, p, to, changed);
                }
            }
            InstData::Exit { .. } => {
                for (v, to, side) in flows(f, region, i) {
                    let range = self.operand(r, v, i, side, false);
                    self.grown(r, to, range, changed);
                }
            }
            InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } => {}
            _ => {
                for k in 0..f.results(i).len() {
                    let v = f.results(i)[k];
                    let to = if k == 0 { self.computed(r, i, false) } else { top(f, v) };
                    self.grown(r, v, to.meet(top(f, v)), changed);
                }
            }
        }
    }

    /// The range of operand `v` of `i`.
    fn operand(&self, r: &Ranges, v: Value, i: Inst, side: Option<bool>, all: bool) -> Range {
        let mut range = r.near(v, r.facts.at(i), all);
        if let (Some(truth), InstData::Exit { args, .. }) = (side, self.f.insts[i]) {
            let mut parts = Vec::new();
            facts::assume(self.f, self.f.get(args)[0], truth, &mut parts);
            for fact in parts.into_iter().filter(|p| p.value == v) {
                range = r.narrowed(range, fact, all);
            }
        }
        range
    }

    /// The range of the first result of an instruction that computes.
    fn computed(&self, r: &Ranges, i: Inst, all: bool) -> Range {
        let f = self.f;
        let op = f.op(i);
        match f.insts[i] {
            InstData::Unary { op: O::zext | O::sext, arg } => return self.extended(r, op, arg, i, all),
            InstData::Many { op: O::extract, imm, args } => {
                let def = f.def_inst(f.get(args)[0]);
                return match def.map(|d| f.insts[d]) {
                    Some(InstData::Many { op: O::construct, args, .. }) => {
                        f.get(args).get(imm as usize).map_or(Range::ALL, |&v| self.operand(r, v, i, None, all))
                    }
                    Some(InstData::Access { .. }) => (self.loads)(i).unwrap_or(Range::ALL),
                    _ => Range::ALL,
                };
            }
            InstData::Access { op: O::load, .. } => return (self.loads)(i).unwrap_or(Range::ALL),
            InstData::Call { .. } | InstData::Access { .. } => return Range::ALL,
            _ => {}
        }
        let operands = f.operands(i);
        // Vectors, floats and other widths are not followed: their ranges are everything.
        let followed = |v: &Value| matches!(f.ty(*v), Type::I32 | Type::BOOL);
        let args: smallvec::SmallVec<[Range; 4]> =
            operands.iter().map(|v| if followed(v) { self.operand(r, *v, i, None, all) } else { Range::ALL }).collect();
        if op != O::select && !operands.iter().all(followed) {
            return compute::compute(op, &[], false);
        }
        if op == O::select && !followed(&operands[0]) {
            return Range::ALL;
        }
        let boolean = operands.first().is_some_and(|&v| f.ty(v) == Type::BOOL);
        compute::compute(op, &args, boolean)
    }

    fn extended(&self, r: &Ranges, op: O, arg: Value, i: Inst, all: bool) -> Range {
        let signed = op == O::sext;
        match self.types.numeric(self.f.ty(arg)) {
            Some((rtc_ir::Scalar::Bool, 1)) => {
                let b = self.operand(r, arg, i, None, all);
                match (b.is_empty(), signed) {
                    (true, _) => Range::NONE,
                    (_, false) => b,
                    (_, true) => Range::signed(-(b.umax.min(1) as i32), -(b.umin.min(1) as i32)),
                }
            }
            Some((rtc_ir::Scalar::I16, 1)) if signed => Range::signed(-0x8000, 0x7fff),
            Some((rtc_ir::Scalar::I16, 1)) => Range::unsigned(0, 0xffff),
            _ => Range::ALL,
        }
    }

    /// Descending phase (narrowing): one traversal that computes each value again from ranges that are a fixpoint.
    fn shrink(&self, r: &mut Ranges) {
        let f = self.f;
        let mut sums: SecondaryMap<Value, Range> = SecondaryMap::with_default(Range::NONE);
        sums.resize(f.values.len());
        let mut joined = Vec::new();
        f.for_each_inst(f.body, |region, i| match f.insts[i] {
            InstData::Loop { init, body, .. } => {
                for (&v, &p) in f.get(init).iter().zip(&f.regions[body].params) {
                    sums[p] = sums[p].join(self.operand(r, v, i, None, true));
                    joined.push(p);
                }
            }
            InstData::Exit { .. } => {
                for (v, to, side) in flows(f, region, i) {
                    sums[to] = sums[to].join(self.operand(r, v, i, side, true));
                    joined.push(to);
                }
            }
            _ => {}
        });
        let followed = |v: Value| matches!(f.ty(v), Type::I32 | Type::BOOL);
        for v in joined.into_iter().filter(|&v| followed(v)) {
            r.values[v] = r.values[v].meet(sums[v]);
        }
        f.for_each_inst(f.body, |_, i| {
            if let Some(&v) = f.results(i).first()
                && !f.owns_regions(i)
                && followed(v)
            {
                r.values[v] = r.values[v].meet(self.computed(r, i, true));
            }
        });
    }
}

#[cfg(test)]
mod tests;
