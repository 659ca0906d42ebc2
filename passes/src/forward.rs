//! `forward`: what is known to be in a place is not loaded again, and not stored again.
//!
//! The walk remembers what the places of variables hold: what was stored there or loaded from there last.
//! A store forgets what may overlap; an instruction that writes a variable as a whole (a trace its payload,
//! say) forgets all of it; entering a loop forgets what the loop writes. What a region learned is forgotten at
//! its end.

use rtc_base::EntitySet;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Place, Region, Root, Step, Value, effects};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::cse::Epochs;
use crate::util::{Rename, each_function};
use crate::{Changed, PassCtx, PassError};

/// How many places of one variable are remembered.
const MAX_KNOWN: usize = 64;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

/// Runs the pass over one function.
pub(crate) fn function(m: &mut Module, f: &mut Function) -> bool {
    Forward::new(m, f).run()
}

/// A place with its index values.
type At = (Place, SmallVec<[Value; 2]>);

struct Known {
    at: At,
    value: Value,
    /// How deep the region is that learned it.
    depth: u32,
    /// The variable's epoch then.
    epoch: u32,
}

struct Forward<'a> {
    m: &'a Module,
    f: &'a mut Function,
    rename: Rename,
    known: FxHashMap<Root, Vec<Known>>,
    epochs: Epochs,
    /// Instructions that are not needed any more.
    dropped: EntitySet<Inst>,
    /// What each depth learned of which variables.
    learned: Vec<Vec<Root>>,
}

enum Work {
    Enter(Region),
    Inst(Region, usize),
    Leave,
}

impl<'a> Forward<'a> {
    fn new(m: &'a Module, f: &'a mut Function) -> Self {
        Forward {
            m,
            f,
            rename: Rename::new(),
            known: FxHashMap::default(),
            epochs: Epochs::default(),
            dropped: EntitySet::new(),
            learned: Vec::new(),
        }
    }

    fn run(mut self) -> bool {
        let mut todo = vec![Work::Enter(self.f.body)];
        let mut regions = Vec::new();
        while let Some(work) = todo.pop() {
            match work {
                Work::Enter(r) => {
                    regions.push(r);
                    self.learned.push(Vec::new());
                    todo.push(Work::Leave);
                    todo.push(Work::Inst(r, 0));
                }
                Work::Leave => {
                    let depth = self.learned.len() as u32;
                    for root in self.learned.pop().unwrap_or_default() {
                        if let Some(list) = self.known.get_mut(&root) {
                            list.retain(|k| k.depth < depth);
                        }
                    }
                }
                Work::Inst(r, at) => {
                    let Some(&i) = self.f.regions[r].insts.get(at) else {
                        continue;
                    };
                    todo.push(Work::Inst(r, at + 1));
                    self.rename.operands(self.f, i);
                    self.inst(i);
                    if !self.f.owns_regions(i) {
                        continue;
                    }
                    let children = self.f.regions_of(i);
                    if matches!(self.f.insts[i], InstData::Loop { .. }) {
                        for &c in &children {
                            let (m, f, epochs) = (self.m, &*self.f, &mut self.epochs);
                            f.for_each_inst(c, |_, i| epochs.write(m, f, i));
                        }
                    }
                    todo.extend(children.into_iter().rev().map(Work::Enter));
                }
            }
        }
        self.rename.hand_names_on(self.f);
        let dropped = self.dropped;
        let changed = dropped.keys().next().is_some();
        if changed {
            for r in regions {
                self.f.regions[r].insts.retain(|i| !dropped.contains(*i));
            }
        }
        changed
    }

    fn inst(&mut self, i: Inst) {
        let InstData::Access { op, place, args, .. } = self.f.insts[i] else {
            return self.epochs.write(self.m, self.f, i);
        };
        let root = self.f.places[place].root;
        let e = effects::of_inst(self.m, self.f, i);
        // Other threads write groupshared variables too.
        let shared = matches!(root, Root::Global(_)) && e.intersects(Effects::READS_VAR | Effects::WRITES_VAR);
        if shared && !self.is_private(root) {
            return self.epochs.write(self.m, self.f, i);
        }
        let n = self.f.places[place].dyn_count();
        let at: At = (place, self.f.get(args)[..n].into());
        match op {
            Opcode::load => {
                let result = self.f.result(i);
                match self.lookup(root, &at) {
                    Some(v) => {
                        self.rename.set(result, v);
                        self.dropped.insert(i);
                    }
                    None => self.learn(root, at, result),
                }
            }
            Opcode::store => {
                let value = self.f.get(args)[n];
                if self.lookup(root, &at) == Some(value) {
                    self.dropped.insert(i);
                    return;
                }
                self.forget_overlapping(root, &at);
                self.learn(root, at, value);
            }
            _ => self.epochs.write(self.m, self.f, i),
        }
    }

    fn is_private(&self, root: Root) -> bool {
        match root {
            Root::Global(g) => !matches!(self.m.globals[g].kind, rtc_ir::GlobalKind::GroupShared(_)),
            _ => true,
        }
    }

    fn lookup(&self, root: Root, at: &At) -> Option<Value> {
        let epoch = self.epochs.variable(root);
        let list = self.known.get(&root)?;
        let hit = list.iter().find(|k| k.epoch == epoch && k.at == *at)?;
        Some(hit.value)
    }

    fn learn(&mut self, root: Root, at: At, value: Value) {
        let epoch = self.epochs.variable(root);
        let depth = self.learned.len() as u32;
        let list = self.known.entry(root).or_default();
        list.retain(|k| k.epoch == epoch && k.at != at);
        if list.len() >= MAX_KNOWN {
            list.remove(0);
        }
        list.push(Known { at, value, depth, epoch });
        if let Some(here) = self.learned.last_mut() {
            here.push(root);
        }
    }

    /// Forgets what a store to `at` may change. The epoch stays: other places are still known.
    fn forget_overlapping(&mut self, root: Root, at: &At) {
        let f = &*self.f;
        if let Some(list) = self.known.get_mut(&root) {
            list.retain(|k| !may_overlap(f, k.at.0, at.0));
        }
    }
}

/// Whether two places of one variable may share memory: not if constant steps part their ways.
fn may_overlap(f: &Function, a: Place, b: Place) -> bool {
    let (a, b) = (&f.places[a].steps, &f.places[b].steps);
    !a.iter().zip(b).any(|(x, y)| match (x, y) {
        (Step::At(n), Step::At(k)) => n != k,
        _ => false,
    })
}
