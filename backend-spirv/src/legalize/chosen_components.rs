//! Legalisation of vectors in groupshared memory and in local variables: a component whose number is only known at run time is read and written as such.
//!
//! The front end and the optimiser load the vector, and extract or insert the component. Drivers then load all components and choose among them (1.3 to 1.7 times
//! the time on an H200), where an access chain to the component is one load or store. The read moves from the load to the extraction, and to the store that
//! puts the vector back, so nothing in between may write or wait. Payloads stay: an index into them costs more than all of that.
//!
//! In functions that run other shaders local variables stay, too: in a closest-hit shader with a local array of vectors, one of whose elements and one of whose
//! components are chosen at run time, and a trace, NVIDIA 580.159 does nothing of what the shader says.

use rtc_ir::debug::Part;
use rtc_ir::{Effects, Function, GlobalKind, Inst, InstData, Module, Opcode as O, Place, Region, Root, Stage, Step, Value, effects};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// What the instructions between a load and the extraction may do.
const READS: Effects = Effects::READS_MEM.union(Effects::READS_VAR);

/// Reads and writes such components by themselves, in all functions of a module.
pub fn run(m: &mut Module) {
    let mut f = Function::new("", Stage::Library);
    let funcs: Vec<_> = m.funcs.keys().collect();
    for id in funcs {
        std::mem::swap(&mut f, &mut m.funcs[id]);
        if !f.declared {
            function(m, &mut f);
        }
        std::mem::swap(&mut f, &mut m.funcs[id]);
    }
}

fn function(m: &Module, f: &mut Function) {
    let mut regions: Vec<Region> = Vec::new();
    f.for_each_inst(f.body, |r, _| {
        if regions.last() != Some(&r) {
            regions.push(r);
        }
    });
    regions.sort_unstable();
    regions.dedup();
    let mut runs_shaders = false;
    f.for_each_inst(f.body, |_, i| runs_shaders |= effects::of_inst(m, f, i).contains(Effects::RUNS_SHADERS));
    let writes: Vec<Write> = if runs_shaders { Vec::new() } else { regions.iter().flat_map(|&r| writes(m, f, r)).collect() };
    for w in &writes {
        let place = component_of(f, w.load);
        let InstData::Access { op, imm, .. } = f.insts[w.store] else { continue };
        let mut args = indices(f, w.load);
        args.extend([w.component, w.value]);
        let args = f.list(&args);
        f.insts[w.store] = InstData::Access { op, imm, place, args };
    }
    let written: FxHashSet<Root> = writes.iter().filter_map(|w| root(f, w.load)).collect();
    let is_memory = |root: Root| match root {
        // Where only whole vectors are written a choice costs less.
        Root::Local(_) => written.contains(&root),
        Root::Global(g) => matches!(m.globals[g].kind, GlobalKind::GroupShared(_)),
        Root::Slot(_) => false,
    };
    let reads: Vec<(Inst, Inst, Value)> = regions.iter().flat_map(|&r| reads(m, f, r, is_memory)).collect();
    if reads.is_empty() && writes.is_empty() {
        return;
    }
    for &(load, extraction, component) in &reads {
        let place = component_of(f, load);
        let InstData::Access { op, imm, .. } = f.insts[load] else { continue };
        let mut args = indices(f, load);
        args.push(component);
        let args = f.list(&args);
        f.insts[extraction] = InstData::Access { op, imm, place, args };
    }
    let mut unused: FxHashSet<Inst> = reads.iter().map(|r| r.0).collect();
    for w in &writes {
        unused.extend([w.load, w.insertion]);
    }
    remove_unused(f, unused);
}

/// The place of a component of what `load` reads, whose number is one more index.
fn component_of(f: &mut Function, load: Inst) -> Place {
    let InstData::Access { place, .. } = f.insts[load] else { rtc_base::bug!("a load has a place") };
    let (root, mut steps) = (f.places[place].root, f.places[place].steps.clone());
    steps.push(Step::Dyn);
    f.place(root, &steps)
}

/// The indices of what `load` reads.
fn indices(f: &Function, load: Inst) -> SmallVec<[Value; 4]> {
    match f.insts[load] {
        InstData::Access { args, .. } => f.get(args).into(),
        _ => SmallVec::new(),
    }
}

