//! `forward`: store-to-load forwarding, and elimination of redundant loads and stores, for variables.
//!
//! The traversal records the contents of access paths: the value that was last stored to or loaded from each. A load of
//! recorded contents is replaced by the value; a store of the value that is recorded already is removed. A store invalidates
//! the paths that may alias it; an instruction that writes a variable as a whole (a trace its payload, for instance) all
//! paths of it; at a loop, what the loop writes is invalidated first. What a region recorded is removed at its end.

use rtc_base::EntitySet;
use rtc_ir::analysis::{Event, Walk};
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Place, Root, Step, Value, effects};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::cse::Epochs;
use crate::util::{Rename, each_function};
use crate::{Changed, PassCtx, PassError};

/// How many access paths of one variable are recorded.
const MAX_PATHS: usize = 64;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

/// Runs the pass over one function.
pub(crate) fn function(m: &mut Module, f: &mut Function) -> bool {
    Forward::new(m, f).run()
}

/// An access path with its index values.
type Path = (Place, SmallVec<[Value; 2]>);

/// The value that an access path holds.
struct Contents {
    path: Path,
    value: Value,
    /// The depth of the region that recorded it.
    depth: u32,
    /// The variable's epoch at that time.
    epoch: u32,
}

struct Forward<'a> {
    m: &'a Module,
    f: &'a mut Function,
    rename: Rename,
    contents: FxHashMap<Root, Vec<Contents>>,
    epochs: Epochs,
    /// Redundant instructions, to be removed.
    dropped: EntitySet<Inst>,
    /// The variables of which the region at each depth recorded something.
    recorded: Vec<Vec<Root>>,
}

impl<'a> Forward<'a> {
    fn new(m: &'a Module, f: &'a mut Function) -> Self {
        Forward {
            m,
            f,
            rename: Rename::new(),
            contents: FxHashMap::default(),
            epochs: Epochs::default(),
            dropped: EntitySet::new(),
            recorded: Vec::new(),
        }
    }

    fn run(mut self) -> bool {
        let mut regions = Vec::new();
        let mut walk = Walk::new(self.f.body);
        while let Some(event) = walk.next(self.f) {
            match event {
                Event::Enter(r) => {
                    regions.push(r);
                    self.recorded.push(Vec::new());
                }
                Event::Leave(_) => {
                    let depth = self.recorded.len() as u32;
                    for root in self.recorded.pop().unwrap_or_default() {
                        if let Some(list) = self.contents.get_mut(&root) {
                            list.retain(|k| k.depth < depth);
                        }
                    }
                }
                Event::Inst(_, i) => {
                    self.rename.operands(self.f, i);
                    self.inst(i);
                    if matches!(self.f.insts[i], InstData::Loop { .. }) {
                        for r in self.f.regions_of(i) {
                            let (m, f, epochs) = (self.m, &*self.f, &mut self.epochs);
                            f.for_each_inst(r, |_, i| epochs.write(m, f, i));
                        }
                    }
                }
                Event::End(..) => {}
            }
        }
        self.rename.transfer_names(self.f);
        let dropped = self.dropped;
        let changed = !dropped.is_empty();
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
        let path: Path = (place, self.f.get(args)[..n].into());
        match op {
            Opcode::load => {
                let result = self.f.result(i);
                match self.lookup(root, &path) {
                    Some(v) => {
                        self.rename.set(result, v);
                        self.dropped.insert(i);
                    }
                    None => self.record(root, path, result),
                }
            }
            Opcode::store => {
                let value = self.f.get(args)[n];
                if self.lookup(root, &path) == Some(value) {
                    self.dropped.insert(i);
                    return;
                }
                self.invalidate_aliases(root, &path);
                self.record(root, path, value);
            }
            _ => self.epochs.write(self.m, self.f, i),
        }
    }

    fn is_private(&self, root: Root) -> bool {
        match root {
            Root::Global(g) => !matches!(self.m.globals[g].kind, rtc_ir::GlobalKind::GroupShared(_) | rtc_ir::GlobalKind::Inline(_)),
            _ => true,
        }
    }

    fn lookup(&self, root: Root, path: &Path) -> Option<Value> {
        let epoch = self.epochs.variable(root);
        let list = self.contents.get(&root)?;
        let hit = list.iter().find(|k| k.epoch == epoch && k.path == *path)?;
        Some(hit.value)
    }

    fn record(&mut self, root: Root, path: Path, value: Value) {
        let epoch = self.epochs.variable(root);
        let depth = self.recorded.len() as u32;
        let list = self.contents.entry(root).or_default();
        list.retain(|k| k.epoch == epoch && k.path != path);
        if list.len() >= MAX_PATHS {
            list.remove(0);
        }
        list.push(Contents { path, value, depth, epoch });
        if let Some(here) = self.recorded.last_mut() {
            here.push(root);
        }
    }

    /// Invalidates what a store to `path` may change. The epoch stays: other paths keep their contents.
    fn invalidate_aliases(&mut self, root: Root, path: &Path) {
        let f = &*self.f;
        if let Some(list) = self.contents.get_mut(&root) {
            list.retain(|k| !may_alias(f, k.path.0, path.0));
        }
    }
}

/// Whether two access paths of one variable may overlap: not if they differ in a constant step.
fn may_alias(f: &Function, a: Place, b: Place) -> bool {
    let (a, b) = (&f.places[a].steps, &f.places[b].steps);
    !a.iter().zip(b).any(|(x, y)| match (x, y) {
        (Step::At(n), Step::At(k)) => n != k,
        _ => false,
    })
}
