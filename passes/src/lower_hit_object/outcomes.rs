//! `lower_outcomes`: traversals whose hit objects are queried only for hit or miss become plain traces that run no closest-hit shader, with a
//! generated miss shader.
//!
//! The payload says `hit` before the trace, and the miss shader says `miss`. So hit groups keep their closest-hit shaders, other
//! traces stay what they are, and no recorder is needed: a shadow ray costs what it costs with `TraceRay`. The generated shader is
//! the first of the miss table ([`rtc_tables::hit_lowering::MISSED`]), and every other trace names the row after its own.
//!
//! Where hit objects are lowered, that holds for a whole library or not at all, because a recorder takes the place of every closest-hit
//! shader. A device with hit objects needs no recorders: there `plain_outcomes` does the same to those traversals for which it holds, and
//! only the rows of miss shaders change for the others. It needs that
//!
//! * no hit object of such a traversal is queried for more than its state and its ray; and in the library, where hit objects are lowered, that none is
//!   invoked and no record of one is read, and elsewhere that none asks for or says the number of its record;
//! * no any-hit or intersection shader asks for flags, to which the trace adds one;
//! * at most one payload type of those traversals that are not opaque has any-hit shaders. Then payloads of that type, in all shaders, are the second
//!   field of a structure with the state; otherwise the state is all that these traces carry.

use rtc_base::Span;
use rtc_ir::{
    Builder, Field, Function, Inst, InstData, Module, Opcode, Region, Root, Slot, SlotRole, Stage, Step, StructData, Type, Value, ValueDef,
};
use rtc_tables::hit_lowering as tables;
use rtc_tables::ray_flags::{FORCE_OPAQUE, SKIP_CLOSEST_HIT};
use rustc_hash::FxHashSet;

use super::layout::{HIT, MISS};
use crate::fuse_hit_objects::{answer, argument_of};
use crate::util::{Rename, all_regions, each_function};
use crate::{Changed, PassCtx, PassError};

/// The field with the state.
const STATE: Step = Step::At(0);
/// The field with the payload of any-hit shaders.
const PAYLOAD: Step = Step::At(1);

/// Runs the pass where hit objects are lowered.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(lower(m, Device::Without))
}

/// Runs the pass `plain_outcomes`, where the device has hit objects.
pub(crate) fn run_with_objects(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(lower(m, Device::WithObjects))
}

/// Whether a device has hit objects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Device {
    Without,
    WithObjects,
}

fn lower(m: &mut Module, device: Device) -> Changed {
    let Some(plan) = plan(m, device) else { return Changed::No };
    let ty = outcome(m, plan.shared);
    each_function(m, |m, f| {
        function(m, f, ty, plan.shared);
        true
    });
    let missed = missed(m, ty);
    m.funcs.push(missed);
    Changed::Yes
}

/// How a module is lowered.
struct Plan {
    /// The payload type that any-hit shaders of these traversals have.
    shared: Option<Type>,
}

