//! Legalisation of vectors in groupshared memory: components that are read or written one after the other become one access of the vector.
//!
//! Other threads may write the other components of a vector, so the front end stores each component by itself. An access of a vector of four costs a device no more
//! than one of a component (the lanes of a wave meet in the same banks of the memory), and an H200 joins no accesses itself: a kernel that stores all components
//! of vectors by swizzles took 3.8 times as long as with whole vectors. So stores that together write all components become one, at the place of the last one,
//! and loads of several components become one, at the place of the first. What a store has written before is known where it is read again.
//!
//! Between the first and the last of them there is nothing that waits for other threads, reorders, runs shaders, or may touch that vector by another path.

use rtc_ir::{
    Builder, Effects, Function, Global, GlobalKind, Inst, InstData, Module, Opcode as O, PlaceData, Region, Root, Stage, Step, Type, Value,
    effects,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// What instructions between accesses of one vector may do: nothing that other threads can see or that they are waited for by.
const QUIET: Effects = Effects::READS_MEM.union(Effects::READS_VAR).union(Effects::WRITES_VAR);

/// How many vectors are followed at a time.
const MAX_VECTORS: usize = 16;

/// Joins accesses in all functions of a module that has groupshared memory.
pub fn run(m: &mut Module) {
    if !m.globals.values().any(|g| matches!(g.kind, GlobalKind::GroupShared(_))) {
        return;
    }
    let mut f = Function::new("", Stage::Library);
    let funcs: Vec<_> = m.funcs.keys().collect();
    for id in funcs {
        std::mem::swap(&mut f, &mut m.funcs[id]);
        if !f.declared {
            let mut regions: Vec<Region> = Vec::new();
            f.for_each_region(f.body, |r| regions.push(r));
            for r in regions {
                join(m, &mut f, r);
            }
        }
        std::mem::swap(&mut f, &mut m.funcs[id]);
    }
}

/// A vector in groupshared memory: the path to it, and the values of its indices.
#[derive(Clone, PartialEq, Eq)]
struct Vector {
    global: Global,
    steps: SmallVec<[Step; 4]>,
    indices: SmallVec<[Value; 2]>,
}

/// What a region did with a vector so far.
struct Facts {
    vector: Vector,
    ty: Type,
    /// The value of each component.
    values: Vec<Option<Value>>,
    /// The stores of components that one of all components may replace.
    stores: Vec<Option<Inst>>,
    /// The loads of components.
    loads: Loads,
}

/// Loads of components of one vector, in order, each with the component's number.
type Loads = Vec<(Inst, u32)>;

/// What becomes of a region.
#[derive(Default)]
struct Changes {
    /// Stores that nothing sees.
    dead: FxHashSet<Inst>,
    /// Loads of one vector that become one.
    loads: Vec<(Vector, Type, Loads)>,
    /// Stores that become one of all components, and their values.
    stores: FxHashMap<Inst, (Vector, Vec<Value>)>,
    /// Loads of values that are known.
    known: Vec<(Inst, Value)>,
    /// Loads of a vector some components of which are known.
    mixed: Mixed,
}

/// The vector whose component, or which as a whole, access `place` with `args` is about; the component's number. `None` for other accesses.
fn vector_of(m: &Module, place: &PlaceData, args: &[Value]) -> Option<(Vector, Type, Option<u32>)> {
    let Root::Global(global) = place.root else { return None };
    let GlobalKind::GroupShared(ty) = m.globals[global].kind else { return None };
    let is_vector = |t: Type| m.types.numeric(t).is_some_and(|(_, lanes)| lanes > 1);
    let mut ty = ty;
    for (n, step) in place.steps.iter().enumerate() {
        if is_vector(ty) {
            let Step::At(lane) = *step else { return None };
            debug_assert_eq!(n + 1, place.steps.len(), "a component has no parts");
            let steps = place.steps[..n].into();
            return Some((Vector { global, steps, indices: args[..place.dyn_count()].into() }, ty, Some(lane)));
        }
        ty = m.part(ty, if let Step::At(n) = *step { Some(n) } else { None })?;
    }
    is_vector(ty)
        .then(|| (Vector { global, steps: place.steps.iter().copied().collect(), indices: args[..place.dyn_count()].into() }, ty, None))
}

/// Whether accesses of `vector` and of `place` may touch the same bytes: not if their paths differ in a constant step.
fn may_meet(vector: &Vector, place: &PlaceData) -> bool {
    let differ = |(a, b): (&Step, &Step)| matches!((a, b), (Step::At(n), Step::At(k)) if n != k);
    place.root == Root::Global(vector.global) && !vector.steps.iter().zip(&place.steps).any(differ)
}

fn join(m: &mut Module, f: &mut Function, r: Region) {
    let mut open: Vec<Facts> = Vec::new();
    let mut changes = Changes::default();
    for &i in &f.regions[r].insts {
        let InstData::Access { op: op @ (O::load | O::store), place, args, .. } = f.insts[i] else {
            let quiet = f.regions_of(i).is_empty() && (effects::of_inst(m, f, i) - QUIET).is_empty();
            if !quiet || f.access_root(i).is_some() || matches!(f.insts[i], InstData::Copy { .. }) {
                open.drain(..).for_each(|k| changes.close(k));
            }
            continue;
        };
        let place = &f.places[place];
        let found = vector_of(m, place, f.get(args));
        // What may touch a vector by another path ends these facts.
        let (kept, ended): (Vec<Facts>, Vec<Facts>) =
            open.drain(..).partition(|k| found.as_ref().is_some_and(|v| v.0 == k.vector) || !may_meet(&k.vector, place));
        open = kept;
        ended.into_iter().for_each(|k| changes.close(k));
        let Some((vector, ty, lane)) = found else { continue };
        let at = open.iter().position(|k| k.vector == vector).unwrap_or_else(|| {
            if open.len() == MAX_VECTORS {
                changes.close(open.remove(0));
            }
            let lanes = m.types.lanes(ty) as usize;
            open.push(Facts { vector, ty, values: vec![None; lanes], stores: vec![None; lanes], loads: Vec::new() });
            open.len() - 1
        });
        let k = &mut open[at];
        match (op, lane) {
            (O::load, Some(lane)) => match &mut k.values[lane as usize] {
                Some(value) => changes.known.push((i, *value)),
                unknown => {
                    *unknown = Some(f.result(i));
                    k.loads.push((i, lane));
                }
            },
            (O::load, None) => {
                // What loads gave is there anyway.
                let known = k.values.iter().zip(&k.stores).enumerate();
                let known: Vec<(u32, Value)> = known.filter_map(|(n, (v, s))| Some((n as u32, (*v).filter(|_| s.is_some())?))).collect();
                if !known.is_empty() {
                    changes.mixed.insert(i, (k.vector.clone(), k.ty, known));
                }
            }
            (_, Some(lane)) => {
                k.values[lane as usize] = f.get(args).last().copied();
                changes.dead.extend(k.stores[lane as usize].replace(i));
                if k.stores.iter().all(Option::is_some) {
                    changes.dead.extend(k.stores.iter_mut().filter_map(Option::take).filter(|&s| s != i));
                    changes.stores.insert(i, (k.vector.clone(), k.values.iter().flatten().copied().collect()));
                }
            }
            _ => {
                // A store of the whole vector.
                let k = open.remove(at);
                changes.dead.extend(k.stores.iter().flatten());
                changes.close(k);
            }
        }
    }
    open.drain(..).for_each(|k| changes.close(k));
    changes.apply(m, f, r);
}

impl Changes {
    /// The facts about a vector end: its stores stay where they are.
    fn close(&mut self, k: Facts) {
        if k.loads.len() > 1 {
            self.loads.push((k.vector, k.ty, k.loads));
        }
    }

    fn apply(mut self, m: &mut Module, f: &mut Function, r: Region) {
        if self.dead.is_empty() && self.loads.is_empty() && self.known.is_empty() && self.mixed.is_empty() {
            return;
        }
        let mut before: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
        for (vector, ty, loads) in self.loads {
            let first = loads[0].0;
            let whole = build(m, f, first, &mut before, |b| b.load(Root::Global(vector.global), &vector.steps, &vector.indices, ty));
            for (load, imm) in loads {
                let args = f.list(&[whole]);
                f.insts[load] = InstData::Many { op: O::extract, imm, args };
            }
        }
        for (load, value) in self.known {
            f.insts[load] = InstData::Unary { op: O::bitcast, arg: value };
        }
        let (unread, mixed) = read_directly(f, self.mixed);
        self.dead.extend(unread);
        for (load, (vector, ty, known)) in mixed {
            let (&(last, value), rest) = known.split_last().expect("something is known");
            let whole = build(m, f, load, &mut before, |b| {
                let whole = b.load(Root::Global(vector.global), &vector.steps, &vector.indices, ty);
                rest.iter().fold(whole, |whole, &(n, x)| b.insert(whole, n, x))
            });
            let args = f.list(&[whole, value]);
            f.insts[load] = InstData::Many { op: O::insert, imm: last, args };
        }
        for (store, (vector, values)) in self.stores {
            let all = build(m, f, store, &mut before, |b| b.construct(&values));
            let place = f.place(Root::Global(vector.global), &vector.steps);
            let args: SmallVec<[Value; 4]> = vector.indices.iter().copied().chain([all]).collect();
            let args = f.list(&args);
            f.insts[store] = InstData::Access { op: O::store, imm: 0, place, args };
        }
        let old = std::mem::take(&mut f.regions[r].insts);
        let dead = &self.dead;
        let new = old.into_iter().flat_map(|i| before.remove(&i).unwrap_or_default().into_iter().chain((!dead.contains(&i)).then_some(i)));
        f.regions[r].insts = new.collect();
    }
}

/// A load of a vector, with the components that are known.
type Mixed = FxHashMap<Inst, (Vector, Type, Vec<(u32, Value)>)>;

/// Gives what extracts a known component the component. Returns the loads that nothing uses then, and the others.
fn read_directly(f: &mut Function, mut mixed: Mixed) -> (Vec<Inst>, Mixed) {
    if mixed.is_empty() {
        return (Vec::new(), mixed);
    }
    let of: FxHashMap<Value, Inst> = mixed.keys().map(|&i| (f.result(i), i)).collect();
    let (mut read, mut direct) = (FxHashSet::default(), Vec::new());
    f.for_each_inst(f.body, |_, i| {
        let mut known = None;
        if let InstData::Many { op: O::extract, imm, args } = f.insts[i]
            && let Some(load) = of.get(&f.get(args)[0])
        {
            known = mixed[load].2.iter().find(|k| k.0 == imm).map(|k| k.1);
        }
        match known {
            Some(value) => direct.push((i, value)),
            None => f.for_each_operand(i, |v| read.extend(of.get(&v).copied())),
        }
    });
    for (i, arg) in direct {
        f.insts[i] = InstData::Unary { op: O::bitcast, arg };
    }
    let unread: Vec<Inst> = mixed.keys().copied().filter(|i| !read.contains(i)).collect();
    mixed.retain(|i, _| read.contains(i));
    (unread, mixed)
}

/// Makes instructions that come before `at`.
fn build(
    m: &mut Module,
    f: &mut Function,
    at: Inst,
    before: &mut FxHashMap<Inst, Vec<Inst>>,
    make: impl FnOnce(&mut Builder<'_>) -> Value,
) -> Value {
    let temp = f.add_region();
    let span = f.spans[at];
    let mut b = Builder::at(&mut m.types, f, temp);
    b.span = span;
    let value = make(&mut b);
    before.entry(at).or_default().append(&mut f.regions[temp].insts.drain(..).collect());
    value
}
