//! Rule about the LLVM instructions that DXIL allows.

use super::*;
use rtc_dxil_module::{AttrKind, BinOp, CastOp, FUNCTION_INDEX};
use rtc_tables::llvm_insts::{ALLOWED_BITS, LIBRARY_ONLY, VECTOR};

/// The number that LLVM gives an instruction (see `rtc_tables::llvm_insts`), and its name if it is one of the special ones.
fn llvm(cx: &Cx<'_>, here: Here<'_>, op: &Op) -> (u8, &'static str) {
    let id = match *op {
        Op::Ret(_) => 1,
        Op::Br(_) | Op::CondBr { .. } => 2,
        Op::Switch { .. } => 3,
        Op::Unreachable => return (7, "Unreachable"),
        Op::Binary { op, lhs, .. } => {
            let float = cx.ty(here, lhs).is_some_and(|ty| cx.m.types.is_float(cx.m.types.scalar(ty)));
            let (int, flt) = match op {
                BinOp::Add => (8, 9),
                BinOp::Sub => (10, 11),
                BinOp::Mul => (12, 13),
                BinOp::UDiv => (14, 0),
                BinOp::SDiv => (15, 16),
                BinOp::URem => (17, 0),
                BinOp::SRem => (18, 19),
                BinOp::Shl => (20, 0),
                BinOp::LShr => (21, 0),
                BinOp::AShr => (22, 0),
                BinOp::And => (23, 0),
                BinOp::Or => (24, 0),
                BinOp::Xor => (25, 0),
            };
            if float { flt } else { int }
        }
        Op::Alloca { .. } => 26,
        Op::Load { .. } => 27,
        Op::Store { .. } => 28,
        Op::Gep { .. } => 29,
        Op::Fence { .. } => 30,
        Op::CmpXchg { .. } => 31,
        Op::AtomicRmw { .. } => 32,
        Op::Cast { op, .. } => match op {
            CastOp::Trunc => 33,
            CastOp::ZExt => 34,
            CastOp::SExt => 35,
            CastOp::FpToUi => 36,
            CastOp::FpToSi => 37,
            CastOp::UiToFp => 38,
            CastOp::SiToFp => 39,
            CastOp::FpTrunc => 40,
            CastOp::FpExt => 41,
            CastOp::PtrToInt => 42,
            CastOp::IntToPtr => 43,
            CastOp::BitCast => 44,
            CastOp::AddrSpaceCast => 45,
        },
        Op::Cmp { pred, .. } => 46 + u8::from(pred.is_float()),
        Op::Phi(_) => 48,
        Op::Call { .. } => 49,
        Op::Select { .. } => 50,
        Op::ExtractElement { .. } => return (54, "ExtractElement"),
        Op::InsertElement { .. } => return (55, "InsertElement"),
        Op::ShuffleVector { .. } => return (56, "ShuffleVector"),
        Op::ExtractValue { .. } => 57,
        Op::InsertValue { .. } => 58,
    };
    (id, "")
}

fn is_allowed(cx: &Cx<'_>, here: Here<'_>, op: &Op) -> bool {
    let (id, name) = llvm(cx, here, op);
    if name.is_empty() {
        return ALLOWED_BITS >> id & 1 != 0;
    }
    if VECTOR.contains(&name) {
        return cx.info.is_library() || since(cx, 9);
    }
    if LIBRARY_ONLY.contains(&name) {
        return cx.info.is_library() && after_no_return(cx, here);
    }
    ALLOWED_BITS >> id & 1 != 0
}

/// Whether an instruction is allowed; a call must also be of a known function, and of an operation that there is.
pub(super) fn inst(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) -> bool {
    let op = &here.body.insts[inst].op;
    let good = is_allowed(cx, here, op);
    cx.instr.last = Some(inst);
    if !good {
        cx.inst(rule::INSTR_ALLOWED, here, inst, "the instruction is not allowed in DXIL");
        return false;
    }
    match *op {
        Op::Call { callee: Value::Func(callee), args, .. } => {
            if cx.m.is_dx_op(callee) && cx.m.funcs[callee].body.is_none() {
                opcode(cx, here, inst, here.body.values(args).first().copied());
            }
            true
        }
        Op::Call { .. } => {
            cx.inst(rule::INSTR_ALLOWED, here, inst, "a call must name its function");
            false
        }
        _ => true,
    }
}

/// The opcode of a call is a constant, and there is such an operation.
fn opcode(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst, first: Option<Value>) {
    let Some(n) = first.and_then(|v| cx.int(v)) else {
        return cx.inst(rule::INSTR_OP_CONST, here, inst, "the opcode must be a constant");
    };
    let n = n as u32;
    if DxOp::from_u32(n).is_none() {
        let experimental = n & rtc_tables::dxil_ops::EXPERIMENTAL != 0;
        if OPS.iter().any(|op| op.is_experimental() == experimental && op.opcode.number() > n) {
            cx.inst(rule::INSTR_OPCODE_RESERVED, here, inst, format!("opcode {n:#x} is reserved"));
        } else {
            cx.inst(rule::INSTR_OPCODE_ILLEGAL, here, inst, format!("there is no operation {n:#x}"));
        }
    }
}

/// Whether the instruction before this one is the call of an operation that never returns.
fn after_no_return(cx: &Cx<'_>, here: Here<'_>) -> bool {
    let Some(before) = cx.instr.last else { return false };
    let Op::Call { callee: Value::Func(f), .. } = here.body.insts[before].op else { return false };
    cx.m.is_dx_op(f) && cx.m.attrs.has(cx.m.funcs[f].attrs, FUNCTION_INDEX, AttrKind::NoReturn)
}