/// `None` if the module has no such traversals, or they cannot be lowered.
fn plan(m: &Module, device: Device) -> Option<Plan> {
    let (mut payloads, mut of_any_hit): (Vec<Type>, Vec<Type>) = (Vec::new(), Vec::new());
    let (mut any, mut refused, mut asks_flags, mut adds_flag) = (false, false, false, false);
    for f in m.funcs.values() {
        let alone = alone(f);
        f.for_each_inst(f.body, |_, i| {
            match f.insts[i] {
                InstData::Slot { op: Opcode::hit_trace, slot, args } if alone.contains(&i) => {
                    let flags = f.as_const(f.get(args)[1]).map_or(0, |n| n as u32);
                    any = true;
                    adds_flag |= flags & SKIP_CLOSEST_HIT == 0;
                    if flags & FORCE_OPAQUE == 0 {
                        payloads.push(f.slots[slot].ty);
                    }
                }
                InstData::Call { func, .. } => refused |= m.funcs[func].inline.as_ref().is_some_and(|i| i.runs_shaders()),
                _ => {}
            }
            let op = f.op(i);
            asks_flags |= op == Opcode::ray_flags && !matches!(f.stage, Stage::RayGeneration | Stage::ClosestHit | Stage::Miss);
            refused |= match device {
                Device::Without => {
                    let traced = op == Opcode::hit_trace && !alone.contains(&i);
                    traced || matches!(op, Opcode::hit_invoke | Opcode::hit_load_root_constant)
                }
                // The number of a miss shader's record would be that of another row.
                Device::WithObjects => matches!(op, Opcode::hit_get_shader_table_index | Opcode::hit_set_shader_table_index),
            };
        });
        let any_hit = f.slots.values().filter(|s| s.role == SlotRole::PayloadIn && f.stage == Stage::AnyHit);
        of_any_hit.extend(any_hit.map(|s| s.ty));
    }
    let mut shared: Vec<Type> = payloads.iter().copied().filter(|t| of_any_hit.contains(t)).collect();
    shared.dedup();
    let none = !any || refused || asks_flags && adds_flag || shared.iter().any(|t| *t != shared[0]);
    (!none).then(|| Plan { shared: shared.first().copied() })
}

/// The traversals of a function whose hit objects are queried for their state and their ray, and used for nothing else.
fn alone(f: &Function) -> FxHashSet<Inst> {
    let (mut found, mut other) = (FxHashSet::default(), FxHashSet::default());
    f.for_each_inst(f.body, |_, i| {
        let op = f.op(i);
        if op == Opcode::hit_trace {
            found.insert(i);
        }
        if state_question(op).is_none() && argument_of(op).is_none() {
            other.extend(f.operands(i).iter().filter_map(|&v| traversal(f, v)));
        }
    });
    found.retain(|i| !other.contains(i));
    found
}

/// The traversal that gave the hit object `v`.
fn traversal(f: &Function, v: Value) -> Option<Inst> {
    match f.values[v].def {
        ValueDef::Result(i, _) if f.op(i) == Opcode::hit_trace => Some(i),
        _ => None,
    }
}

/// Whether `op` asks for a miss (true) or a hit.
fn state_question(op: Opcode) -> Option<bool> {
    match op {
        Opcode::hit_is_miss => Some(true),
        Opcode::hit_is_hit => Some(false),
        _ => None,
    }
}

/// The payload of these traces.
fn outcome(m: &mut Module, shared: Option<Type>) -> Type {
    let field =
        |name: &str, ty| Field { name: name.into(), ty, paq: None, offset: None, numbers: None, hlsl: String::new(), precise: false };
    let mut fields = vec![field("state", Type::I32)];
    fields.extend(shared.map(|t| field("payload", t)));
    let s = m.structs.push(StructData { name: "rtc.outcome".into(), fields, base: None, raypayload: false });
    m.types.struct_(s)
}

/// The miss shader.
fn missed(m: &mut Module, ty: Type) -> Function {
    let mut f = Function::new(tables::MISSED, Stage::Miss);
    let payload = f.add_slot(SlotRole::PayloadIn, ty, "outcome");
    let body = f.body;
    let mut b = Builder::at(&mut m.types, &mut f, body);
    let miss = b.func.const_i32(MISS);
    b.store(Root::Slot(payload), &[STATE], &[], miss);
    b.exit(Opcode::return_, &[]);
    f
}

