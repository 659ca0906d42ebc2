//! Handles with an index that the shader computes and does not mark as non-uniform: a device may use that of one lane for a whole wave.

use super::handles;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_module::{Body, ConstKind, Inst, Module, Op, Value};
use rtc_tables::dxil_ops::{DxOp, op};
use rustc_hash::FxHashSet;

/// Where operations that make a handle have the index and the mark, without the opcode.
const MARKED: &[(DxOp, usize, usize)] =
    &[(op::CREATE_HANDLE, 2, 3), (op::CREATE_HANDLE_FROM_BINDING, 1, 2), (op::CREATE_HANDLE_FROM_HEAP, 0, 2)];

/// The handles of a shader, annotated or not.
pub fn unmarked(m: &Module, body: &Body, info: &Info) -> FxHashSet<Inst> {
    let nonuniform = m.meta.find_kind("dx.nonuniform");
    let mut found = FxHashSet::default();
    let mut annotated = Vec::new();
    for &inst in body.blocks.values().flatten() {
        let Op::Call { callee: Value::Func(f), args, .. } = body.insts[inst].op else { continue };
        let Some((&code, args)) = body.values(args).split_first().filter(|_| m.is_dx_op(f)) else { continue };
        let Some(op) = m.int_of(code).and_then(|code| DxOp::from_u32(code as u32)) else { continue };
        let is_unmarked = match op {
            op::ANNOTATE_HANDLE => {
                annotated.extend(args.first().map(|&of| (inst, of)));
                false
            }
            op::CREATE_HANDLE_FOR_LIB => {
                let computed = |n: handles::Named| n.indices.iter().any(|&(v, _)| m.int_of(v).is_none());
                let named = args.first().and_then(|&v| handles::named(m, body, info, v).ok());
                named.is_some_and(computed) && !is_marked(m, body, args[0], nonuniform)
            }
            _ => MARKED.iter().any(|&(of, index, mark)| {
                of == op && args.get(index).is_some_and(|&v| m.int_of(v).is_none()) && args.get(mark).and_then(|&v| m.int_of(v)) == Some(0)
            }),
        };
        if is_unmarked {
            found.insert(inst);
        }
    }
    // Operands are in any order of blocks.
    let made: Vec<Inst> = annotated.into_iter().filter(|(_, of)| matches!(of, Value::Inst(i) if found.contains(i))).map(|a| a.0).collect();
    found.extend(made);
    found
}

/// Whether an address on the way to the loaded resource has the mark.
fn is_marked(m: &Module, body: &Body, loaded: Value, kind: Option<u32>) -> bool {
    let (Some(kind), Value::Inst(load)) = (kind, loaded) else { return false };
    let mut at = load;
    for _ in 0..64 {
        if body.attached.iter().any(|&(inst, k, _)| inst == at && k == kind) {
            return true;
        }
        let next = match body.insts[at].op {
            Op::Load { ptr, .. } => ptr,
            Op::Gep { operands, .. } => match body.values(operands).first() {
                Some(&v) => v,
                None => return false,
            },
            Op::Cast { value, .. } => value,
            _ => return false,
        };
        match next {
            Value::Inst(i) => at = i,
            Value::Const(c) if matches!(m.consts[c].kind, ConstKind::Gep { .. } | ConstKind::Cast { .. }) => return false,
            _ => return false,
        }
    }
    false
}
