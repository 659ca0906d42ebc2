//! `precise`: a backward slice from what is stored to `precise` places, which decides the instructions that are exact.
//!
//! Where a program declares something `precise`, lowering marks all instructions on floats, and variables and members that are declared so. Calls are
//! inlined before this pass, which makes variables values: so the values that one is computed from are found by following operands, the exits of
//! constructs with the conditions that choose them, and the stores to what stays in memory, though not where these store. Instructions outside of the slice lose their mark: they may be contracted and
//! reassociated. No pass that rewrites arithmetic, or drops stores, runs before.

use rtc_base::{EntitySet, SecondaryMap};
use rtc_ir::analysis::{Exits, RegionTree, overlap, results_start};
use rtc_ir::{Func, Function, Inst, InstData, Module, Opcode, Place, Root, Stage, Step, TypeKind, Value, ValueDef};

use crate::util::{Rename, all_regions};
use crate::{Changed, PassCtx, PassError};

/// Components of a vector; all those from number 31 on share a bit.
type Lanes = u32;

const ALL: Lanes = Lanes::MAX;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    if !m.has_undecided_precision() {
        return Ok(Changed::No);
    }
    let ids: Vec<_> = m.funcs.keys().collect();
    for id in ids {
        mark(m, id);
        m.funcs[id].locals.values_mut().for_each(|l| l.precise = false);
        crate::mem2reg::function(m, id);
        let exact = Slice::of(m, &m.funcs[id]);
        let f = &mut m.funcs[id];
        f.precise = f.insts.keys().filter(|&i| f.precise.contains(i) && exact.contains(i)).collect();
        unmark(f);
        f.settled = false;
    }
    m.decide_precision();
    Ok(Changed::Yes)
}

/// Whether an instruction is a mark: a `bitcast` that changes nothing, and is `precise` as no other is.
fn is_mark(f: &Function, i: Inst) -> bool {
    f.op(i) == Opcode::bitcast && f.is_precise(i)
}

/// Puts a mark on each number that is stored to, or loaded from, a place that is `precise`.
fn mark(m: &mut Module, id: Func) {
    let mut f = std::mem::replace(&mut m.funcs[id], Function::new("", Stage::Library));
    let mut rename = Rename::new();
    let mut of_loads: Vec<(Inst, Value)> = Vec::new();
    for r in all_regions(&f) {
        for i in std::mem::take(&mut f.regions[r].insts) {
            let value = match f.insts[i] {
                InstData::Access { op: Opcode::load, place, .. } if is_precise(m, &f, place) => Some(f.result(i)),
                InstData::Access { op: Opcode::store, place, args, .. } if is_precise(m, &f, place) => f.get(args).last().copied(),
                _ => None,
            };
            let Some(v) = value.filter(|&v| m.types.numeric(f.ty(v)).is_some()) else {
                f.regions[r].insts.push(i);
                continue;
            };
            let (ty, span) = (f.ty(v), f.spans[i]);
            let mark = f.make(InstData::Unary { op: Opcode::bitcast, arg: v }, &[ty], span);
            f.precise.insert(mark);
            let marked = f.result(mark);
            if f.op(i) == Opcode::load {
                f.regions[r].insts.extend([i, mark]);
                rename.set(v, marked);
                of_loads.push((mark, v));
            } else {
                f.own_operands(i);
                let last = f.operands(i).len() - 1;
                let mut n = 0;
                f.map_operands(i, |x| {
                    n += 1;
                    if n > last { marked } else { x }
                });
                f.regions[r].insts.extend([mark, i]);
            }
        }
    }
    rename.apply(&mut f);
    for (mark, v) in of_loads {
        f.insts[mark] = InstData::Unary { op: Opcode::bitcast, arg: v };
    }
    m.funcs[id] = f;
}

