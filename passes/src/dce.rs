//! `dce`: aggressive dead code elimination by mark and sweep.
//!
//! Everything is dead until it is marked. The roots are instructions with effects that are visible outside of the function, and
//! terminators that leave it; from them liveness propagates to operands, to the constructs around, to the terminators of those
//! constructs, and to stores of variables that are read. Results and parameters of constructs are live one by one: the operands
//! that terminators pass for dead ones are removed, so that a value which is used only by itself around a loop disappears. Loops
//! without effect are assumed to terminate.
//!
//! First, unreachable code after a construct that never completes is removed.

use rtc_base::{EntitySet, SecondaryMap};
use rtc_ir::analysis::{Exits, Reachability, parents, results_start, target_construct};
use rtc_ir::{Function, Inst, InstData, Local, Module, Opcode, Region, Root, Slot, SlotRole, Value, ValueDef, effects};

use crate::util::{all_regions, each_function, set_args};
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, |m, f| function(m, f) != Swept::Nothing))
}

/// What the sweep removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Swept {
    /// Nothing.
    Nothing,
    /// Computations without uses.
    Values,
    /// Stores, control flow, results or parameters of it: what was computed may have been visible to other passes.
    More,
}

/// Runs the pass over one function.
pub(crate) fn function(m: &mut Module, f: &mut Function) -> Swept {
    let cut = cut_tails(f);
    let exits = Exits::of(f);
    let swept = sweep(m, f, exits);
    if cut { Swept::More } else { swept }
}

// Unreachable tails -------------------------------------------------------------------------------

/// Removes what follows a construct that never completes.
fn cut_tails(f: &mut Function) -> bool {
    let reach = Reachability::of(f);
    let mut any = false;
    for r in all_regions(f).into_iter().rev() {
        let insts = &f.regions[r].insts;
        let Some(at) = insts.iter().position(|&i| is_construct(f, i) && !reach.completes(i)) else {
            continue;
        };
        if f.op(insts[at + 1]) == Opcode::unreachable {
            continue;
        }
        any = true;
        f.regions[r].insts.truncate(at + 1);
        let data = InstData::Exit { op: Opcode::unreachable, imm: 0, target: None.into(), args: rtc_ir::ValueList::EMPTY };
        let span = f.spans[f.regions[r].insts[at]];
        f.append(r, data, &[], span);
    }
    any
}

fn is_construct(f: &Function, i: Inst) -> bool {
    f.owns_regions(i)
}

// Liveness --------------------------------------------------------------------------------------------

struct Liveness<'a> {
    m: &'a Module,
    f: &'a Function,
    parent: SecondaryMap<Inst, Region>,
    exits: Exits,
    insts: EntitySet<Inst>,
    values: EntitySet<Value>,
    locals: EntitySet<Local>,
    slots: EntitySet<Slot>,
    local_stores: SecondaryMap<Local, Vec<Inst>>,
    slot_stores: SecondaryMap<Slot, Vec<Inst>>,
    todo_insts: Vec<Inst>,
    todo_values: Vec<Value>,
}

fn sweep(m: &Module, f: &mut Function, exits: Exits) -> Swept {
    let need = Liveness::of(m, f, exits);
    let (insts, values, exits) = (need.insts, need.values, need.exits);
    let mut swept = Swept::Nothing;
    for r in all_regions(f) {
        let mut list = std::mem::take(&mut f.regions[r].insts);
        list.retain(|&i| {
            let keep = insts.contains(i);
            if !keep {
                let pure = effects::of_inst(m, f, i).may_drop() && !f.owns_regions(i);
                swept = swept.max(if pure { Swept::Values } else { Swept::More });
            }
            keep
        });
        f.regions[r].insts = list;
    }
    match prune(f, &values, &exits) {
        true => Swept::More,
        false => swept,
    }
}

impl<'a> Liveness<'a> {
    fn of(m: &'a Module, f: &'a Function, exits: Exits) -> Self {
        let mut n = Liveness {
            m,
            f,
            parent: parents(f),
            exits,
            insts: EntitySet::with_capacity(f.insts.len()),
            values: EntitySet::with_capacity(f.values.len()),
            locals: EntitySet::new(),
            slots: EntitySet::new(),
            local_stores: SecondaryMap::new(),
            slot_stores: SecondaryMap::new(),
            todo_insts: Vec::new(),
            todo_values: Vec::new(),
        };
        f.for_each_inst(f.body, |_, i| n.start(i));
        if let Some(last) = f.terminator(f.body) {
            n.inst(last);
        }
        loop {
            if let Some(i) = n.todo_insts.pop() {
                n.spread_inst(i);
            } else if let Some(v) = n.todo_values.pop() {
                n.spread_value(v);
            } else {
                return n;
            }
        }
    }

