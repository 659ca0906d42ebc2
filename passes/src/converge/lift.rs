//! One step outward: an instruction in an arm of a construct is executed between two parts of it, by the lanes of all arms.
//!
//! ```text
//!  r = if c {              go, x, a, y = if c { A; yield true, x, a, undef } else { E; yield false, idle, undef, v }
//!    A; trace x; B    →    trace x
//!    yield u               r = if go { B; yield u } else { yield y }
//!  } else { E; yield v }
//! ```
//!
//! `a` are the values of A that B uses; handles, and numbers that follow from constants, are made anew. Where A leaves the construct by a `break`, a lane has no work either, and takes its results
//! along. Exits to further out stay what they are: their lanes are not there. A `switch` and a `block` are divided in the same way. The instruction may also be
//! a loop that runs until no lane has work ([`super::guard`]): its first initial value says whether a lane has any.

use rtc_base::EntitySet;
use rtc_ir::analysis::{Exits, RegionTree};
use rtc_ir::{Function, Inst, InstData, Opcode, Region, Type, TypeKind, TypeTable, Value, ValueDef};
use rustc_hash::FxHashMap;

use super::idle::{self, is_fixed, makes_handle};
use crate::util::{copy, set_args};

/// What a step takes from the part before to what comes after it.
#[derive(Default)]
pub(super) struct Carried {
    /// Numbers.
    pub values: Vec<Value>,
    /// Instructions that make handles, or numbers of constants, in an order in which they can be made again.
    pub again: Vec<Inst>,
}

/// Moves `moved` out of the construct whose region it is in. `null` is the index of a miss shader that an idle lane names.
///
/// # Errors
/// Why that cannot be; nothing is changed then.
pub(super) fn lift(types: &mut TypeTable, f: &mut Function, moved: Inst, null: u32) -> Result<(), &'static str> {
    let tree = RegionTree::of(f);
    let region = tree.region(moved).ok_or("it is not executed")?;
    let construct = f.regions[region].owner.ok_or("it is in no construct")?;
    let outer = tree.region(construct).ok_or("it is not executed")?;
    let at = f.regions[region].insts.iter().position(|&i| i == moved).ok_or("it is not executed")?;
    let carried = carried(types, f, region, at)?;
    let (mut first, mut rest) = exits(f, &tree, construct, region, moved);
    let (begin, end) = (tree.number(moved), tree.end_of(f, moved));
    if first.iter().any(|&e| (begin..end).contains(&tree.number(e))) {
        return Err("a loop around it is left by a jump that leaves what is around the loop, too");
    }
    // The arm alone decides which lanes have work.
    let by_arm = matches!(f.insts[construct], InstData::If { .. })
        && !first.iter().any(|&e| tree.region(e).is_some_and(|r| tree.contains(region, r)));
    first.sort_unstable();
    rest.sort_unstable();

    let here = f.regions[outer].insts.iter().position(|&i| i == construct).ok_or("it is not executed")?;
    let following = f.regions[outer].insts.split_off(here);
    let args = f.operands(moved).to_vec();
    let idle = match f.insts[moved] {
        InstData::Loop { .. } => idle_loop(f, &args),
        _ => idle::operands(types, f, outer, moved, null),
    };

    // The results of the first part.
    let old = f.results(construct).to_vec();
    f.set_results(construct, &[]);
    let go = (!by_arm).then(|| f.add_result(construct, Type::BOOL));
    let mut passed = args.clone();
    for (n, _) in idle.iter().enumerate().filter(|(_, i)| i.is_some()) {
        passed[n] = f.add_result(construct, f.ty(args[n]));
    }
    let rename: FxHashMap<Value, Value> = carried.values.iter().map(|&v| (v, f.add_result(construct, f.ty(v)))).collect();
    // A lane has either values for the part that follows or results, so they share places.
    let shared = shared(f, &old, &carried.values);
    let mut early = Vec::with_capacity(old.len());
    for (&v, place) in old.iter().zip(&shared) {
        early.push(match place {
            Some(n) => rename[&carried.values[*n]],
            None => f.add_result(construct, f.ty(v)),
        });
    }
    let apart: Vec<usize> = (0..old.len()).filter(|&k| shared[k].is_none()).collect();

    // The arm is divided.
    let mut tail = f.regions[region].insts.split_off(at);
    tail.remove(0);
    let busy = [go.map(|_| f.const_bool(true))].into_iter().flatten();
    let with_work = idle.iter().zip(&args).filter(|(i, _)| i.is_some()).map(|(_, &a)| a);
    let mut given: Vec<Value> = busy.chain(with_work).chain(carried.values.iter().copied()).collect();
    given.extend(apart.iter().map(|&k| f.ty(old[k])).collect::<Vec<_>>().into_iter().map(|t| f.undef(t)));
    let span = f.spans[moved];
    let list = f.list(&given);
    f.append(region, InstData::Exit { op: Opcode::yield_, imm: 0, target: None.into(), args: list }, &[], span);

    // Lanes that leave the first part without work.
    let mut without = Vec::new();
    without.extend(go.map(|_| f.const_bool(false)));
    without.extend(idle.iter().flatten());
    for e in first {
        let results = f.operands(e);
        let mut all = without.clone();
        for (n, &v) in carried.values.iter().enumerate() {
            let held = shared.iter().position(|&s| s == Some(n));
            all.push(held.map_or_else(|| f.undef(f.values[v].ty), |k| results[k]));
        }
        all.extend(apart.iter().map(|&k| results[k]));
        set_args(f, e, &all, 0);
    }

    // The second part.
    let (work, rest_of_lanes) = (f.add_region(), f.add_region());
    f.regions[work].insts = tail;
    retarget(f, &rest, work);
    let list = f.list(&early);
    f.append(rest_of_lanes, InstData::Exit { op: Opcode::yield_, imm: 0, target: None.into(), args: list }, &[], span);
    let (cond, then_, else_) = match (go, f.insts[construct]) {
        (None, InstData::If { cond, else_, .. }) if else_ == region => (cond, rest_of_lanes, work),
        (None, InstData::If { cond, .. }) => (cond, work, rest_of_lanes),
        (go, _) => (go.unwrap_or_else(|| rtc_base::bug!("only an arm of an `if` decides alone")), work, rest_of_lanes),
    };
    let second = f.make(InstData::If { cond, then_, else_ }, &[], f.spans[construct]);
    f.set_results(second, &old);

    // What is moved comes between them, with a handle of its own.
    let mut between = Vec::new();
    for (n, _) in idle.iter().enumerate().filter(|(_, i)| i.is_none()) {
        passed[n] = make_again(f, &tree, region, args[n], &mut between);
    }
    idle::set_operands(f, moved, &passed);
    between.extend(use_carried(f, moved, work, &carried.again, rename));
    let list = &mut f.regions[outer].insts;
    list.push(construct);
    list.extend(between);
    list.extend([moved, second]);
    list.extend(&following[1..]);
    Ok(())
}