/// Removes the marks.
fn unmark(f: &mut Function) {
    let mut rename = Rename::new();
    for r in all_regions(f) {
        for i in std::mem::take(&mut f.regions[r].insts) {
            match f.insts[i] {
                InstData::Unary { arg, .. } if is_mark(f, i) => rename.set(f.result(i), arg),
                _ => f.regions[r].insts.push(i),
            }
        }
    }
    f.precise = f.insts.keys().filter(|&i| f.is_precise(i) && f.op(i) != Opcode::bitcast).collect();
    rename.apply(f);
}

/// Whether a place is `precise`, or a part of what is.
fn is_precise(m: &Module, f: &Function, place: Place) -> bool {
    let p = &f.places[place];
    let (mut ty, mut precise) = match p.root {
        Root::Local(l) => (f.locals[l].ty, f.locals[l].precise),
        Root::Slot(s) => (f.slots[s].ty, false),
        Root::Global(g) => (m.globals[g].ty(), m.globals[g].precise),
    };
    for step in &p.steps {
        let n = match *step {
            Step::At(n) => Some(n),
            Step::Dyn => None,
        };
        if let (TypeKind::Struct(s), Some(n)) = (m.types.kind(ty), n) {
            precise |= m.structs[s].fields[n as usize].precise;
        }
        let Some(part) = m.part(ty, n) else { break };
        ty = part;
    }
    precise
}

struct Slice<'a> {
    m: &'a Module,
    f: &'a Function,
    exits: Exits,
    tree: RegionTree,
    /// The stores, with the places that they write.
    stores: Vec<(Inst, Place)>,
    /// Places whose contents are needed already.
    read: EntitySet<Place>,
    needed: SecondaryMap<Value, Lanes>,
    todo: Vec<(Value, Lanes)>,
    insts: EntitySet<Inst>,
}

impl<'a> Slice<'a> {
    /// The instructions that compute something `precise`.
    fn of(m: &'a Module, f: &'a Function) -> EntitySet<Inst> {
        let mut stores = Vec::new();
        f.for_each_inst(f.body, |_, i| match f.insts[i] {
            InstData::Access { op: Opcode::load, .. } => {}
            InstData::Access { place, .. } => stores.push((i, place)),
            InstData::Call { refs, .. } => stores.extend(f.get_places(refs).iter().map(|&p| (i, p))),
            _ => {}
        });
        let mut s = Slice {
            m,
            f,
            exits: Exits::of(f),
            tree: RegionTree::of(f),
            stores,
            read: EntitySet::new(),
            needed: SecondaryMap::new(),
            todo: Vec::new(),
            insts: EntitySet::new(),
        };
        f.for_each_inst(f.body, |_, i| {
            if is_mark(f, i) {
                s.insts.insert(i);
                s.need_all(i);
            }
        });
        while let Some((v, lanes)) = s.todo.pop() {
            let new = lanes & !s.needed[v];
            if new != 0 {
                s.needed[v] |= new;
                s.value(v, new);
            }
        }
        s.insts
    }

    fn need(&mut self, v: Value, lanes: Lanes) {
        if lanes != 0 {
            self.todo.push((v, lanes));
        }
    }

    fn need_all(&mut self, i: Inst) {
        let f = self.f;
        f.for_each_operand(i, |v| self.todo.push((v, ALL)));
    }

    /// What a store, atomic or call puts into memory; not where.
    fn stored(&mut self, i: Inst) {
        let f = self.f;
        self.insts.insert(i);
        match f.insts[i] {
            InstData::Access { op: Opcode::store, args, .. } => f.get(args).last().into_iter().for_each(|&v| self.need(v, ALL)),
            _ => self.need_all(i),
        }
    }

    /// What the contents of a place come from, whenever they are stored.
    fn contents(&mut self, place: Place) {
        if !self.read.insert(place) {
            return;
        }
        let f = self.f;
        for n in 0..self.stores.len() {
            let (i, to) = self.stores[n];
            if to == place || overlap(&f.places[to], &f.places[place]) {
                self.stored(i);
            }
        }
    }