    fn inst(&mut self, i: Inst) {
        if self.insts.insert(i) {
            self.todo_insts.push(i);
        }
    }
    fn value(&mut self, v: Value) {
        if self.values.insert(v) {
            self.todo_values.push(v);
        }
    }
    fn root(&mut self, r: Root) {
        match r {
            Root::Local(l) => {
                if self.locals.insert(l) {
                    let stores = std::mem::take(&mut self.local_stores[l]);
                    stores.into_iter().for_each(|i| self.inst(i));
                }
            }
            Root::Slot(s) => {
                if self.slots.insert(s) {
                    let stores = std::mem::take(&mut self.slot_stores[s]);
                    stores.into_iter().for_each(|i| self.inst(i));
                }
            }
            Root::Global(_) => {}
        }
    }

    /// Marks a root; a store of a variable becomes one once the variable is live.
    fn start(&mut self, i: Inst) {
        let f = self.f;
        match f.insts[i] {
            InstData::Exit { op, .. } => {
                if matches!(op, Opcode::return_ | Opcode::ignore_hit | Opcode::accept_hit) {
                    self.inst(i);
                }
            }
            InstData::Access { op: Opcode::store, place, .. } => self.store(i, f.places[place].root),
            InstData::Copy { to, .. } => self.store(i, f.places[to].root),
            // It never happens.
            InstData::Many { op: Opcode::discard, args, .. } if f.as_const(f.get(args)[0]) == Some(0) => {}
            _ => {
                if !effects::of_inst(self.m, f, i).may_drop() {
                    self.inst(i);
                }
            }
        }
    }

    /// A store is live if the variable is read: at once if it is visible outside of the function.
    fn store(&mut self, i: Inst, root: Root) {
        let f = self.f;
        match root {
            Root::Local(l) if f.locals[l].param.is_none() => {
                if self.locals.contains(l) {
                    self.inst(i);
                } else {
                    self.local_stores[l].push(i);
                }
            }
            Root::Slot(s) if is_own(f.slots[s].role) => {
                if self.slots.contains(s) {
                    self.inst(i);
                } else {
                    self.slot_stores[s].push(i);
                }
            }
            _ => self.inst(i),
        }
    }

    fn spread_inst(&mut self, i: Inst) {
        let f = self.f;
        if let Some(owner) = f.regions[self.parent[i]].owner {
            self.inst(owner);
        }
        match f.insts[i] {
            InstData::If { cond, .. } => self.value(cond),
            InstData::Switch { on, .. } => self.value(on),
            // The initial values are needed as far as the parameters are.
            InstData::Loop { .. } | InstData::Block { .. } => {}
            InstData::Exit { op, args, .. } => {
                let results = results_start(f, i);
                if op == Opcode::next_if {
                    self.value(f.get(args)[0]);
                }
                if op == Opcode::return_ {
                    f.get(args).iter().for_each(|&v| self.value(v));
                } else {
                    self.exit_operands(i, results);
                }
                if let Some(c) = target_construct(f, self.parent[i], i) {
                    self.inst(c);
                }
            }
            _ => f.for_each_operand(i, |v| self.value(v)),
        }
        match f.insts[i] {
            InstData::Access { place, op, .. } if op != Opcode::store => {
                self.root(f.places[place].root);
            }
            InstData::Copy { from, .. } => self.root(f.places[from].root),
            InstData::Slot { slot, .. } => self.root(Root::Slot(slot)),
            InstData::Call { refs, .. } => {
                for &p in f.get_places(refs) {
                    self.root(f.places[p].root);
                }
            }
            _ => {}
        }
        if f.owns_regions(i) {
            let exits = [&self.exits.leave, &self.exits.continues, &self.exits.nexts];
            let all: Vec<Inst> = exits.iter().flat_map(|e| e[i].iter().copied()).collect();
            all.into_iter().for_each(|e| self.inst(e));
            for r in f.regions_of(i) {
                if let Some(last) = f.terminator(r) {
                    self.inst(last);
                }
            }
        }
    }

    /// The operands of exit `i` for results and parameters that are needed already.
    fn exit_operands(&mut self, i: Inst, results: usize) {
        let f = self.f;
        let InstData::Exit { op, imm, args, .. } = f.insts[i] else {
            return;
        };
        let Some(c) = target_construct(f, self.parent[i], i) else {
            return;
        };
        let args = f.get(args);
        let pairs = |operands: &'a [Value], wanted: &'a [Value]| operands.iter().zip(wanted);
        let mut live = Vec::new();
        let mut add = |operands: &'a [Value], wanted: &'a [Value], set: &EntitySet<Value>| {
            let needed = pairs(operands, wanted).filter(|(_, w)| set.contains(**w));
            live.extend(needed.map(|(o, _)| *o));
        };
        match (op, f.insts[c]) {
            (Opcode::continue_, InstData::Loop { continuing, .. }) => {
                add(args, &f.regions[continuing].params, &self.values);
            }
            (Opcode::next, InstData::Loop { body, .. }) => {
                add(args, &f.regions[body].params, &self.values);
            }
            (Opcode::next_if, InstData::Loop { body, .. }) => {
                let again = &args[1..1 + imm as usize];
                add(again, &f.regions[body].params, &self.values);
                add(&args[results..], f.results(c), &self.values);
            }
            _ => add(&args[results..], f.results(c), &self.values),
        }
        live.into_iter().for_each(|v| self.value(v));
    }

