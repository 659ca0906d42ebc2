//! `mem2reg`: promotion of locals of value type to SSA values.
//!
//! Results and parameters of constructs are the phis of this IR. The traversal keeps the reaching definition of each local. A
//! construct that stores to a local gets one more result for it, for which each of its exits passes the current value; a
//! loop also gets one more parameter for its body and its continuing region. Which locals a construct stores is computed
//! before; it matters only up to the innermost region that contains all accesses of the local, and not even there if the first
//! access is a store of the whole local (pruned SSA). Results and parameters without uses are left to `dce`.
//!
//! Reading what was never written gives `undef`. Vector components become `extract` and `insert`. Stores of `undef` to locals
//! that stay are dropped.

use rtc_base::{EntitySet, PackedOption, SecondaryMap};
use rtc_ir::analysis::{Event, RegionTree, Walk, target_construct};
use rtc_ir::debug::{Anchors, Mark};
use rtc_ir::{Func, Function, Inst, InstData, Local, LocalData, Module, Opcode, Props, Region, Root, Step, Type, Value};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::util::{Rename, set_args};
use crate::{Changed, PassCtx, PassError, sroa};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    let mut changed = false;
    for id in m.funcs.keys() {
        changed |= function(m, id);
    }
    Ok(changed.into())
}

/// Runs the pass over one function.
pub(crate) fn function(m: &mut Module, id: Func) -> bool {
    let anchors = Anchors::take(&m.funcs[id]);
    let expanded = sroa::expand_copies(m, id, true);
    anchors.into_iter().for_each(|a| a.restore(&mut m.funcs[id]));
    let changed = promote(m, id) | expanded;
    m.funcs[id].settled &= !changed;
    changed
}

/// Promotes locals that stayed for a call of another library's function, if a pass has removed that.
pub(crate) fn after_calls(m: &mut Module, id: Func) -> bool {
    let stayed = |l: &LocalData| l.param.is_none() && m.types.is_value(l.ty);
    m.props.contains(Props::NO_LOCALS) && m.funcs[id].locals.values().any(stayed) && function(m, id)
}

fn promote(m: &mut Module, id: Func) -> bool {
    let empty = Function::new("", rtc_ir::Stage::Library);
    let mut f = std::mem::replace(&mut m.funcs[id], empty);
    let wanted = candidates(m, &f);
    let any = !wanted.is_empty();
    if any {
        let stored = stored_in(&f, &wanted);
        let mut promoter = Promoter {
            f: &mut f,
            wanted: &wanted,
            stored,
            current: SecondaryMap::new(),
            log: Vec::new(),
            rename: Rename::new(),
            pending: Vec::new(),
            lists: Vec::new(),
        };
        promoter.body();
        let mut rename = promoter.rename;
        rename.apply(&mut f);
        // What is no longer accessed must not count as a variable any more.
        f.compact();
    }
    let any = drop_undefined(&mut f) | any;
    m.funcs[id] = f;
    any
}

/// Removes stores of undefined values to locals that stay.
fn drop_undefined(f: &mut Function) -> bool {
    let mut useless = EntitySet::new();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Access { op: Opcode::store, place, args, .. } = f.insts[i]
            && matches!(f.places[place].root, Root::Local(_))
            && f.get(args).last().is_some_and(|&v| f.is_undef(v))
        {
            useless.insert(i);
        }
    });
    if useless.is_empty() {
        return false;
    }
    for r in f.regions.values_mut() {
        r.insts.retain(|&i| !useless.contains(i));
    }
    true
}

/// Locals that hold a value and are only loaded and stored. What is stored to `precise` ones decides which instructions are exact ([`crate::precise`]),
/// so they stay until then.
fn candidates(m: &Module, f: &Function) -> EntitySet<Local> {
    let mut set = EntitySet::new();
    for (l, data) in &f.locals {
        if data.param.is_none() && m.types.is_value(data.ty) && !data.precise {
            set.insert(l);
        }
    }
    f.for_each_inst(f.body, |_, i| {
        let plain = matches!(f.insts[i], InstData::Access { op: Opcode::load | Opcode::store, .. });
        if !plain {
            f.for_each_place(i, |p| {
                if let Root::Local(l) = f.places[p].root {
                    set.remove(l);
                }
            });
        }
    });
    set
}

