//! `simplify`: simplification of control flow, and if-conversion.
//!
//! * `if` and `switch` on a constant are replaced by the region that is taken;
//! * a loop that never continues is a block; a block without `break` is replaced by its instructions;
//! * redundant results and loop parameters are eliminated ([`agree`]);
//! * a small `if` without effects is if-converted to `select`s;
//! * the arms of an `if` on `not c` are exchanged;
//! * in a block, `if c { …; break } else { … } rest` becomes `if c { … } else { …; rest }`, and so does a `switch`, at any depth: the early
//!   returns of inlined functions are structured again, without duplicating code.
//!
//! Regions are rebuilt in post-order, inner ones first, so the shared forward traversal does not fit: an inner region may be merged
//! into the list that is being rebuilt. Exits are counted once at the start; a count that becomes too high only costs an
//! opportunity, which the next run takes.

mod agree;

use rtc_base::SecondaryMap;
use rtc_ir::analysis::Exits;
use rtc_ir::{Builder, Format, Function, Inst, InstData, Module, Opcode, Region, Sides, Type, Value, effects};
use smallvec::SmallVec;

use crate::util::{Rename, all_regions, each_function, set_args};
use crate::{Changed, PassCtx, PassError};

/// So many instructions of both arms together may run in vain for the sake of a `select`.
const MAX_SPECULATED: usize = 4;
/// These compute so many components at most: where all threads of a wave go one way a branch skips them (1.7 times as fast on an H200 with 16 of them).
const MAX_COMPONENTS: u32 = 8;
/// An arm that runs in vain has so many instructions at most, with those that cost nothing.
const MAX_WITH_FREE: usize = 12;
/// So many `select`s may replace one `if`.
const MAX_SELECTS: usize = 4;
/// So many early exits of a block are nested into each other.
const MAX_EARLY_EXITS: usize = 64;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

/// Runs the pass over one function.
pub(crate) fn function(m: &mut Module, f: &mut Function) -> bool {
    simplify(m, f, false)
}

/// Replaces what is decided in a function, and nothing else: for unoptimised code, in which branches stay branches.
pub(crate) fn decide(m: &mut Module, f: &mut Function) -> bool {
    simplify(m, f, true)
}

fn simplify(m: &mut Module, f: &mut Function, only_decided: bool) -> bool {
    let exits = Exits::of(f);
    let mut rename = Rename::new();
    let changed = agree::run(f, &exits, &mut rename);
    // The exits still name the values that were replaced; a second look at them would do it again.
    rename.apply(f);
    let mut s =
        Simplify { m, f, rename: Rename::new(), breaks: SecondaryMap::new(), continues: SecondaryMap::new(), changed, only_decided };
    for (i, list) in exits.leave.iter() {
        let breaks = list.iter().filter(|e| s.f.op(**e) == Opcode::break_);
        s.breaks[i] = breaks.count();
    }
    for (i, list) in exits.continues.iter() {
        s.continues[i] = list.len();
    }
    for r in all_regions(s.f).into_iter().rev() {
        s.region(r);
    }
    let (mut rename, changed) = (s.rename, s.changed);
    rename.apply(f);
    changed
}

struct Simplify<'a> {
    m: &'a mut Module,
    f: &'a mut Function,
    rename: Rename,
    breaks: SecondaryMap<Inst, usize>,
    continues: SecondaryMap<Inst, usize>,
    changed: bool,
    /// Nothing becomes a `select`, and no exit is moved.
    only_decided: bool,
}

