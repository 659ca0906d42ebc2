//! `cse`: the same computation is done once.
//!
//! The walk keeps a table of what was computed and is still visible. An instruction that reads something
//! (variables, memory, placement) is the same as an earlier one only if nothing wrote there in between: each
//! location has an epoch that every write, and every reorder point, moves on, and the epochs are part of
//! the key. On entering a loop the epochs of all that the loop writes move on, because the body may have run
//! before.

use rtc_base::SecondaryMap;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Region, Root, Type, Value, effects};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::fold::is_commutative;
use crate::util::{Rename, each_function};
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

/// Runs the pass over one function.
pub(crate) fn function(m: &mut Module, f: &mut Function) -> bool {
    Cse::new(m, f).run()
}

/// What makes two computations the same.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Key {
    op: u16,
    precise: bool,
    imm: u32,
    /// Place, slot or global.
    entity: u32,
    types: SmallVec<[Type; 2]>,
    args: SmallVec<[Value; 6]>,
    /// Of the variable, of memory, of ray queries and of placement, as far as read.
    epochs: [u32; 4],
}

struct Cse<'a> {
    m: &'a Module,
    f: &'a mut Function,
    rename: Rename,
    known: FxHashMap<Key, Inst>,
    /// Keys in the order they were added; a region takes back its own.
    added: Vec<Key>,
    epochs: Epochs,
}

/// How often each location was written.
#[derive(Default)]
pub(crate) struct Epochs {
    locals: SecondaryMap<rtc_ir::Local, u32>,
    slots: SecondaryMap<rtc_ir::Slot, u32>,
    globals: SecondaryMap<rtc_ir::Global, u32>,
    all_variables: u32,
    memory: u32,
    queries: u32,
    place: u32,
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

    /// Moves on the epochs of what `inst` itself writes.
    pub fn write(&mut self, m: &Module, f: &Function, inst: Inst) {
        let e = effects::of_inst(m, f, inst);
        if e.contains(Effects::WRITES_MEM) {
            self.memory += 1;
        }
        if e.contains(Effects::WRITES_QUERY) {
            self.queries += 1;
        }
        if e.contains(Effects::MOVES_PLACE) {
            self.place += 1;
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

enum Work {
    Enter(Region),
    Inst(Region, usize),
    Leave(usize),
}

impl<'a> Cse<'a> {
    fn new(m: &'a Module, f: &'a mut Function) -> Self {
        Cse {
            m,
            f,
            rename: Rename::new(),
            known: FxHashMap::default(),
            added: Vec::new(),
            epochs: Epochs::default(),
        }
    }

    fn run(mut self) -> bool {
        let mut changed = false;
        let mut todo = vec![Work::Enter(self.f.body)];
        while let Some(work) = todo.pop() {
            match work {
                Work::Enter(r) => {
                    todo.push(Work::Leave(self.added.len()));
                    todo.push(Work::Inst(r, 0));
                }
                Work::Leave(mark) => {
                    for key in self.added.drain(mark..) {
                        self.known.remove(&key);
                    }
                }
                Work::Inst(r, at) => {
                    let Some(&i) = self.f.regions[r].insts.get(at) else {
                        continue;
                    };
                    todo.push(Work::Inst(r, at + 1));
                    self.rename.operands(self.f, i);
                    changed |= self.inst(i);
                    let regions = self.f.regions_of(i);
                    if matches!(self.f.insts[i], InstData::Loop { .. }) {
                        self.forget_written_in(&regions);
                    }
                    todo.extend(regions.into_iter().rev().map(Work::Enter));
                }
            }
        }
        // Replaced instructions stay in their regions without uses; `dce` drops them.
        self.rename.apply(self.f);
        changed
    }

    fn forget_written_in(&mut self, regions: &[Region]) {
        for &r in regions {
            let (m, f, epochs) = (self.m, &*self.f, &mut self.epochs);
            f.for_each_inst(r, |_, i| epochs.write(m, f, i));
        }
    }

    fn inst(&mut self, i: Inst) -> bool {
        let Some(key) = self.key(i) else {
            self.epochs.write(self.m, self.f, i);
            return false;
        };
        if let Some(&first) = self.known.get(&key) {
            let (old, new): (SmallVec<[Value; 2]>, SmallVec<[Value; 2]>) =
                (self.f.results(i).into(), self.f.results(first).into());
            let mut changed = false;
            for (&o, &n) in old.iter().zip(&new) {
                self.rename.set(o, n);
                changed = true;
            }
            return changed;
        }
        self.known.insert(key.clone(), i);
        self.added.push(key);
        false
    }

    /// The key of an instruction that may be merged with an equal one.
    fn key(&self, i: Inst) -> Option<Key> {
        let f = &*self.f;
        let e = effects::of_inst(self.m, f, i);
        if !e.may_drop()
            || e.intersects(Effects::CONVERGENT)
            || f.results(i).is_empty()
            || !f.regions_of(i).is_empty()
        {
            return None;
        }
        let data = f.insts[i];
        let (imm, entity, root) = match data {
            InstData::Many { imm, .. } => (imm, 0, None),
            InstData::Access { imm, place, .. } => {
                (imm, place.as_u32(), Some(f.places[place].root))
            }
            InstData::Resource {
                global, nonuniform, ..
            } => (nonuniform.into(), global.as_u32(), None),
            InstData::Nullary { .. }
            | InstData::Unary { .. }
            | InstData::Binary { .. }
            | InstData::Ternary { .. } => (0, 0, None),
            _ => return None,
        };
        let mut args: SmallVec<[Value; 6]> = f.operands(i).into_iter().collect();
        if is_commutative(data.op()) {
            args.sort_unstable();
        }
        let reads = |flag: Effects, epoch: u32| if e.contains(flag) { epoch } else { 0 };
        let variable = root.map_or(self.epochs.all_variables, |r| self.epochs.variable(r));
        Some(Key {
            op: data.op() as u16,
            precise: f.is_precise(i),
            imm,
            entity,
            types: f.results(i).iter().map(|&v| f.ty(v)).collect(),
            args,
            epochs: [
                reads(Effects::READS_VAR, variable),
                reads(Effects::READS_MEM, self.epochs.memory),
                reads(Effects::READS_QUERY, self.epochs.queries),
                reads(Effects::READS_PLACE, self.epochs.place),
            ],
        })
    }
}