/// For each result of a construct, which of the carried values has its type and is not taken by another one.
fn shared(f: &Function, results: &[Value], carried: &[Value]) -> Vec<Option<usize>> {
    let mut taken = vec![false; carried.len()];
    let mut place = |&r: &Value| {
        let n = (0..carried.len()).find(|&n| !taken[n] && f.ty(carried[n]) == f.ty(r))?;
        taken[n] = true;
        Some(n)
    };
    results.iter().map(&mut place).collect()
}

/// Makes value `v`, which is a handle or follows from constants, outside of `region` if it is made in it. The instructions go to `out`.
fn make_again(f: &mut Function, tree: &RegionTree, region: Region, v: Value, out: &mut Vec<Inst>) -> Value {
    let Some(i) = f.def_inst(v).filter(|&i| tree.region(i) == Some(region)) else { return v };
    let mut rename = FxHashMap::default();
    for o in f.operands(i) {
        let new = make_again(f, tree, region, o, out);
        rename.insert(o, new);
    }
    let new = copy(f, i);
    rename_one(f, new, &rename);
    out.push(new);
    f.result(new)
}

/// Makes what is moved and region `work`, which follows it, use the values that the first part gives, and `made` instructions anew: those that it gives come
/// before what is moved.
fn use_carried(f: &mut Function, moved: Inst, work: Region, made: &[Inst], mut rename: FxHashMap<Value, Value>) -> Vec<Inst> {
    let again: Vec<Inst> = made.iter().map(|&i| copy(f, i)).collect();
    for (&i, &new) in made.iter().zip(&again) {
        rename.insert(f.result(i), f.result(new));
    }
    // A loop uses values of the part before in its regions, too.
    let first = if f.owns_regions(moved) {
        again.iter().for_each(|&i| rename_one(f, i, &rename));
        f.regions_of(moved).into_iter().for_each(|r| rename_in(f, r, &rename));
        again
    } else {
        f.regions[work].insts.splice(0..0, again);
        Vec::new()
    };
    rename_in(f, work, &rename);
    first
}

