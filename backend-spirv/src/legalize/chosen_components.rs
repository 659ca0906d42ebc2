//! Legalisation of vectors in groupshared memory: a component whose number is only known at run time is read as such.
//!
//! The front end loads the vector and extracts the component. Drivers then load all components and choose among them (1.3 times the time on an H200), where an
//! access chain to the component is one load. The read moves from the load to the extraction, so nothing in between may write or wait.

use rtc_ir::{Effects, Function, GlobalKind, Inst, InstData, Module, Opcode as O, Region, Root, Stage, Step, Value, effects};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Reads such components by themselves, in all functions of a module.
pub fn run(m: &mut Module) {
    if !m.globals.values().any(|g| matches!(g.kind, GlobalKind::GroupShared(_))) {
        return;
    }
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
    let reads: Vec<(Inst, Inst, Value)> = regions.iter().flat_map(|&r| reads(m, f, r)).collect();
    if reads.is_empty() {
        return;
    }
    for &(load, extraction, component) in &reads {
        let InstData::Access { op, imm, place, args } = f.insts[load] else { continue };
        let (root, mut steps) = (f.places[place].root, f.places[place].steps.clone());
        steps.push(Step::Dyn);
        let mut args: SmallVec<[Value; 4]> = f.get(args).into();
        args.push(component);
        let (place, args) = (f.place(root, &steps), f.list(&args));
        f.insts[extraction] = InstData::Access { op, imm, place, args };
    }
    remove_unused(f, reads.iter().map(|r| r.0).collect());
}

/// The loads of a region whose components something extracts: the load, the extraction, the component's number.
fn reads(m: &Module, f: &Function, r: Region) -> Vec<(Inst, Inst, Value)> {
    let (mut found, mut open) = (Vec::new(), FxHashMap::default());
    for &i in &f.regions[r].insts {
        match f.insts[i] {
            InstData::Access { op: O::load, place, .. } => {
                if let Root::Global(g) = f.places[place].root
                    && matches!(m.globals[g].kind, GlobalKind::GroupShared(_))
                {
                    open.insert(f.result(i), i);
                }
            }
            InstData::Binary { op: O::extract_dyn, args: [vector, component] } => {
                found.extend(open.get(&vector).map(|&load| (load, i, component)));
            }
            _ if !f.regions_of(i).is_empty() || !(effects::of_inst(m, f, i) - Effects::READS_MEM).is_empty() => open.clear(),
            _ => {}
        }
    }
    found
}

/// Removes those of these loads whose values nothing uses. What a debugger shows stays.
fn remove_unused(f: &mut Function, mut loads: FxHashSet<Inst>) {
    if f.debug.is_some() {
        return;
    }
    let mut used: FxHashSet<Value> = FxHashSet::default();
    f.for_each_inst(f.body, |_, i| used.extend(f.operands(i)));
    loads.retain(|&i| !used.contains(&f.result(i)));
    for r in f.regions.values_mut() {
        r.insts.retain(|i| !loads.contains(i));
    }
}
