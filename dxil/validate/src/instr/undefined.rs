//! Rules about undefined operands and operands of minimum precision.

use super::*;
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_module::{MetaNode, TypeKind};

/// No instruction but a phi computes with an undefined value; a store may store one, and one may be built upon.
pub(super) fn operands(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    let op = &here.body.insts[inst].op;
    let legal = match *op {
        Op::Phi(_) => return,
        Op::InsertElement { vector, .. } => Some(vector),
        Op::ShuffleVector { rhs, .. } => Some(rhs),
        Op::Store { value, .. } => Some(value),
        _ => None,
    };
    let mut undefined = false;
    here.body.op_operands(op, |value| {
        let Value::Const(c) = value else { return };
        undefined |= match &cx.m.consts[c].kind {
            ConstKind::Undef => Some(value) != legal,
            kind @ (ConstKind::Cast { .. }
            | ConstKind::Gep { .. }
            | ConstKind::Binary { .. }
            | ConstKind::Compare { .. }
            | ConstKind::Select { .. }) => kind.operands().iter().any(|&v| cx.is_undef(v)),
            _ => false,
        };
    });
    if undefined {
        cx.inst(rule::INSTR_UNINITIALIZED, here, inst, "an operand is undefined");
    }
}

/// A precise instruction has no operand of minimum precision.
pub(super) fn precise(cx: &mut Cx<'_>, here: Here<'_>) {
    if here.body.attached.is_empty() || !cx.instr.min_precision || !module_flag(cx, bit::LOW_PRECISION) {
        return;
    }
    let Some(kind) = cx.m.meta.find_kind("dx.precise") else { return };
    for &(inst, of, node) in &here.body.attached {
        let on = match &cx.m.meta[node] {
            MetaNode::Node { elems, .. } => elems.first().copied().flatten().and_then(|e| cx.m.meta_int(e)) == Some(1),
            _ => false,
        };
        if of != kind || !on {
            continue;
        }
        let mut small = false;
        here.body.operands(inst, |value| {
            let ty = cx.ty(here, value).map(|ty| &cx.m.types[ty]);
            small |= matches!(ty, Some(TypeKind::Half | TypeKind::Int(16)));
        });
        if small {
            cx.inst(rule::INSTR_MIN_PRECISION_PRECISE, here, inst, "a precise instruction has an operand of minimum precision");
        }
    }
}
