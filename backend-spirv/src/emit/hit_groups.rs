//! Groups of back-to-back calls that the EXT extension has one instruction for: trace, reorder and invocation of one hit object, or the latter two. They
//! are found before code is written.

use rtc_ir::{Function, Inst, InstData, Module, Opcode as O, Root, Slot, SlotRole, Type, Value, effects};
use rtc_passes::hit_calls::{chain, hit_object};
use rustc_hash::FxHashMap;

/// A group. It begins with its trace if it has one, else with its reorder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub reorder: Inst,
    /// The slot of the hit object.
    pub hit: Slot,
    pub payload: Slot,
    /// How many instructions there are from the first call to the invocation.
    pub length: usize,
}

/// The groups of `f`, by their first calls. `homes`: the slot that each hit object is stored in right after it is made; `looks`: how often each slot is
/// read.
pub(super) fn find(m: &Module, f: &Function, homes: &FxHashMap<Value, Slot>, looks: &FxHashMap<Slot, u32>) -> FxHashMap<Inst, Group> {
    let mut out = FxHashMap::default();
    let slot = |i: Inst| {
        let hit = hit_object(f, i)?;
        if f.op(i) == O::hit_trace { homes.get(&hit).copied() } else { loaded(f, hit) }
    };
    let between = |i: Inst| slot_of_access(f, i).is_some() || is_independent(m, f, i);
    f.for_each_region(f.body, |r| {
        let insts = &f.regions[r].insts;
        for (n, &first) in insts.iter().enumerate() {
            if !matches!(f.op(first), O::hit_trace | O::reorder) {
                continue;
            }
            let calls = chain(f, &insts[n..], between, |a, b| slot(a).is_some() && slot(a) == slot(b));
            let (reorder, invoke) = match calls[..] {
                [_, reorder, invoke] => (reorder, invoke),
                [reorder, invoke] => (reorder, invoke),
                _ => continue,
            };
            let (reorder, last) = (insts[n + reorder], insts[n + invoke]);
            let (O::reorder, InstData::Slot { op: O::hit_invoke, slot: payload, .. }) = (f.op(reorder), f.insts[last]) else { continue };
            let Some(hit) = slot(reorder) else { continue };
            // No other instruction may read what the instruction for a trace leaves in the variable.
            let alone = match f.insts[first] {
                InstData::Slot { op: O::hit_trace, slot, .. } => slot == payload && looks.get(&hit) == Some(&2),
                _ => true,
            };
            if alone {
                out.insert(first, Group { reorder, hit, payload, length: invoke + 1 });
            }
        }
    });
    out
}

/// The slot that a hit object is loaded from.
fn loaded(f: &Function, hit: Value) -> Option<Slot> {
    slot_of_access(f, f.def_inst(hit)?)
}

/// The slot of a hit object that an instruction loads or stores.
fn slot_of_access(f: &Function, i: Inst) -> Option<Slot> {
    let InstData::Access { place, .. } = f.insts[i] else { return None };
    match f.places[place].root {
        Root::Slot(s) if f.slots[s].role == SlotRole::HitObject => Some(s),
        _ => None,
    }
}

/// Computes something, and from no hit object.
fn is_independent(m: &Module, f: &Function, i: Inst) -> bool {
    let of_hit = || f.operands(i).iter().chain(f.results(i)).any(|&v| f.ty(v) == Type::HIT_OBJECT);
    !f.owns_regions(i) && effects::of_inst(m, f, i).is_pure() && !of_hit()
}
