//! Rules about arithmetic on constants without a defined result.

use super::*;
use rtc_dxil_module::{BinOp, TypeKind};
use rtc_tables::dxil_ops::op;

/// No division by a constant zero.
pub(super) fn divisor(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    let Op::Binary { op, rhs, .. } = here.body.insts[inst].op else { return };
    let rule = match op {
        BinOp::SDiv => rule::INSTR_SDIV_ZERO,
        BinOp::UDiv => rule::INSTR_UDIV_ZERO,
        _ => return,
    };
    if cx.int(rhs) == Some(0) {
        cx.inst(rule, here, inst, "the divisor is zero");
    }
}

/// No logarithm, arcsine, arccosine or derivative of a constant infinity.
pub(super) fn infinite(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let Value::Const(c) = call.args[1] else { return };
    let ConstKind::Float(bits) = cx.m.consts[c].kind else { return };
    let infinite = match cx.m.types[cx.m.consts[c].ty] {
        TypeKind::Half => bits & 0x7FFF == 0x7C00,
        TypeKind::Float => f32::from_bits(bits as u32).is_infinite(),
        TypeKind::Double => f64::from_bits(bits).is_infinite(),
        _ => false,
    };
    if infinite {
        let rule = match call.op.opcode {
            op::LOG => rule::INSTR_LOG,
            op::ASIN => rule::INSTR_ASIN,
            op::ACOS => rule::INSTR_ACOS,
            _ => rule::INSTR_DERIVATIVE,
        };
        cx.inst(rule, here, call.inst, format!("{} of infinity", call.op.name));
    }
}