    fn spread_value(&mut self, v: Value) {
        let f = self.f;
        match f.values[v].def {
            ValueDef::Const(_) | ValueDef::Undef => {}
            ValueDef::Result(i, n) => {
                self.inst(i);
                if is_construct(f, i) {
                    for at_exit in 0..self.exits.leave[i].len() {
                        let e = self.exits.leave[i][at_exit];
                        let at = results_start(f, e) + n as usize;
                        self.value(f.operands(e)[at]);
                    }
                }
            }
            ValueDef::Param(r, n) => {
                let Some(owner) = f.regions[r].owner else {
                    return;
                };
                let InstData::Loop { init, body, .. } = f.insts[owner] else {
                    return;
                };
                self.inst(owner);
                if r == body {
                    self.value(f.get(init)[n as usize]);
                    for at in 0..self.exits.nexts[owner].len() {
                        let e = self.exits.nexts[owner][at];
                        let first = usize::from(f.op(e) == Opcode::next_if);
                        self.value(f.operands(e)[first + n as usize]);
                    }
                } else {
                    for at in 0..self.exits.continues[owner].len() {
                        let e = self.exits.continues[owner][at];
                        self.value(f.operands(e)[n as usize]);
                    }
                }
            }
        }
    }
}

/// Slots that are variables of the function: only the instructions that name them access them.
fn is_own(role: SlotRole) -> bool {
    !role.is_incoming()
}

// Pruning -----------------------------------------------------------------------------------------

/// Removes results and loop parameters that are not live. `exits` may still have some that are removed.
fn prune(f: &mut Function, needed: &EntitySet<Value>, exits: &Exits) -> bool {
    let mut changed = false;
    let mut constructs = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if is_construct(f, i) {
            constructs.push(i);
        }
    });
    for c in constructs {
        let keep: Vec<bool> = f.results(c).iter().map(|v| needed.contains(*v)).collect();
        if keep.contains(&false) {
            changed = true;
            let kept = filter(f.results(c), &keep);
            f.set_results(c, &kept);
            for &e in &exits.leave[c] {
                let at = results_start(f, e);
                drop_operands(f, e, at, &keep);
            }
        }
        let InstData::Loop { init, body, continuing } = f.insts[c] else {
            continue;
        };
        let keep = kept_params(f, body, needed);
        if keep.contains(&false) {
            changed = true;
            let init = filter(f.get(init), &keep);
            set_args(f, c, &init, 0);
            for &e in &exits.nexts[c] {
                let first = usize::from(f.op(e) == Opcode::next_if);
                drop_operands(f, e, first, &keep);
            }
            drop_params(f, body, &keep);
        }
        let keep = kept_params(f, continuing, needed);
        if keep.contains(&false) {
            changed = true;
            for &e in &exits.continues[c] {
                drop_operands(f, e, 0, &keep);
            }
            drop_params(f, continuing, &keep);
        }
    }
    changed
}

fn filter(values: &[Value], keep: &[bool]) -> Vec<Value> {
    let pairs = values.iter().zip(keep);
    pairs.filter(|(_, k)| **k).map(|(v, _)| *v).collect()
}

fn kept_params(f: &Function, r: Region, needed: &EntitySet<Value>) -> Vec<bool> {
    let params = f.regions[r].params.iter();
    params.map(|v| needed.contains(*v)).collect()
}

fn drop_params(f: &mut Function, r: Region, keep: &[bool]) {
    let kept = filter(&f.regions[r].params, keep);
    f.regions[r].params = kept;
    f.renumber_params(r);
}

/// Drops operands of exit `e` from `first` on where `keep` says no.
fn drop_operands(f: &mut Function, e: Inst, first: usize, keep: &[bool]) {
    let InstData::Exit { op, imm, .. } = f.insts[e] else {
        return;
    };
    let old = f.operands(e);
    let mut new: Vec<Value> = old[..first].to_vec();
    new.extend(filter(&old[first..first + keep.len()], keep));
    new.extend_from_slice(&old[first + keep.len()..]);
    let dropped = (old.len() - new.len()) as u32;
    let of_body = op == Opcode::next_if && first == 1 && keep.len() == imm as usize;
    let again = if of_body { imm - dropped } else { imm };
    set_args(f, e, &new, again);
}