/// Replaces values in a region and in everything in it.
pub(super) fn rename_in(f: &mut Function, region: Region, rename: &FxHashMap<Value, Value>) {
    let mut all = Vec::new();
    f.for_each_inst(region, |_, i| all.push(i));
    all.into_iter().for_each(|i| rename_one(f, i, rename));
}

pub(super) fn rename_one(f: &mut Function, i: Inst, rename: &FxHashMap<Value, Value>) {
    if f.operands(i).iter().any(|v| rename.contains_key(v)) {
        f.own_operands(i);
        f.map_operands(i, |v| rename.get(&v).copied().unwrap_or(v));
    }
}

/// Makes the exits that name the region which the end of an arm was in name the one that it is in now.
pub(super) fn retarget(f: &mut Function, exits: &[Inst], work: Region) {
    for &e in exits {
        if let InstData::Exit { target, .. } = &mut f.insts[e]
            && target.is_some()
        {
            *target = Some(work).into();
        }
    }
}

/// What an idle lane gives a loop that runs until no lane has work: that it has none.
fn idle_loop(f: &mut Function, args: &[Value]) -> Vec<Option<Value>> {
    let types: Vec<Type> = args.iter().map(|&v| f.ty(v)).collect();
    let mut out: Vec<Option<Value>> = types.into_iter().map(|t| Some(f.undef(t))).collect();
    out[0] = Some(f.const_bool(false));
    out
}

/// The exits of a construct with its results: of the first part, and of what follows instruction `moved`.
pub(super) fn exits(f: &Function, tree: &RegionTree, construct: Inst, region: Region, moved: Inst) -> (Vec<Inst>, Vec<Inst>) {
    let end = tree.end_of(f, moved);
    let after = |e: &Inst| tree.number(*e) >= end && tree.region(*e).is_some_and(|r| tree.contains(region, r));
    let (rest, first): (Vec<Inst>, Vec<Inst>) = Exits::of(f).leave[construct].iter().partition(|e| after(e));
    (first, rest)
}

/// The values of what is before instruction `at` of `region` that what is after it uses, or (of a loop) what is in it.
pub(super) fn carried(types: &TypeTable, f: &Function, region: Region, at: usize) -> Result<Carried, &'static str> {
    let insts = &f.regions[region].insts;
    let mut own: EntitySet<Value> = EntitySet::with_capacity(f.values.len());
    insts[..at].iter().flat_map(|&i| f.results(i)).chain(&f.regions[region].params).for_each(|&v| _ = own.insert(v));
    let mut used = Vec::new();
    for r in f.regions_of(insts[at]) {
        f.for_each_inst(r, |_, i| used.push(i));
    }
    for &i in &insts[at + 1..] {
        used.push(i);
        for r in f.regions_of(i) {
            f.for_each_inst(r, |_, j| used.push(j));
        }
    }
    let mut out = Carried::default();
    let mut seen: EntitySet<Value> = EntitySet::new();
    for i in used {
        for v in f.operands(i) {
            if own.contains(v) && seen.insert(v) {
                carry(types, f, &own, &mut seen, v, &mut out)?;
            }
        }
    }
    Ok(out)
}

fn carry(
    types: &TypeTable,
    f: &Function,
    own: &EntitySet<Value>,
    seen: &mut EntitySet<Value>,
    v: Value,
    out: &mut Carried,
) -> Result<(), &'static str> {
    if let Some(i) = f.def_inst(v).filter(|_| is_fixed(f, v)) {
        for o in f.operands(i) {
            if own.contains(o) && seen.insert(o) {
                carry(types, f, own, seen, o, out)?;
            }
        }
        out.again.push(i);
        return Ok(());
    }
    match types.kind(f.ty(v)) {
        TypeKind::Scalar(_) | TypeKind::Vector(..) | TypeKind::HitObject => out.values.push(v),
        TypeKind::Resource(_) => {
            let ValueDef::Result(i, _) = f.values[v].def else { return Err("control flow selects a resource that is used after it") };
            if !makes_handle(f, i) {
                return Err("control flow selects a resource that is used after it");
            }
            for index in f.operands(i) {
                if own.contains(index) && seen.insert(index) {
                    carry(types, f, own, seen, index, out)?;
                }
            }
            out.again.push(i);
        }
        TypeKind::RayQuery(..) => return Err("a ray query that is begun before it is used after it"),
        _ => return Err("a value that is computed before it, and used after it, cannot be carried along"),
    }
    Ok(())
}
