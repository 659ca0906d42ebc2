//! Hoisting of reductions above reorder points, to shrink the live state.
//!
//! An instruction after a point that is the only user of its operands there, and whose result is fewer bytes than they are, is
//! hoisted to right after the last of their definitions: a comparison of two numbers, the dot product of two vectors, a conversion
//! to half the width. One at a time; the next iteration finds what has become possible.

use rtc_base::EntitySet;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Value, effects};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::layout::{Anchor, Layout};
use crate::Changed;
use crate::reorder::LiveState;
use crate::util::all_insts;

/// How many instructions go up in one iteration.
const MAX: usize = 256;

pub(super) fn function(m: &Module, f: &mut Function, states: &[LiveState]) -> Changed {
    // The fewest bytes of each value that are carried across a point.
    let mut carried: FxHashMap<Value, u32> = FxHashMap::default();
    // Whose users have to be known.
    let mut known: EntitySet<Value> = EntitySet::with_capacity(f.values.len());
    for v in states.iter().flat_map(|s| &s.values) {
        let least = carried.entry(v.value).or_insert(u32::MAX);
        *least = v.bytes.min(*least);
        known.insert(v.value);
    }
    let insts = all_insts(f);
    let mut candidates: Vec<(usize, Inst)> = Vec::new();
    for (number, &i) in insts.iter().enumerate() {
        let mut any = false;
        f.for_each_operand(i, |v| any |= known.contains(v));
        if any && may_rise(m, f, i) {
            candidates.push((number, i));
            known.insert(f.result(i));
        }
    }
    if candidates.is_empty() {
        return Changed::No;
    }
    let mut layout = Layout::of(f);
    let mut users: FxHashMap<Value, SmallVec<[Inst; 4]>> = FxHashMap::default();
    for &i in &insts {
        f.for_each_operand(i, |v| {
            if known.contains(v) {
                let list = users.entry(v).or_default();
                if list.last() != Some(&i) {
                    list.push(i);
                }
            }
        });
    }
    let mut gone: EntitySet<Inst> = EntitySet::new();
    let mut touched: FxHashSet<Value> = FxHashSet::default();
    let mut count = 0;
    for (number, i) in candidates {
        if count == MAX {
            break;
        }
        let operands = f.operands(i);
        let mut to: Option<Anchor> = None;
        let mut freed = 0;
        let mut seen: SmallVec<[Value; 4]> = SmallVec::new();
        for &o in &operands {
            let Some(def) = layout.definition(f, o) else { continue };
            if seen.contains(&o) {
                continue;
            }
            seen.push(o);
            if to.is_none_or(|t| layout.is_later(f, def, t)) {
                to = Some(def);
            }
            let crosses = |u: &Inst| layout.anchor(f, def, *u).is_some();
            let alone = |all: &SmallVec<[Inst; 4]>| all.iter().all(|u| *u == i || !crosses(u));
            if carried.contains_key(&o) && crosses(&i) && users.get(&o).is_some_and(alone) {
                freed += carried.get(&o).copied().unwrap_or(0);
            }
        }
        let Some(to) = to else { continue };
        // Operands that are about to move are looked at in the next iteration.
        if seen.iter().any(|o| touched.contains(o)) || layout.anchor(f, to, i).is_none() {
            continue;
        }
        let result = f.result(i);
        let Some((s, n)) = m.types.numeric(f.ty(result)) else { continue };
        if s.bytes() * n >= freed || is_speculation(f, i) && !layout.is_same_region(to, i) {
            continue;
        }
        gone.insert(i);
        count += 1;
        let data = f.insts[i];
        let (ty, span) = (f.ty(result), f.spans[i]);
        let new = f.make(data, &[ty], span);
        f.inherit_own(new, i);
        let moved = f.result(new);
        let all = users.remove(&result).unwrap_or_default();
        for &u in &all {
            f.map_operands(u, |v| if v == result { moved } else { v });
        }
        users.insert(moved, all);
        touched.insert(moved);
        layout.put(to, number as u32, new);
    }
    if count == 0 {
        return Changed::No;
    }
    layout.apply(f, &gone);
    Changed::Yes
}

fn may_rise(m: &Module, f: &Function, i: Inst) -> bool {
    !f.owns_regions(i)
        && f.results(i).len() == 1
        && effects::of_inst(m, f, i).is_pure()
        && !f.op(i).effects().contains(Effects::READS_PLACEMENT)
        && matches!(f.insts[i], InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. } | InstData::Many { .. })
}

/// Whether it may be undefined where the source does not compute it, or is dear.
fn is_speculation(f: &Function, i: Inst) -> bool {
    use Opcode as O;
    matches!(f.op(i), O::sdiv | O::udiv | O::srem | O::urem | O::extract_dyn | O::insert_dyn) || crate::reorder::remat::weight(f.op(i)) > 4
}