impl Simplify<'_> {
    fn region(&mut self, r: Region) {
        let old = std::mem::take(&mut self.f.regions[r].insts);
        let mut out = Vec::with_capacity(old.len());
        for i in old {
            if !self.inst(i, r, &mut out) {
                // Control does not come back from `i`.
                break;
            }
        }
        self.f.regions[r].insts = out;
    }

    /// Appends the simplified `i` to `out`. Whether what follows is reachable.
    fn inst(&mut self, i: Inst, r: Region, out: &mut Vec<Inst>) -> bool {
        match self.f.insts[i] {
            InstData::If { cond, then_, else_ } => {
                if let Some(c) = self.constant(cond) {
                    let taken = if c != 0 { then_ } else { else_ };
                    return self.block(i, taken, out);
                }
                if !self.only_decided {
                    if self.flatten(i, r, out) {
                        return true;
                    }
                    self.turn_round(i, cond, then_, else_);
                }
            }
            InstData::Switch { on, cases } => {
                if let Some(c) = self.constant(on) {
                    let table = &self.f.cases[cases];
                    let arm = table.arms.iter().find(|a| a.0.contains(&(c as u32 as i32)));
                    let taken = arm.map_or(table.default, |a| a.1);
                    return self.block(i, taken, out);
                }
            }
            InstData::Loop { init, body, .. } if self.continues[i] == 0 => {
                let params = std::mem::take(&mut self.f.regions[body].params);
                for (n, p) in params.into_iter().enumerate() {
                    let v = self.f.get(init)[n];
                    self.rename.set(p, v);
                }
                self.end_with_yield(i, body, body);
                return self.block(i, body, out);
            }
            InstData::Block { body } => {
                if !self.only_decided {
                    self.early_exits(i, body);
                }
                if self.breaks[i] == 0 {
                    return self.block(i, body, out);
                }
            }
            _ => {}
        }
        out.push(i);
        true
    }

    /// `if !c { a } else { b }` is `if c { b } else { a }`.
    fn turn_round(&mut self, i: Inst, cond: Value, then_: Region, else_: Region) {
        let made_by = self.f.def_inst(cond).map(|d| self.f.insts[d]);
        if let Some(InstData::Unary { op: Opcode::not, arg }) = made_by {
            self.changed = true;
            self.f.insts[i] = InstData::If { cond: arg, then_: else_, else_: then_ };
        }
    }

    fn constant(&mut self, v: Value) -> Option<u64> {
        let v = self.rename.get(v);
        self.f.as_const(v)
    }

    /// Construct `i` is no more than its region `body`, once.
    fn block(&mut self, i: Inst, body: Region, out: &mut Vec<Inst>) -> bool {
        self.changed = true;
        self.f.insts[i] = InstData::Block { body };
        if self.breaks[i] > 0 {
            out.push(i);
            return true;
        }
        let mut insts = std::mem::take(&mut self.f.regions[body].insts);
        let last = insts.pop();
        out.extend(insts);
        let Some(last) = last else { return true };
        if self.f.op(last) != Opcode::yield_ {
            out.push(last);
            return false;
        }
        let values = self.f.operands(last);
        let results: SmallVec<[Value; 4]> = self.f.results(i).into();
        for (&r, &v) in results.iter().zip(&values) {
            self.rename.set(r, v);
        }
        true
    }

    /// If region `r` ends by leaving construct `c` (by its region `body`) with a `break`, it ends with a
    /// `yield` now.
    fn end_with_yield(&mut self, c: Inst, body: Region, r: Region) {
        let Some(last) = self.f.terminator(r) else {
            return;
        };
        if self.is_break(last, body) {
            let InstData::Exit { args, .. } = self.f.insts[last] else {
                return;
            };
            self.f.insts[last] = InstData::Exit { op: Opcode::yield_, imm: 0, target: None.into(), args };
            self.breaks[c] = self.breaks[c].saturating_sub(1);
        }
    }

    fn is_break(&self, i: Inst, target: Region) -> bool {
        matches!(
            self.f.insts[i],
            InstData::Exit { op: Opcode::break_, target: t, .. } if t.expand() == Some(target)
        )
    }

    // Selects -------------------------------------------------------------------------------------

    /// Replaces a small `if` without effects by what both arms compute and `select`s.
    fn flatten(&mut self, i: Inst, r: Region, out: &mut Vec<Inst>) -> bool {
        let InstData::If { cond, then_, else_ } = self.f.insts[i] else {
            return false;
        };
        // `[branch]` says that the arms are worth skipping.
        if self.f.hints[i].sides() == Sides::Branch {
            return false;
        }
        let results: SmallVec<[Value; 4]> = self.f.results(i).into();
        let (Some(yes), Some(no)) = (self.cheap(then_), self.cheap(else_)) else {
            return false;
        };
        let numeric = |v: &Value| self.m.types.numeric(self.f.ty(*v)).is_some();
        let differ = yes.iter().zip(&no).filter(|(a, b)| a != b).count();
        let arms = [then_, else_].into_iter().flat_map(|r| &self.f.regions[r].insts);
        let (mut count, mut components) = (0, 0);
        for &i in arms.filter(|&&i| !is_free(self.f.op(i))) {
            count += 1;
            components += self.f.results(i).first().and_then(|&v| self.m.types.numeric(self.f.ty(v))).map_or(1, |n| n.1);
        }
        let too_much = components > MAX_COMPONENTS && self.f.hints[i].sides() != Sides::Flatten;
        if self.breaks[i] > 0 || count > MAX_SPECULATED || too_much || differ > MAX_SELECTS || !results.iter().all(numeric) {
            return false;
        }
        self.changed = true;
        for arm in [then_, else_] {
            let mut insts = std::mem::take(&mut self.f.regions[arm].insts);
            insts.pop();
            out.extend(insts);
        }
        let span = self.f.spans[i];
        for (n, &result) in results.iter().enumerate() {
            if yes[n] == no[n] {
                self.rename.set(result, yes[n]);
                continue;
            }
            let mut b = Builder::at(&mut self.m.types, self.f, r);
            b.span = span;
            let v = b.select(cond, yes[n], no[n]);
            // The builder appends to the region that is being rebuilt.
            out.append(&mut self.f.regions[r].insts);
            self.rename.set(result, v);
        }
        true
    }

    /// What `r` yields if it only computes cheap values.
    fn cheap(&self, r: Region) -> Option<SmallVec<[Value; 8]>> {
        let (last, others) = self.f.regions[r].insts.split_last()?;
        if self.f.op(*last) != Opcode::yield_ || others.len() > MAX_WITH_FREE {
            return None;
        }
        let fine = |i: &Inst| {
            let op = self.f.op(*i);
            let kind = matches!(op.format(), Format::Unary | Format::Binary | Format::Ternary) || is_free(op) || op == Opcode::cbuf_load;
            // An element that does not exist must not be named.
            let exists = match self.f.insts[*i] {
                InstData::Resource { index, .. } => index.expand().is_none_or(|v| self.f.as_const(v).is_some()),
                _ => true,
            };
            kind && exists && !is_slow(op) && effects::of_inst(self.m, self.f, *i).is_pure()
        };
        others.iter().all(fine).then(|| self.f.operands(*last))
    }

    // Early exits ---------------------------------------------------------------------------------

    /// Nests what follows an early exit of block `b` into the arm that goes on.
    fn early_exits(&mut self, b: Inst, body: Region) {
        let mut tails: SmallVec<[(Region, usize); 8]> = SmallVec::new();
        tails.push((body, 0));
        while let Some((tail, depth)) = tails.pop() {
            self.end_with_yield(b, body, tail);
            if self.breaks[b] == 0 {
                return;
            }
            if depth == MAX_EARLY_EXITS {
                continue;
            }
            if let Some(c) = self.early_exit(b, body, tail) {
                tails.extend(self.f.regions_of(c).into_iter().map(|arm| (arm, depth + 1)));
            }
        }
    }

    /// Structures the first early exit in `tail`, a region whose `yield` is what the block yields. The branch whose arms are such
    /// regions now.
    fn early_exit(&mut self, b: Inst, body: Region, tail: Region) -> Option<Inst> {
        let list = &self.f.regions[tail].insts;
        let before_yield = if self.yields(tail) { list.len().checked_sub(2) } else { None };
        let (at, c) = (0..list.len()).map(|at| (at, list[at])).find(|&(at, c)| self.is_early_exit(c, body, before_yield == Some(at)))?;
        self.changed = true;
        let mut rest = self.f.regions[tail].insts.split_off(at + 1);
        let old: SmallVec<[Value; 4]> = self.f.results(c).into();
        let arms = self.f.regions_of(c);
        let going_on: SmallVec<[Region; 4]> = arms.iter().copied().filter(|&r| self.yields(r)).collect();
        if let [arm] = going_on[..] {
            let exit = self.f.regions[arm].insts.pop()?;
            let values = self.f.operands(exit);
            for (&r, &v) in old.iter().zip(&values) {
                self.rename.set(r, v);
            }
            self.f.regions[arm].insts.append(&mut rest);
        } else if let (Some(&last), false) = (rest.last(), going_on.is_empty()) {
            // Nothing but the `yield` follows: each arm yields what that would have.
            let given: SmallVec<[Value; 4]> = self.f.operands(last).iter().map(|&v| self.rename.get(v)).collect();
            for &arm in &going_on {
                let exit = self.f.terminator(arm)?;
                let values = self.f.operands(exit);
                let mapped: Vec<Value> = given.iter().map(|v| old.iter().position(|r| r == v).map_or(*v, |n| values[n])).collect();
                set_args(self.f, exit, &mapped, 0);
            }
        }
        // The branch gives what the block gives, and the region passes it on.
        let types: SmallVec<[Type; 4]> = self.f.results(b).iter().map(|&v| self.f.ty(v)).collect();
        self.f.set_results(c, &[]);
        let results: Vec<Value> = types.iter().map(|&t| self.f.add_result(c, t)).collect();
        let span = self.f.spans[c];
        let exit = InstData::Exit { op: Opcode::yield_, imm: 0, target: None.into(), args: rtc_ir::ValueList::EMPTY };
        let exit = self.f.append(tail, exit, &[], span);
        set_args(self.f, exit, &results, 0);
        Some(c)
    }

    /// Whether `c` is a branch that leaves the block with region `body` in some of its arms, and one arm at most goes on with what
    /// follows it, or nothing follows it but a `yield`.
    fn is_early_exit(&self, c: Inst, body: Region, before_yield: bool) -> bool {
        let branches = matches!(self.f.insts[c], InstData::If { .. } | InstData::Switch { .. });
        if !branches || self.breaks[c] > 0 {
            return false;
        }
        let arms = self.f.regions_of(c);
        let going_on = arms.iter().filter(|&&r| self.yields(r)).count();
        (going_on <= 1 || before_yield) && arms.iter().any(|&r| self.leaves(r, body))
    }

    /// Whether control comes to the end of region `r`.
    fn yields(&self, r: Region) -> bool {
        self.f.terminator(r).is_some_and(|i| self.f.op(i) == Opcode::yield_)
    }

    /// Whether region `r`, or a branch in it, leaves the block with region `body`.
    fn leaves(&self, r: Region, body: Region) -> bool {
        self.f.regions[r].insts.iter().any(|&i| match self.f.insts[i] {
            InstData::Exit { .. } => self.is_break(i, body),
            InstData::If { .. } | InstData::Switch { .. } => self.f.regions_of(i).iter().any(|&arm| self.leaves(arm, body)),
            _ => false,
        })
    }
}

/// Instructions that targets do without, and exits.
fn is_free(op: Opcode) -> bool {
    matches!(op, Opcode::construct | Opcode::extract | Opcode::insert | Opcode::resource | Opcode::yield_)
}

/// Instructions that are dear enough not to be run in vain.
fn is_slow(op: Opcode) -> bool {
    use Opcode as O;
    matches!(
        op,
        O::fdiv
            | O::frem
            | O::sqrt
            | O::rsqrt
            | O::exp2
            | O::log2
            | O::sin
            | O::cos
            | O::tan
            | O::asin
            | O::acos
            | O::atan
            | O::sinh
            | O::cosh
            | O::tanh
            | O::sdiv
            | O::udiv
            | O::srem
            | O::urem
            | O::extract_dyn
            | O::insert_dyn
    )
}
