//! `cse`: common subexpression elimination over the dominator tree, with a scoped hash table.
//!
//! The traversal keeps a table of the available expressions: those that dominate the current instruction. An instruction that
//! reads something (variables, memory, placement) equals an earlier one only if nothing wrote there in between: each location
//! has an epoch, which every write, and for placement every reorder point, increments, and the epochs are part of the key. At a
//! loop the epochs of all locations that the loop writes are incremented first, because an earlier iteration may have written
//! them. Nop hit objects are not merged across reorder points either.

use rtc_base::SecondaryMap;
use rtc_ir::analysis::{Event, Walk};
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Root, effects};
use rustc_hash::FxHashMap;

use crate::fold::is_commutative;
use crate::shape::{Shape, hash_with_operands};
use crate::util::{Rename, each_function};
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

/// Runs the pass over one function.
pub(crate) fn function(m: &mut Module, f: &mut Function) -> bool {
    let changed = Cse::new(m, f).run();
    crate::reorder_audit::check_merges(m, f);
    changed
}

/// A computation and the state of what it reads.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
struct Key {
    shape: Shape,
    /// The epochs of the variable, of memory, of ray queries and of placement, where it reads them; else 0.
    epochs: [u32; 4],
}

/// An available expression.
struct Available {
    hash: u64,
    key: Key,
    inst: Inst,
    /// The previous one with the same hash: its index in `Cse::available` plus one; 0 if there is none.
    before: u32,
}

struct Cse<'a> {
    m: &'a Module,
    f: &'a mut Function,
    rename: Rename,
    /// The available expressions in order; at the end of a region its own are removed.
    available: Vec<Available>,
    /// The last of `available` with each hash: its index plus one.
    last: FxHashMap<u64, u32>,
    epochs: Epochs,
}

/// How often each location was written: two reads in the same epoch give the same value.
#[derive(Default)]
pub(crate) struct Epochs {
    locals: SecondaryMap<rtc_ir::Local, u32>,
    slots: SecondaryMap<rtc_ir::Slot, u32>,
    globals: SecondaryMap<rtc_ir::Global, u32>,
    all_variables: u32,
    memory: u32,
    queries: u32,
    placement: u32,
}

impl Epochs {
    pub fn variable(&self, root: Root) -> u32 {
        let own = match root {
            Root::Local(l) => self.locals[l],
            Root::Slot(s) => self.slots[s],
            Root::Global(g) => self.globals[g],
        };
        own.wrapping_add(self.all_variables)
    }

    /// Increments the epochs of what `inst` itself writes.
    pub fn write(&mut self, m: &Module, f: &Function, inst: Inst) {
        self.write_effects(effects::of_inst(m, f, inst), f, inst);
    }

    /// Does that for an instruction that has the effects `e`.
    fn write_effects(&mut self, e: Effects, f: &Function, inst: Inst) {
        if e.is_empty() {
            return;
        }
        if e.contains(Effects::WRITES_MEM) {
            self.memory += 1;
        }
        if e.contains(Effects::WRITES_QUERY) {
            self.queries += 1;
        }
        if e.contains(Effects::REORDERS) {
            self.placement += 1;
        }
        if e.contains(Effects::WRITES_VAR) {
            match f.insts[inst] {
                InstData::Access { place, .. } => self.written(f.places[place].root),
                InstData::Copy { to, .. } => self.written(f.places[to].root),
                InstData::Slot { slot, .. } => self.written(Root::Slot(slot)),
                _ => self.all_variables += 1,
            }
        }
    }

    fn written(&mut self, root: Root) {
        match root {
            Root::Local(l) => self.locals[l] += 1,
            Root::Slot(s) => self.slots[s] += 1,
            Root::Global(g) => self.globals[g] += 1,
        }
    }
}

impl<'a> Cse<'a> {
    fn new(m: &'a Module, f: &'a mut Function) -> Self {
        let (available, mut last) = (Vec::with_capacity(f.insts.len()), FxHashMap::default());
        last.reserve(f.insts.len());
        Cse { m, f, rename: Rename::new(), available, last, epochs: Epochs::default() }
    }

