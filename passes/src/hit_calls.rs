//! Calls about one hit object: a traversal, the reorder of what it found, its invocation. In this order and one right after the other they are *back to
//! back*, and a device takes them as one reorder point (DXR specification, `HitObject::Invoke`, back-to-back). What that means is said here alone: the
//! warnings find calls that should be back to back, the motion makes them so, and the fusion makes one instruction of two.

use rtc_ir::{Function, Inst, InstData, Opcode, Value};
use smallvec::SmallVec;

/// The hit object that a call makes or takes.
pub fn hit_object(f: &Function, i: Inst) -> Option<Value> {
    match f.insts[i] {
        InstData::Slot { op: Opcode::hit_trace, .. } => Some(f.result(i)),
        InstData::Slot { op: Opcode::hit_invoke, args, .. } | InstData::Many { op: Opcode::reorder, args, .. } => {
            f.get(args).first().copied()
        }
        _ => None,
    }
}

/// Whether it is such a call.
pub fn is_hit_call(f: &Function, i: Inst) -> bool {
    matches!(f.op(i), Opcode::hit_trace | Opcode::reorder | Opcode::hit_invoke)
}

/// Whether a call of the second kind may continue one of the first.
pub fn may_follow(first: Opcode, second: Opcode) -> bool {
    matches!((first, second), (Opcode::hit_trace, Opcode::reorder | Opcode::hit_invoke) | (Opcode::reorder, Opcode::hit_invoke))
}

/// Whether `second`, right after `first`, is its continuation: a reorder or an invocation of the same hit object.
pub fn continues(f: &Function, first: Inst, second: Inst) -> bool {
    may_follow(f.op(first), f.op(second)) && hit_object(f, first) == hit_object(f, second)
}

/// The calls that `insts` begins with, by position: the first instruction, what continues it, and what continues that. Instructions that `may_be_between`
/// allows do not separate them; `same` says whether two calls are about one hit object.
pub fn chain(
    f: &Function,
    insts: &[Inst],
    may_be_between: impl Fn(Inst) -> bool,
    same: impl Fn(Inst, Inst) -> bool,
) -> SmallVec<[usize; 3]> {
    let mut out: SmallVec<[usize; 3]> = SmallVec::new();
    for (n, &i) in insts.iter().enumerate() {
        match out.last().map(|&last| insts[last]) {
            None if !is_hit_call(f, i) => break,
            Some(_) if may_be_between(i) => {}
            Some(last) if !(may_follow(f.op(last), f.op(i)) && same(last, i)) => break,
            _ => out.push(n),
        }
    }
    out
}