/// The variable that `i` reads or writes.
fn root(f: &Function, i: Inst) -> Option<Root> {
    match f.insts[i] {
        InstData::Access { place, .. } => Some(f.places[place].root),
        _ => None,
    }
}

/// A vector that is loaded, changed in one component, and put back.
struct Write {
    load: Inst,
    insertion: Inst,
    store: Inst,
    component: Value,
    value: Value,
}

/// The writes of a region of that kind to local variables. (Other threads may write other components of groupshared vectors: there the front end stores components.)
fn writes(m: &Module, f: &Function, r: Region) -> Vec<Write> {
    let (mut found, mut loads, mut changed) = (Vec::new(), FxHashMap::default(), FxHashMap::default());
    for &i in &f.regions[r].insts {
        match f.insts[i] {
            InstData::Access { op: O::load, place, .. } if matches!(f.places[place].root, Root::Local(_)) => {
                loads.insert(f.result(i), i);
            }
            InstData::Ternary { op: O::insert_dyn, args: [vector, component, value] } => {
                if let Some(&load) = loads.get(&vector) {
                    changed.insert(f.result(i), (load, i, component, value));
                }
            }
            InstData::Access { op: O::store, place, args, .. } => {
                if let Some((&v, before)) = f.get(args).split_last()
                    && let Some(&(load, insertion, component, value)) = changed.get(&v)
                    && let InstData::Access { place: from, args: at, .. } = f.insts[load]
                    && from == place
                    && f.get(at) == before
                {
                    found.push(Write { load, insertion, store: i, component, value });
                }
                loads.clear();
                changed.clear();
            }
            _ if !f.regions_of(i).is_empty() || effects::of_inst(m, f, i).intersects(Effects::WRITES_VAR) => {
                loads.clear();
                changed.clear();
            }
            _ => {}
        }
    }
    found
}

/// The loads of a region from such memory whose components something extracts: the load, the extraction, the component's number.
fn reads(m: &Module, f: &Function, r: Region, is_memory: impl Fn(Root) -> bool) -> Vec<(Inst, Inst, Value)> {
    let (mut found, mut open) = (Vec::new(), FxHashMap::default());
    for &i in &f.regions[r].insts {
        match f.insts[i] {
            InstData::Access { op: O::load, place, .. } if is_memory(f.places[place].root) => {
                open.insert(f.result(i), i);
            }
            InstData::Binary { op: O::extract_dyn, args: [vector, component] } => {
                found.extend(open.get(&vector).map(|&load| (load, i, component)));
            }
            _ if !f.regions_of(i).is_empty() || !(effects::of_inst(m, f, i) - READS).is_empty() => open.clear(),
            _ => {}
        }
    }
    found
}

/// Removes those of these instructions whose values no other instruction uses. A debugger no longer knows what it showed by them.
fn remove_unused(f: &mut Function, mut loads: FxHashSet<Inst>) {
    // An insertion uses a load: what remains is marked to a fixpoint.
    let mut kept: FxHashSet<Inst> = FxHashSet::default();
    loop {
        let mut used: FxHashSet<Value> = FxHashSet::default();
        f.for_each_inst(f.body, |_, i| {
            if !loads.contains(&i) || kept.contains(&i) {
                used.extend(f.operands(i));
            }
        });
        let before = kept.len();
        kept.extend(loads.iter().copied().filter(|&i| used.contains(&f.result(i))));
        if kept.len() == before {
            break;
        }
    }
    loads.retain(|i| !kept.contains(i));
    if let Some(mut d) = f.debug.take() {
        let gone: FxHashSet<Value> = loads.iter().map(|&i| f.result(i)).collect();
        let is_gone = |p: &Part| matches!(p, Part::Value(v) if gone.contains(v));
        d.marks.values_mut().flatten().filter(|m| m.value.iter().any(is_gone)).for_each(|m| m.value.clear());
        // The last instruction of a region is an exit, which stays.
        for r in f.regions.values() {
            let pairs = r.insts.iter().zip(r.insts.iter().skip(1));
            pairs.filter(|(i, _)| loads.contains(i)).for_each(|(&i, &next)| d.move_marks(i, next));
        }
        f.debug = Some(d);
    }
    for r in f.regions.values_mut() {
        r.insts.retain(|i| !loads.contains(i));
    }
}
