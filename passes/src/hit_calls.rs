//! Calls about one hit object: a traversal, the reorder of what it found, its invocation. In this order and one right after the other they are *back to
//! back*, and a device takes them as one reorder point (DXR specification, `HitObject::Invoke`, back-to-back). What that means is said here alone: the
//! warnings find calls that should be back to back, the motion makes them so, and the fusion makes one instruction of two.

use rtc_ir::{Function, Inst, InstData, Opcode, Value};

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
