//! Back-to-back calls: `TraceRay`, `MaybeReorderThread` and `Invoke` of one hit object, one right after the other.
//!
//! A device takes such a group as one reorder point (DXR specification, `HitObject::Invoke`, back-to-back). An instruction between
//! two of them separates them, unless it has no effect: then it can be moved out from between.

use rtc_ir::analysis::RegionTree;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Region, Root, SlotRole, Value, effects};

use crate::hit_calls::{hit_object, may_follow};
use crate::util::all_regions;

/// Calls that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The points, in order: at least two.
    pub points: Vec<Inst>,
    /// What separates them: instructions with effects between them, or the control instruction that contains one and not
    /// another. None: they are back to back, as soon as the pure code between them is moved out.
    pub between: Vec<Inst>,
    /// How many instructions without effect are between them.
    pub pure: u32,
}

/// The groups of `f`, which calls no functions, in the order of their last points.
pub fn groups(m: &Module, f: &Function) -> Vec<Group> {
    let mut out = Vec::new();
    let tree = RegionTree::of(f);
    for r in all_regions(f) {
        // From the back, so that an invoke comes before what it may belong to.
        let insts = &f.regions[r].insts;
        let mut end = insts.len();
        while end > 0 {
            end -= 1;
            let i = insts[end];
            let Some(hit) = hit_of(f, i) else { continue };
            let is_last = f.op(i) == Opcode::hit_invoke || f.op(i) == Opcode::reorder;
            if is_last && let Some(g) = group(m, f, r, end, hit) {
                let first = g.points[0];
                // What is in this group starts no other.
                while end > 0 && insts[end] != first && insts.contains(&first) {
                    end -= 1;
                }
                out.push(g);
            } else if f.op(i) == Opcode::hit_invoke
                && let Some(g) = apart(f, r, i, hit, &tree)
            {
                out.push(g);
            }
        }
    }
    out.sort_by_key(|g| g.points.last().map(|&i| tree.number(i)));
    out
}

/// The hit object that a point is about, before changes of its record.
fn hit_of(f: &Function, i: Inst) -> Option<Value> {
    hit_object(f, i).map(|hit| traced(f, hit))
}

fn traced(f: &Function, hit: Value) -> Value {
    f.def_inst(hit).map_or(hit, |d| f.results(made(f, d)).first().copied().unwrap_or(hit))
}

/// What made the hit object that `d` gives, before its record was changed.
pub(super) fn made(f: &Function, mut d: Inst) -> Inst {
    while let InstData::Many { op: Opcode::hit_set_shader_table_index, args, .. } = f.insts[d]
        && let Some(&of) = f.get(args).first()
        && let Some(before) = f.def_inst(of)
    {
        d = before;
    }
    d
}

/// The group that ends with the point at `last`.
fn group(m: &Module, f: &Function, r: Region, last: usize, hit: Value) -> Option<Group> {
    let insts = &f.regions[r].insts;
    let mut g = Group { points: vec![insts[last]], between: Vec::new(), pure: 0 };
    let (mut between, mut pure) = (Vec::new(), 0);
    for &i in insts[..last].iter().rev() {
        let before = *g.points.last()?;
        match f.op(i) {
            op if may_follow(op, f.op(before)) && hit_of(f, i) == Some(hit) => g.points.push(i),
            _ => {
                let e = effects::of_inst_deep(m, f, i);
                if e.contains(Effects::REORDERS) {
                    break;
                }
                match e.is_pure() || passes_payload(f, i) {
                    true => pure += 1,
                    false => obstacles(m, f, i, &mut between),
                }
                continue;
            }
        }
        g.between.append(&mut between);
        g.pure += std::mem::take(&mut pure);
        if f.op(i) == Opcode::hit_trace {
            break;
        }
    }
    g.points.reverse();
    g.between.reverse();
    (g.points.len() > 1).then_some(g)
}

/// The instructions in `i` that have effects, the last first; `i` itself if it is none that owns others.
fn obstacles(m: &Module, f: &Function, i: Inst, out: &mut Vec<Inst>) {
    let before = out.len();
    for r in f.regions_of(i) {
        f.for_each_inst(r, |_, i| {
            let inner = effects::of_inst(m, f, i) - Effects::TERMINATES;
            if !inner.is_pure() && !passes_payload(f, i) {
                out.push(i);
            }
        });
    }
    out[before..].reverse();
    if out.len() == before {
        out.push(i);
    }
}

/// Copies to and from what the points hand to shaders are part of calling them.
fn passes_payload(f: &Function, i: Inst) -> bool {
    match f.insts[i] {
        InstData::Access { place, .. } => match f.places[place].root {
            Root::Slot(s) => f.slots[s].role == SlotRole::PayloadOut,
            Root::Local(_) => true,
            Root::Global(_) => false,
        },
        InstData::Copy { .. } => true,
        InstData::Slot { op: Opcode::hit_attributes, .. } => true,
        _ => false,
    }
}

/// Invoke `i` and the trace of its hit object, if control flow keeps them apart.
fn apart(f: &Function, r: Region, i: Inst, hit: Value, tree: &RegionTree) -> Option<Group> {
    let trace = f.def_inst(hit).filter(|&d| f.op(d) == Opcode::hit_trace)?;
    if tree.region(trace) == Some(r) {
        return None; // another point is between
    }
    let owner = f.regions[r].owner?;
    Some(Group { points: vec![trace, i], between: vec![owner], pure: 0 })
}
