//! `fuse_hit_objects`: fuses a traversal and the invocation of the hit object that it gives into one `trace_ray`.
//!
//! `hit_trace p`, immediately followed by `hit_invoke p` of what it found, means what `trace_ray p` means (DXR specification, shader
//! execution reordering: the two forms are functionally equivalent), and costs much less where hit objects are lowered. The pair is
//! fused if nothing distinguishes it from the plain trace:
//!
//! * Both name one payload variable, and are adjacent after [`adjacent`] has moved what may move. What stays between keeps them apart:
//!   an access to the payload, an effect that shaders of the ray or of the hit could observe, a branch, another reorder point.
//! * Nothing else uses the hit object, but for questions that the arguments of the trace answer: its flags, its ray, whether it is a nop.
//! * The flags are known not to skip closest-hit shaders: a hit object of such a trace can be invoked all the same.
//!
//! A `reorder` between the two stays, and keeps them apart; [`crate::drop_reorders`] removes those that mean nothing. Payloads of one
//! structure that the source passes to both become one variable in [`crate::share_payloads`].

use rtc_ir::{Function, Inst, InstData, Module, Opcode, SlotRole, Value};
use rtc_tables::ray_flags::SKIP_CLOSEST_HIT;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hit_calls::continues;
use crate::ranges::Ranges;
use crate::reorder_motion::adjacent;
use crate::util::{Rename, all_regions, each_function};
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

fn function(m: &mut Module, f: &mut Function) -> bool {
    if candidates(f).is_empty() {
        return false;
    }
    let moved = adjacent::function(m, f);
    let ranges = Ranges::of(&m.types, f);
    let mut pairs = candidates(f);
    pairs.retain(|_, pair| {
        let flags = f.get(pair.args)[1];
        ranges.at(flags, pair.trace).zeros & SKIP_CLOSEST_HIT != 0
    });
    fuse(f, &pairs) || moved
}

/// A traversal whose hit object is invoked once, and has no other use that only the hit answers.
struct Pair {
    trace: Inst,
    args: rtc_ir::ValueList,
    invoke: Option<Inst>,
    /// What asks for something that the arguments say.
    questions: Vec<Inst>,
}

/// The traversals that may be fused, by hit object.
fn candidates(f: &Function) -> FxHashMap<Value, Pair> {
    let mut pairs: FxHashMap<Value, Pair> = FxHashMap::default();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Slot { op: Opcode::hit_trace, slot, args } = f.insts[i]
            && f.slots[slot].role == SlotRole::PayloadOut
        {
            pairs.insert(f.result(i), Pair { trace: i, args, invoke: None, questions: Vec::new() });
        }
    });
    if pairs.is_empty() {
        return pairs;
    }
    let mut other: FxHashSet<Value> = FxHashSet::default();
    f.for_each_inst(f.body, |_, i| {
        f.for_each_operand(i, |v| {
            let Some(pair) = pairs.get_mut(&v) else { return };
            match f.op(i) {
                Opcode::hit_invoke if pair.invoke.is_none() => pair.invoke = Some(i),
                op if argument_of(op).is_some() => pair.questions.push(i),
                _ => _ = other.insert(v),
            }
        });
    });
    pairs.retain(|v, pair| pair.invoke.is_some() && !other.contains(v));
    pairs
}

/// What a question to the hit object of a trace gives without looking at what was hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// This operand of the trace.
    Operand(usize),
    /// No: it is no nop.
    No,
}

/// The answer to `op`, if the trace itself knows it.
pub(crate) fn argument_of(op: Opcode) -> Option<Answer> {
    match op {
        Opcode::hit_get_ray_flags => Some(Answer::Operand(1)),
        Opcode::hit_get_world_ray_origin => Some(Answer::Operand(6)),
        Opcode::hit_get_ray_tmin => Some(Answer::Operand(7)),
        Opcode::hit_get_world_ray_direction => Some(Answer::Operand(8)),
        Opcode::hit_is_nop => Some(Answer::No),
        _ => None,
    }
}

/// Gives the results of `questions` the values that the operands `args` of their trace say.
pub(crate) fn answer(f: &mut Function, questions: &[Inst], args: &[Value], rename: &mut Rename) {
    for &q in questions {
        let answer = match argument_of(f.op(q)) {
            Some(Answer::Operand(n)) => args[n],
            Some(Answer::No) => f.const_bool(false),
            None => continue,
        };
        rename.set(f.result(q), answer);
    }
}

/// Fuses those of `pairs` that are adjacent.
fn fuse(f: &mut Function, pairs: &FxHashMap<Value, Pair>) -> bool {
    let mut gone: FxHashSet<Inst> = FxHashSet::default();
    let mut rename = Rename::new();
    for r in all_regions(f) {
        let mut list = std::mem::take(&mut f.regions[r].insts);
        for n in 1..list.len() {
            let (trace, invoke) = (list[n - 1], list[n]);
            let (InstData::Slot { op: Opcode::hit_trace, slot, args }, InstData::Slot { op: Opcode::hit_invoke, slot: other, .. }) =
                (f.insts[trace], f.insts[invoke])
            else {
                continue;
            };
            let Some(pair) = pairs.get(&f.result(trace)) else { continue };
            if !continues(f, trace, invoke) || slot != other {
                continue;
            }
            let span = f.spans[trace];
            list[n - 1] = f.make(InstData::Slot { op: Opcode::trace_ray, slot, args }, &[], span);
            f.inherit_own(list[n - 1], trace);
            gone.insert(invoke);
            gone.extend(&pair.questions);
            let args = f.get(args).to_vec();
            answer(f, &pair.questions, &args, &mut rename);
        }
        f.regions[r].insts = list;
    }
    if gone.is_empty() {
        return false;
    }
    for r in all_regions(f) {
        f.regions[r].insts.retain(|i| !gone.contains(i));
    }
    rename.apply(f);
    true
}