/// The candidate that a load or store touches.
fn accessed(f: &Function, i: Inst, wanted: &EntitySet<Local>) -> Option<Local> {
    match f.insts[i] {
        InstData::Access { place, .. } => match f.places[place].root {
            Root::Local(l) if wanted.contains(l) => Some(l),
            _ => None,
        },
        _ => None,
    }
}

/// The locals that each construct stores and that may be live across its boundary, in order.
fn stored_in(f: &Function, wanted: &EntitySet<Local>) -> SecondaryMap<Inst, Vec<Local>> {
    let tree = RegionTree::of(f);
    let home = homes(f, wanted, &tree);
    let mut seen: FxHashSet<(Inst, Local)> = FxHashSet::default();
    let mut out: SecondaryMap<Inst, Vec<Local>> = SecondaryMap::new();
    f.for_each_inst(f.body, |r, i| {
        if f.op(i) != Opcode::store {
            return;
        }
        let Some(l) = accessed(f, i, wanted) else {
            return;
        };
        let mut r = r;
        while Some(r) != home[l].expand() {
            let Some(owner) = f.regions[r].owner else {
                break;
            };
            if !seen.insert((owner, l)) {
                break;
            }
            out[owner].push(l);
            let Some(around) = tree.region(owner) else { break };
            r = around;
        }
    });
    for (_, list) in out.iter_mut() {
        list.sort_unstable();
    }
    out
}

/// The innermost region that contains all accesses of each local, if the first of them is a store of the whole local in that
/// region itself: then the local is not live into the region, nor out of it.
fn homes(f: &Function, wanted: &EntitySet<Local>, tree: &RegionTree) -> SecondaryMap<Local, PackedOption<Region>> {
    let mut home: SecondaryMap<Local, PackedOption<Region>> = SecondaryMap::new();
    let mut first: SecondaryMap<Local, Option<(Inst, Region)>> = SecondaryMap::new();
    f.for_each_inst(f.body, |r, i| {
        let Some(l) = accessed(f, i, wanted) else {
            return;
        };
        if first[l].is_none() {
            first[l] = Some((i, r));
        }
        let a = tree.common(home[l].expand().unwrap_or(r), r);
        home[l] = Some(a).into();
    });
    for (l, _) in &f.locals {
        let whole_store = first[l].is_some_and(|(i, r)| {
            let whole = match f.insts[i] {
                InstData::Access { op, place, .. } => op == Opcode::store && f.places[place].steps.is_empty(),
                _ => false,
            };
            whole && home[l].expand() == Some(r)
        });
        if !whole_store {
            home[l] = None.into();
        }
    }
    home
}

struct Promoter<'a> {
    f: &'a mut Function,
    wanted: &'a EntitySet<Local>,
    stored: SecondaryMap<Inst, Vec<Local>>,
    /// The reaching definition of each local; none: undefined.
    current: SecondaryMap<Local, PackedOption<Value>>,
    /// The former values of `current`, to be restored at the end of a region.
    log: Vec<(Local, PackedOption<Value>)>,
    rename: Rename,
    /// What debug information says of the next instruction.
    pending: Vec<Mark>,
    /// The new instruction lists of the open regions: stored when a region is left.
    lists: Vec<Vec<Inst>>,
}