    /// What components of a value come from.
    fn value(&mut self, v: Value, lanes: Lanes) {
        let f = self.f;
        let (i, n) = match f.values[v].def {
            ValueDef::Result(i, n) => (i, n as usize),
            ValueDef::Param(r, n) => {
                let Some(owner) = f.regions[r].owner else { return };
                let InstData::Loop { init, body, .. } = f.insts[owner] else { return };
                let n = n as usize;
                if r == body {
                    self.need(f.get(init)[n], lanes);
                    for k in 0..self.exits.nexts[owner].len() {
                        let e = self.exits.nexts[owner][k];
                        let skipped = usize::from(f.op(e) == Opcode::next_if);
                        self.need(f.operands(e)[skipped + n], lanes);
                    }
                } else {
                    for k in 0..self.exits.continues[owner].len() {
                        let e = self.exits.continues[owner][k];
                        self.need(f.operands(e)[n], lanes);
                        self.conditions(e, owner);
                    }
                }
                return;
            }
            ValueDef::Const(_) | ValueDef::Undef => return,
        };
        match f.insts[i] {
            InstData::If { .. } | InstData::Switch { .. } | InstData::Loop { .. } | InstData::Block { .. } => {
                self.insts.insert(i);
                for k in 0..self.exits.leave[i].len() {
                    let e = self.exits.leave[i][k];
                    self.need(f.operands(e)[results_start(f, e) + n], lanes);
                    self.conditions(e, i);
                }
            }
            InstData::Access { op: Opcode::load, place, .. } => {
                self.need_all(i);
                self.contents(place);
            }
            InstData::Access { place, .. } => {
                self.stored(i);
                self.contents(place);
            }
            InstData::Call { refs, .. } => {
                self.stored(i);
                f.get_places(refs).iter().for_each(|&p| self.contents(p));
            }
            _ => self.computed(i, v, lanes),
        }
    }

    /// What chooses exit `e` of construct `c`.
    fn conditions(&mut self, e: Inst, c: Inst) {
        let f = self.f;
        if f.op(e) == Opcode::next_if {
            self.need(f.operands(e)[0], ALL);
        }
        let mut at = self.tree.region(e);
        while let Some(owner) = at.and_then(|r| f.regions[r].owner) {
            match f.insts[owner] {
                InstData::If { cond: on, .. } | InstData::Switch { on, .. } => self.need(on, ALL),
                _ => {}
            }
            if owner == c {
                return;
            }
            at = self.tree.region(owner);
        }
    }

    fn computed(&mut self, i: Inst, v: Value, lanes: Lanes) {
        let f = self.f;
        self.insts.insert(i);
        let bit = |n: u32| -> Lanes { 1 << n.min(Lanes::BITS - 1) };
        match f.insts[i] {
            InstData::Many { op: Opcode::construct, args, .. } => {
                for (n, &part) in f.get(args).iter().enumerate() {
                    if lanes & bit(n as u32) != 0 {
                        self.need(part, ALL);
                    }
                }
            }
            InstData::Many { op: Opcode::extract, imm, args } => self.need(f.get(args)[0], bit(imm)),
            InstData::Many { op: Opcode::insert, imm, args } => {
                if lanes & bit(imm) != 0 {
                    self.need(f.get(args)[1], ALL);
                }
                let others = if imm < Lanes::BITS - 1 { lanes & !bit(imm) } else { lanes };
                self.need(f.get(args)[0], others);
            }
            _ => {
                let m = self.m;
                let count = |v: Value| m.types.numeric(f.ty(v)).map_or(1, |n| n.1);
                let own = count(v);
                let componentwise = f.op(i).effects().is_pure() && f.op(i) != Opcode::bitcast;
                for x in f.operands(i) {
                    self.need(x, if componentwise && count(x) == own { lanes } else { ALL });
                }
            }
        }
    }
}
