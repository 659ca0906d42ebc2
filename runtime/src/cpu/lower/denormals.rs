//! Denormal 32-bit floats, as the attribute `fp32-denorm-mode` of a shader says.
//!
//! | mode | what happens |
//! |---|---|
//! | `preserve` | operations take and give them |
//! | `ftz` | what operations take and give is zero instead, with its sign |
//! | `any`, none | as `preserve`: either is right, and keeping them costs processors nothing |
//!
//! Only 32-bit floats are flushed: doubles and halves keep their denormals in every mode, which is why this is done by
//! instructions and not by the processor's control word; that would reach doubles too, and the runtime's own arithmetic. Moving
//! a value (loads, stores, choices, `abs`, changing the sign by its bit) is no operation.

use super::{Refusal, math};
use rtc_dxil_module::{Attr, BinOp, Block, Builder, CastOp, CmpPred, FUNCTION_PLACE, Func, Inst, Module, Op, Type, TypeKind, Value};
use rtc_tables::dxil_ops::op;
use rustc_hash::FxHashMap;

/// Operations of the runtime that compute with floats.
pub const COMPUTED: &[u32] = &[
    op::WAVE_ACTIVE_OP,
    op::WAVE_PREFIX_OP,
    op::WAVE_MULTI_PREFIX_OP,
    op::DERIV_COARSE_X,
    op::DERIV_COARSE_Y,
    op::DERIV_FINE_X,
    op::DERIV_FINE_Y,
    op::DOT2_ADD_HALF,
    op::LEGACY_DOUBLE_TO_FLOAT,
];

/// Whether a shader wants them flushed.
pub fn are_flushed(m: &Module, func: Func) -> bool {
    let Some(list) = m.funcs[func].attrs.expand() else { return false };
    let Some(group) = m.attrs.at(list, FUNCTION_PLACE) else { return false };
    let is_mode = |a: &Attr| matches!(a, Attr::Text(key, Some(value)) if &**key == "fp32-denorm-mode" && &**value == "ftz");
    m.attrs.group_data(group).attrs.iter().any(is_mode)
}

/// Flushes them around every instruction of a shader that computes with 32-bit floats.
pub fn flush(m: &mut Module, func: Func) -> Result<(), Refusal> {
    let Some(body) = &m.funcs[func].body else { return Ok(()) };
    let blocks: Vec<Block> = body.blocks.keys().collect();
    // A result, by what it becomes; and the instructions that look at the result itself.
    let (mut replaced, mut lookers) = (FxHashMap::default(), Vec::new());
    for block in blocks {
        let body = m.funcs[func].body.get_or_insert_default();
        for inst in std::mem::take(&mut body.blocks[block]) {
            let mut b = m.edit(func, block).ok_or("a function without code")?;
            let (takes, gives) = computes(&mut b, inst);
            if takes {
                let mut operands: Vec<Value> = Vec::new();
                b.body().operands(inst, |v| {
                    if !operands.contains(&v) {
                        operands.push(v);
                    }
                });
                for v in operands.into_iter().filter(|v| !matches!(v, Value::Func(_))) {
                    let ty = b.type_of(v);
                    if is_float(&b, ty) && !replaced.contains_key(&v) {
                        let flushed = flushed(&mut b, v).0;
                        b.body().map_operands(inst, |o| if o == v { flushed } else { o });
                    }
                }
            }
            b.body().blocks[block].push(inst);
            if gives {
                let (value, looker) = flushed(&mut b, Value::Inst(inst));
                replaced.insert(Value::Inst(inst), value);
                lookers.push((looker, inst));
            }
        }
    }
    let body = m.funcs[func].body.get_or_insert_default();
    body.map_values(|v| replaced.get(&v).copied().unwrap_or(v));
    for (looker, inst) in lookers {
        body.insts[looker].op = Op::Cast { op: CastOp::BitCast, value: Value::Inst(inst) };
    }
    Ok(())
}

fn is_float(b: &Builder<'_>, ty: Type) -> bool {
    b.module.types[b.module.types.scalar(ty)] == TypeKind::Float
}

/// Whether an instruction takes, and gives, 32-bit floats that it computes with.
fn computes(b: &mut Builder<'_>, inst: Inst) -> (bool, bool) {
    let ty = b.body().insts[inst].ty;
    let gives = is_float(b, ty);
    match b.body().insts[inst].op {
        Op::Binary { .. } => (gives, gives),
        Op::Cmp { pred, .. } => (pred.is_float(), false),
        Op::Cast { op: CastOp::FpTrunc, .. } => (true, gives),
        Op::Cast { op: CastOp::FpExt, .. } => (true, false),
        Op::Call { callee: Value::Func(f), .. } => {
            let name = &*b.module.funcs[f].name;
            let moves = name.starts_with("llvm.fabs.") || !name.starts_with("llvm.");
            (!moves, !moves && gives)
        }
        _ => (false, false),
    }
}

/// A value without denormals, and the instruction that looks at the value itself.
pub fn flushed(b: &mut Builder<'_>, value: Value) -> (Value, Inst) {
    let ty = b.type_of(value);
    let int = b.module.types.i32();
    let ints = b.module.types.reshape(ty, int);
    let looker = b.append(ints, Op::Cast { op: CastOp::BitCast, value });
    let bits = Value::Inst(looker);
    let (exponent, sign, zero) = (math::whole(b, ints, 0x7F80_0000), math::whole(b, ints, 0x8000_0000), math::whole(b, ints, 0));
    let size = b.binary(BinOp::And, bits, exponent, 0);
    let small = b.cmp(CmpPred::IEq, size, zero, 0);
    let signed = b.binary(BinOp::And, bits, sign, 0);
    let kept = b.select(small, signed, bits);
    (b.cast(CastOp::BitCast, kept, ty), looker)
}

/// The same of a value that may be of another type.
pub fn flushed_if_float(b: &mut Builder<'_>, value: Value) -> Value {
    let ty = b.type_of(value);
    if is_float(b, ty) { flushed(b, value).0 } else { value }
}