    fn run(mut self) -> bool {
        let mut changed = false;
        let mut marks = Vec::new();
        let mut walk = Walk::new(self.f.body);
        while let Some(event) = walk.next(self.f) {
            match event {
                Event::Enter(_) => marks.push(self.available.len()),
                Event::Leave(r) if r == self.f.body => {}
                Event::Leave(_) => {
                    for c in self.available.drain(marks.pop().unwrap_or(0)..).rev() {
                        self.last.insert(c.hash, c.before);
                    }
                }
                Event::Inst(_, i) => {
                    self.rename.operands(self.f, i);
                    changed |= self.inst(i);
                    if matches!(self.f.insts[i], InstData::Loop { .. }) {
                        self.invalidate_written_in(i);
                    }
                }
                Event::End(..) => {}
            }
        }
        // Uses come after definitions in the traversal, so they are renamed already. Replaced instructions stay in their
        // regions without uses; `dce` removes them.
        self.rename.transfer_names(self.f);
        changed
    }

    /// What loop `i` writes may have been written before its body begins, by an earlier iteration.
    fn invalidate_written_in(&mut self, i: Inst) {
        for r in self.f.regions_of(i) {
            let (m, f, epochs) = (self.m, &*self.f, &mut self.epochs);
            f.for_each_inst(r, |_, i| epochs.write(m, f, i));
        }
    }

    fn inst(&mut self, i: Inst) -> bool {
        let e = effects::of_inst(self.m, self.f, i);
        let Some(key) = self.key(e, i) else {
            self.epochs.write_effects(e, self.f, i);
            return false;
        };
        let hash = hash_with_operands(&key, self.f, i);
        let last = self.last.entry(hash).or_insert(0);
        let mut at = *last;
        while let Some(candidate) = (at as usize).checked_sub(1).map(|n| &self.available[n]) {
            if candidate.key == key && same(self.f, candidate.inst, i) {
                let first = candidate.inst;
                self.f.note_merged(i, first);
                for n in 0..self.f.results(i).len() {
                    self.rename.set(self.f.results(i)[n], self.f.results(first)[n]);
                }
                return true;
            }
            at = candidate.before;
        }
        self.available.push(Available { hash, key, inst: i, before: *last });
        *last = self.available.len() as u32;
        false
    }

    /// The key of an instruction with the effects `e` that may be merged with an equal one.
    fn key(&self, e: Effects, i: Inst) -> Option<Key> {
        let shape = Shape::with_effects(e, self.f, i)?;
        let root = match self.f.insts[i] {
            InstData::Access { place, .. } => Some(self.f.places[place].root),
            _ => None,
        };
        let reads = |flag: Effects, epoch: u32| if e.contains(flag) { epoch } else { 0 };
        // The nop of an operation without a hit object would be a hit object that is live across the operations before.
        let placement = e.contains(Effects::READS_PLACEMENT) || shape.op == Opcode::hit_make_nop;
        let variable = root.map_or(self.epochs.all_variables, |r| self.epochs.variable(r));
        Some(Key {
            shape,
            epochs: [
                reads(Effects::READS_VAR, variable),
                reads(Effects::READS_MEM, self.epochs.memory),
                reads(Effects::READS_QUERY, self.epochs.queries),
                if placement { self.epochs.placement } else { 0 },
            ],
        })
    }
}

/// Whether two instructions with equal shapes compute the same: the same operands (in any order, if that does not
/// matter) and result types.
pub(crate) fn same(f: &Function, a: Inst, b: Inst) -> bool {
    let types = |i| f.results(i).iter().map(|&v| f.ty(v));
    if !types(a).eq(types(b)) {
        return false;
    }
    let (x, y) = (f.operands(a), f.operands(b));
    x == y || is_commutative(f.op(a)) && x.len() == 2 && x[0] == y[1] && x[1] == y[0]
}