impl Promoter<'_> {
    fn body(&mut self) {
        // The length of `log` at the beginning of each open region.
        let mut marks = Vec::new();
        let mut walk = Walk::new(self.f.body);
        while let Some(event) = walk.next(self.f) {
            match event {
                Event::Enter(r) => {
                    marks.push(self.log.len());
                    self.enter(r);
                    let capacity = self.f.regions[r].insts.len();
                    self.lists.push(Vec::with_capacity(capacity));
                }
                Event::Leave(r) => {
                    self.f.regions[r].insts = self.lists.pop().unwrap_or_default();
                    for (l, v) in self.log.drain(marks.pop().unwrap_or(0)..).rev() {
                        self.current[l] = v;
                    }
                }
                Event::End(_, i) => {
                    for l in self.stored[i].clone() {
                        let ty = self.f.locals[l].ty;
                        let v = self.f.add_result(i, ty);
                        self.set(l, v);
                    }
                }
                Event::Inst(r, i) => {
                    if let Some(l) = accessed(self.f, i, self.wanted) {
                        self.access(i, l);
                        continue;
                    }
                    self.push(i);
                    if let InstData::Loop { init, .. } = self.f.insts[i] {
                        let mut values: Vec<Value> = self.f.get(init).to_vec();
                        values.extend(self.values_of(i));
                        set_args(self.f, i, &values, 0);
                    }
                    if let Some(construct) = target_construct(self.f, r, i) {
                        self.exit(i, construct);
                    }
                }
            }
        }
    }

    fn set(&mut self, l: Local, v: Value) {
        self.log.push((l, self.current[l]));
        self.current[l] = Some(v).into();
        if let Some(d) = &self.f.debug
            && !self.f.is_undef(v)
            && let Some(named) = d.locals[l].clone()
        {
            if d.marked {
                self.pending.push(Mark::new(named.clone(), v));
            }
            self.f.name_value(v, &named);
        }
    }

    /// Appends `i` to the region at hand.
    fn push(&mut self, i: Inst) {
        if let Some(list) = self.lists.last_mut() {
            list.push(i);
        }
        self.transfer_marks(i);
    }

    fn transfer_marks(&mut self, i: Inst) {
        if !self.pending.is_empty()
            && let Some(d) = &mut self.f.debug
        {
            // Those of removed instructions before it come before its own.
            let own = d.marks.remove(&i).unwrap_or_default();
            let mut all = std::mem::take(&mut self.pending);
            all.extend(own);
            d.marks.insert(i, all);
        }
    }

    fn get(&mut self, l: Local) -> Value {
        match self.current[l].expand() {
            Some(v) => v,
            None => {
                let ty = self.f.locals[l].ty;
                self.f.undef(ty)
            }
        }
    }

    /// The values of the locals that construct `i` stores.
    fn values_of(&mut self, i: Inst) -> Vec<Value> {
        let locals = self.stored[i].clone();
        locals.into_iter().map(|l| self.get(l)).collect()
    }

    /// A loop's regions get the locals that it stores as parameters.
    fn enter(&mut self, r: Region) {
        let Some(owner) = self.f.regions[r].owner else {
            return;
        };
        if matches!(self.f.insts[owner], InstData::Loop { .. }) {
            for l in self.stored[owner].clone() {
                let ty = self.f.locals[l].ty;
                let v = self.f.add_param(r, ty);
                self.set(l, v);
            }
        }
    }

    fn exit(&mut self, i: Inst, construct: Inst) {
        let extra = self.values_of(construct);
        if extra.is_empty() {
            return;
        }
        let InstData::Exit { op, imm, args, .. } = self.f.insts[i] else {
            return;
        };
        let mut values: Vec<Value> = self.f.get(args).to_vec();
        let mut again = imm;
        if op == Opcode::next_if {
            let at = 1 + imm as usize;
            values.splice(at..at, extra.iter().copied());
            again += extra.len() as u32;
        }
        values.extend(extra);
        set_args(self.f, i, &values, again);
    }

    fn access(&mut self, i: Inst, l: Local) {
        let InstData::Access { op, place, args, .. } = self.f.insts[i] else {
            return;
        };
        let args: SmallVec<[Value; 4]> = self.f.get(args).into();
        let step = self.f.places[place].steps.first().copied();
        let old = self.get(l);
        let load = op == Opcode::load;
        if let Some(marks) = self.f.debug.as_mut().and_then(|d| d.marks.remove(&i)) {
            self.pending.extend(marks);
        }
        let Some(step) = step else {
            if load {
                let result = self.f.result(i);
                self.rename.set(result, old);
            } else {
                self.set(l, args[0]);
            }
            return;
        };
        let data = match (step, load) {
            (Step::At(n), true) => InstData::Many { op: Opcode::extract, imm: n, args: self.f.list(&[old]) },
            (Step::At(n), false) => InstData::Many { op: Opcode::insert, imm: n, args: self.f.list(&[old, args[0]]) },
            (Step::Dyn, true) => InstData::Binary { op: Opcode::extract_dyn, args: [old, args[0]] },
            (Step::Dyn, false) => InstData::Ternary { op: Opcode::insert_dyn, args: [old, args[0], args[1]] },
        };
        if load {
            // The load itself becomes the extraction.
            self.f.insts[i] = data;
            self.push(i);
        } else {
            let ty: Type = self.f.locals[l].ty;
            let span = self.f.spans[i];
            let new = self.f.make(data, &[ty], span);
            if let Some(mut d) = self.f.debug.take() {
                d.inlined[new] = d.inlined[i];
                self.f.debug = Some(d);
            }
            self.push(new);
            let v = self.f.result(new);
            self.set(l, v);
        }
    }
}