fn function(m: &mut Module, f: &mut Function, ty: Type, shared: Option<Type>) {
    widen(f, ty, shared);
    let alone = alone(f);
    let questions = questions(f, &alone);
    let mut rename = Rename::new();
    let mut new = None;
    for r in all_regions(f) {
        for i in std::mem::take(&mut f.regions[r].insts) {
            match f.insts[i] {
                InstData::Slot { op, slot, args } if op == Opcode::trace_ray || op == Opcode::hit_trace && !alone.contains(&i) => {
                    let mut args = f.get(args).to_vec();
                    args[5] = row_after(m, f, r, f.spans[i], args[5]);
                    let args = f.list(&args);
                    f.insts[i] = InstData::Slot { op, slot, args };
                    f.regions[r].insts.push(i);
                }
                InstData::Many { op: Opcode::hit_make_miss, imm, args } => {
                    let mut args = f.get(args).to_vec();
                    args[1] = row_after(m, f, r, f.spans[i], args[1]);
                    let args = f.list(&args);
                    f.insts[i] = InstData::Many { op: Opcode::hit_make_miss, imm, args };
                    f.regions[r].insts.push(i);
                }
                InstData::Slot { op: Opcode::hit_trace, slot, args } => {
                    let args = f.get(args).to_vec();
                    let slot = if f.slots[slot].ty == ty {
                        slot
                    } else {
                        *new.get_or_insert_with(|| f.add_slot(SlotRole::PayloadOut, ty, "outcome"))
                    };
                    let is_miss = trace(m, f, r, i, slot, &args);
                    let own: Vec<Inst> = questions.iter().copied().filter(|&q| f.operands(q).contains(&f.result(i))).collect();
                    answer(f, &own, &args, &mut rename);
                    for q in own {
                        match state_question(f.op(q)) {
                            Some(true) => rename.set(f.result(q), is_miss.0),
                            Some(false) => rename.set(f.result(q), is_miss.1),
                            None => {}
                        }
                    }
                }
                _ if questions.contains(&i) => {}
                _ => f.regions[r].insts.push(i),
            }
        }
    }
    rename.apply(f);
}

/// Payloads of the type `shared` become the second field of `ty`.
fn widen(f: &mut Function, ty: Type, shared: Option<Type>) {
    let payload = |s: &rtc_ir::SlotData| matches!(s.role, SlotRole::PayloadIn | SlotRole::PayloadOut) && Some(s.ty) == shared;
    let wide: Vec<Slot> = f.slots.iter().filter(|(_, s)| payload(s)).map(|(id, _)| id).collect();
    for &s in &wide {
        f.slots[s].ty = ty;
    }
    f.map_places(|_, place| {
        if matches!(place.root, Root::Slot(s) if wide.contains(&s)) {
            place.steps.insert(0, PAYLOAD);
        }
    });
}

/// What asks for something of hit objects of these traversals.
fn questions(f: &Function, alone: &FxHashSet<Inst>) -> Vec<Inst> {
    let mut found = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if f.operands(i).iter().any(|&v| traversal(f, v).is_some_and(|t| alone.contains(&t))) {
            found.push(i);
        }
    });
    found
}

/// The row of the miss table after row `row`, of which a trace takes 16 bits.
fn row_after(m: &mut Module, f: &mut Function, r: Region, span: Span, row: Value) -> Value {
    let mut b = Builder::at(&mut m.types, f, r);
    b.span = span;
    let (mask, one) = (b.func.const_u32(0xffff), b.func.const_u32(1));
    let row = b.binary(Opcode::and, row, mask);
    b.binary(Opcode::iadd, row, one)
}

/// Traces with the operands of traversal `i`. Whether the ray missed, and whether it hit.
fn trace(m: &mut Module, f: &mut Function, r: Region, i: Inst, slot: Slot, args: &[Value]) -> (Value, Value) {
    let mut b = Builder::at(&mut m.types, f, r);
    b.span = b.func.spans[i];
    let root = Root::Slot(slot);
    let (hit, miss) = (b.func.const_i32(HIT), b.func.const_i32(MISS));
    b.store(root, &[STATE], &[], hit);
    let mut all = args.to_vec();
    let skip = b.func.const_u32(SKIP_CLOSEST_HIT);
    all[1] = b.binary(Opcode::or, args[1], skip);
    all[5] = b.func.const_u32(tables::MISSED_ROW);
    b.slot(Opcode::trace_ray, slot, &all);
    let state = b.load(root, &[STATE], &[], Type::I32);
    (b.binary(Opcode::ieq, state, miss), b.binary(Opcode::ieq, state, hit))
}
