//! Two traces, one in each arm of an `if`, become one after it.
//!
//! ```text
//!  r = if c {                     x, a, b = if c { A; yield x1, a, undef } else { C; yield x2, undef, b }
//!    A; trace x1; B; yield u   →  trace x
//!  } else {                       r = if c { B; yield u } else { D; yield v }
//!    C; trace x2; D; yield v
//!  }
//! ```
//!
//! All lanes that come to the `if` trace, so none is idle. Neither arm may be left for what follows the `if` before its trace; exits to further out are, as their lanes are
//! gone. The traces need payloads of one type, for which there is a variable of its own if they have two.

use rtc_ir::analysis::RegionTree;
use rtc_ir::{Function, Inst, InstData, Opcode, Region, Root, SlotRole, Type, TypeTable, Value};
use rustc_hash::FxHashMap;

use super::idle::{makes_handle, set_operands};
use super::lift::{Carried, carried, exits, rename_in, retarget};
use crate::util::copy;

/// An arm with a trace.
struct Arm {
    trace: Inst,
    region: Region,
    at: usize,
    carried: Carried,
    args: Vec<Value>,
    rest: Vec<Inst>,
}

/// The trace in the other arm of the `if` that `trace` is in an arm of, if there is one among `candidates` that may become one with it.
pub(super) fn partner(f: &Function, tree: &RegionTree, trace: Inst, candidates: &[Inst]) -> Option<Inst> {
    let region = tree.region(trace)?;
    let plain = |i: Inst| f.op(i) == Opcode::trace_ray;
    let InstData::If { then_, else_, .. } = f.insts[f.regions[region].owner?] else { return None };
    let other = if then_ == region { else_ } else { then_ };
    f.regions[other].insts.iter().copied().find(|i| candidates.contains(i)).filter(|&i| plain(i) && plain(trace))
}

/// Makes `trace` and its `partner` one trace, which is `trace`, after the `if`.
///
/// # Errors
/// Why that cannot be; nothing is changed then.
pub(super) fn merge(types: &mut TypeTable, f: &mut Function, trace: Inst, partner: Inst) -> Result<(), &'static str> {
    const NONE: &str = "it is in no branch";
    let tree = RegionTree::of(f);
    let construct = tree.region(trace).and_then(|r| f.regions[r].owner).ok_or(NONE)?;
    let outer = tree.region(construct).ok_or(NONE)?;
    let InstData::If { cond, then_, else_ } = f.insts[construct] else { return Err(NONE) };
    let arm = |region: Region| -> Result<Arm, &'static str> {
        let of = |i: Inst| f.regions[region].insts.iter().position(|&j| j == i).map(|at| (i, at));
        let (trace, at) = of(trace).or_else(|| of(partner)).ok_or(NONE)?;
        let (first, rest) = exits(f, &tree, construct, region, trace);
        if first.iter().any(|&e| tree.region(e).is_some_and(|r| tree.contains(region, r))) {
            return Err("an arm is left before its trace");
        }
        Ok(Arm { trace, region, at, carried: carried(types, f, region, at)?, args: f.operands(trace).to_vec(), rest })
    };
    let arms = [arm(then_)?, arm(else_)?];
    let [scene, other] = [0, 1].map(|n| f.def_inst(arms[n].args[0]));
    let same = |a: Inst, b: Inst| a == b || f.insts[a] == f.insts[b] && makes_handle(f, a) && f.operands(a).is_empty();
    let scene = scene.zip(other).filter(|&(a, b)| same(a, b)).ok_or("the arms trace in different acceleration structures")?.0;
    let slots = [0, 1].map(|n| match f.insts[arms[n].trace] {
        InstData::Slot { slot, .. } => slot,
        _ => rtc_base::bug!("{} is no trace", arms[n].trace),
    });
    let payload = f.slots[slots[0]].ty;
    if payload != f.slots[slots[1]].ty {
        return Err("the arms have payloads of different types");
    }

    let here = f.regions[outer].insts.iter().position(|&i| i == construct).ok_or(NONE)?;
    let following = f.regions[outer].insts.split_off(here);
    let slot = if slots[0] == slots[1] { slots[0] } else { f.add_slot(SlotRole::PayloadOut, payload, f.slots[slots[0]].name.clone()) };
    let old = f.results(construct).to_vec();
    f.set_results(construct, &[]);
    let count = arms[0].args.len();
    let differ: Vec<usize> = (1..count).filter(|&n| arms[0].args[n] != arms[1].args[n]).collect();
    let mut passed = arms[0].args.clone();
    for &n in &differ {
        passed[n] = f.add_result(construct, f.ty(arms[0].args[n]));
    }
    let kept: Vec<Vec<Value>> = arms.iter().map(|a| a.carried.values.iter().map(|&v| f.add_result(construct, f.ty(v))).collect()).collect();

    let span = f.spans[trace];
    let mut tails = Vec::new();
    for (n, a) in arms.iter().enumerate() {
        let mut tail = f.regions[a.region].insts.split_off(a.at);
        tail.remove(0);
        if slots[n] != slot {
            copy_payload(f, a.region, slot, slots[n], span);
        }
        let mut given: Vec<Value> = differ.iter().map(|&k| a.args[k]).collect();
        for (k, b) in arms.iter().enumerate() {
            for &v in &b.carried.values {
                let ty: Type = f.ty(v);
                given.push(if k == n { v } else { f.undef(ty) });
            }
        }
        let args = f.list(&given);
        f.append(a.region, InstData::Exit { op: Opcode::yield_, imm: 0, target: None.into(), args }, &[], span);
        let work = f.add_region();
        if slots[n] != slot {
            copy_payload(f, work, slots[n], slot, span);
        }
        let again: Vec<Inst> = a.carried.again.iter().map(|&i| copy(f, i)).collect();
        let mut rename: FxHashMap<Value, Value> = a.carried.values.iter().copied().zip(kept[n].iter().copied()).collect();
        rename.extend(a.carried.again.iter().zip(&again).map(|(&i, &new)| (f.result(i), f.result(new))));
        f.regions[work].insts.extend(again);
        f.regions[work].insts.extend(tail);
        retarget(f, &a.rest, work);
        rename_in(f, work, &rename);
        tails.push(work);
    }
    let second = f.make(InstData::If { cond, then_: tails[0], else_: tails[1] }, &[], f.spans[construct]);
    f.set_results(second, &old);

    let mut between = Vec::new();
    if [then_, else_].iter().any(|&r| tree.region(scene) == Some(r)) {
        let again = copy(f, scene);
        passed[0] = f.result(again);
        between.push(again);
    } else {
        passed[0] = f.result(scene);
    }
    set_operands(f, trace, &passed);
    if let InstData::Slot { slot: named, .. } = &mut f.insts[trace] {
        *named = slot;
    }
    let list = &mut f.regions[outer].insts;
    list.push(construct);
    list.extend(between);
    list.extend([trace, second]);
    list.extend(&following[1..]);
    Ok(())
}

/// `to := from` at the end of a region.
fn copy_payload(f: &mut Function, region: Region, to: rtc_ir::Slot, from: rtc_ir::Slot, span: rtc_base::Span) {
    let (to, from) = (f.place(Root::Slot(to), &[]), f.place(Root::Slot(from), &[]));
    f.append(region, InstData::Copy { to, from, args: rtc_ir::ValueList::EMPTY }, &[], span);
}
