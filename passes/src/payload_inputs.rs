//! `payload_inputs`: what a trace does not take from its caller is undefined before it.
//!
//! The source gives a trace a whole structure, and each field is stored into the payload variable before it. Payload access qualifiers say which fields the
//! trace takes (DXR, payload access qualifiers): what is stored into the others is never read, and after the trace they hold what its shaders wrote. So
//! these stores store `undef`, and what they stored need not be kept up to the trace. In a loop that is often all that the trace before gave back.
//!
//! A field that the trace neither takes nor gives back keeps the caller's value in the payload variable, so it stays.

use rtc_ir::{Function, Inst, InstData, Module, Opcode, PaqStage, Root, Slot, SlotRole, Step, Struct, TypeKind};
use rtc_tables::payload_access::trace_boundary;
use rustc_hash::FxHashMap;

use crate::payload_layout::{ShaderFacts, crosses, qualified_paths};
use crate::util::{all_regions, each_function};
use crate::{Changed, PassCtx, PassError};

/// The way to a field from the payload.
type Path = Vec<Step>;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, |m, f| function(m, f)))
}

fn function(m: &Module, f: &mut Function) -> bool {
    let mut known: FxHashMap<(Struct, Opcode), Vec<Path>> = FxHashMap::default();
    let mut changed = false;
    for r in all_regions(f) {
        for n in 0..f.regions[r].insts.len() {
            let InstData::Slot { op, slot, .. } = f.insts[f.regions[r].insts[n]] else { continue };
            let TypeKind::Struct(s) = m.types.kind(f.slots[slot].ty) else { continue };
            let traces = matches!(op, Opcode::trace_ray | Opcode::hit_trace | Opcode::hit_invoke);
            if !traces || f.slots[slot].role != SlotRole::PayloadOut {
                continue;
            }
            let fields = known.entry((s, op)).or_insert_with(|| not_taken(m, s, op));
            if !fields.is_empty() {
                let before: Vec<Inst> = f.regions[r].insts[..n].to_vec();
                changed |= undefine(f, slot, fields, &before);
            }
        }
    }
    changed
}

/// The fields of a payload that a trace does not take from its caller, and gives back.
fn not_taken(m: &Module, s: Struct, op: Opcode) -> Vec<Path> {
    let (boundary, caller) = (trace_boundary(op), PaqStage::Caller.bit());
    let fields = qualified_paths(m, s).into_iter().filter(|(_, q)| {
        let alive = ShaderFacts::default().alive(*q);
        let taken = q.write & boundary.writers != 0 && crosses(alive, caller, true);
        let given = q.read & boundary.readers != 0 && crosses(alive, caller, false);
        given && !taken
    });
    fields.map(|(path, _)| path.into_iter().map(Step::At).collect()).collect()
}

/// Makes the last stores to these fields of `slot`, of those `before` a trace in its region, stores of `undef`. Whether there were any.
fn undefine(f: &mut Function, slot: Slot, fields: &[Path], before: &[Inst]) -> bool {
    let mut changed = false;
    for &i in before.iter().rev() {
        let root = |p| f.places[p].root == Root::Slot(slot);
        match f.insts[i] {
            InstData::Access { op: Opcode::store, place, args, .. } => {
                let of_field = fields.iter().any(|path| f.places[place].steps.starts_with(path));
                let Some(&v) = f.get(args).last().filter(|&&v| root(place) && of_field && !f.is_undef(v)) else { continue };
                let (undefined, count) = (f.undef(f.ty(v)), f.get(args).len());
                let mut at = 0;
                f.map_operands(i, |old| {
                    at += 1;
                    if at == count { undefined } else { old }
                });
                changed = true;
            }
            InstData::Slot { slot: other, .. } if other != slot => {}
            InstData::Slot { .. } | InstData::Call { .. } => break,
            _ if f.owns_regions(i) => break,
            _ => {
                let mut touched = false;
                f.for_each_place(i, |p| touched |= root(p));
                if touched {
                    break;
                }
            }
        }
    }
    changed
}
