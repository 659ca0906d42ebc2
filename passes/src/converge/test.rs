//! The test that a loop begins with, as in `for` and `while`: numbers are computed of the loop's state, and compared.

use rtc_ir::{Function, Inst, InstData, Opcode, Region, TypeTable, Value};
use rustc_hash::FxHashMap;

use super::lift::rename_one;
use crate::util::copy;

/// The most instructions that are made a second time.
const MAX_INSTS: usize = 64;

/// A test.
pub(super) struct Test {
    /// The branch on it, of which one arm leaves the loop and the other does nothing.
    pub branch: Inst,
    /// The exit in the first of them.
    pub leave: Inst,
    /// Whether the loop goes on where the condition holds.
    stays: bool,
    /// The parameters of the body.
    params: Vec<Value>,
    /// What is computed for it, and for the results.
    before: Vec<Inst>,
    /// What of that is the same in all iterations, as it is computed before the loop.
    same: FxHashMap<Value, Value>,
}

/// The test of loop `l`, if its body begins with one. Nothing after it may use floating-point numbers that are computed for it: a copy may be rounded in another
/// way.
pub(super) fn of(types: &TypeTable, f: &Function, l: Inst, body: Region) -> Option<Test> {
    let insts = &f.regions[body].insts;
    let at =
        insts.iter().position(|&i| f.owns_regions(i) || !f.op(i).effects().is_pure() || matches!(f.insts[i], InstData::Exit { .. }))?;
    let branch = insts[at];
    let InstData::If { then_, else_, .. } = f.insts[branch] else { return None };
    let only = |r: Region| if let [i] = f.regions[r].insts[..] { Some(i) } else { None };
    let leaves = |i: Inst| matches!(f.insts[i], InstData::Exit { op: Opcode::break_, target, .. } if target.expand() == Some(body));
    let goes_on = |i: Inst| f.op(i) == Opcode::yield_;
    let (leave, stays) = match (only(then_)?, only(else_)?) {
        (a, b) if goes_on(a) && leaves(b) => (b, true),
        (a, b) if leaves(a) && goes_on(b) => (a, false),
        _ => return None,
    };
    // Backwards: what the test and the results need.
    let mut needed: Vec<Value> = f.operands(branch).iter().chain(f.operands(leave).iter()).copied().collect();
    let mut before = Vec::new();
    for &i in insts[..at].iter().rev().filter(|&&i| f.results(i).len() == 1) {
        if needed.contains(&f.result(i)) {
            before.push(i);
            needed.extend(f.operands(i));
        }
    }
    before.reverse();
    let is_float = |v: &Value| types.numeric(f.ty(*v)).is_some_and(|(s, _)| s.is_float());
    let numbers = before.iter().all(|&i| types.numeric(f.ty(f.result(i))).is_some());
    let inexact: Vec<Value> = before.iter().flat_map(|&i| f.results(i)).copied().filter(is_float).collect();
    let mut elsewhere = false;
    for &r in &f.regions_of(l) {
        f.for_each_inst(r, |_, i| {
            let own = before.contains(&i) || i == branch || i == leave;
            elsewhere |= !own && f.operands(i).iter().any(|v| inexact.contains(v));
        });
    }
    let fits = numbers && !elsewhere && before.len() <= MAX_INSTS && f.results(branch).is_empty();
    fits.then(|| Test { branch, leave, stays, params: f.regions[body].params.clone(), before, same: FxHashMap::default() })
}

impl Test {
    /// Makes the test of the first iteration at the end of region `r`, before the loop.
    pub fn first(&mut self, types: &mut TypeTable, f: &mut Function, r: Region, state: &[Value]) -> (Value, Vec<Value>) {
        let mut differ = self.params.clone();
        for &i in &self.before {
            if f.operands(i).iter().any(|v| differ.contains(v)) {
                differ.push(f.result(i));
            }
        }
        let (rename, out) = self.make(types, f, r, state);
        self.same = rename.into_iter().filter(|(v, _)| !differ.contains(v)).collect();
        out
    }

    /// Makes the test at the end of region `r` for `state` in place of the body's parameters: whether a lane goes on, and its results if it does not.
    pub fn repeat(&self, types: &mut TypeTable, f: &mut Function, r: Region, state: &[Value]) -> (Value, Vec<Value>) {
        self.make(types, f, r, state).1
    }

    /// That, with what is in place of each value.
    fn make(&self, types: &mut TypeTable, f: &mut Function, r: Region, state: &[Value]) -> (FxHashMap<Value, Value>, (Value, Vec<Value>)) {
        let mut rename = self.same.clone();
        rename.extend(self.params.iter().copied().zip(state.iter().copied()));
        for &i in &self.before {
            if self.same.contains_key(&f.result(i)) {
                continue;
            }
            let new = copy(f, i);
            f.regions[r].insts.push(new);
            rename_one(f, new, &rename);
            rename.insert(f.result(i), f.result(new));
        }
        let of = |v: Value| rename.get(&v).copied().unwrap_or(v);
        let InstData::If { cond, .. } = f.insts[self.branch] else { rtc_base::bug!("{} is a branch", self.branch) };
        let results = f.operands(self.leave).iter().map(|&v| of(v)).collect();
        let cond = of(cond);
        let goes_on = if self.stays { cond } else { rtc_ir::Builder::at(types, f, r).unary(Opcode::not, cond) };
        (rename, (goes_on, results))
    }
}
