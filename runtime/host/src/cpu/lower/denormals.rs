//! Denormal flushing of 32-bit floats, for the shader attribute `fp32-denorm-mode`, and before shader model 6.2, which has no choice.
//!
//! | mode | what happens |
//! |---|---|
//! | `preserve` | operations read and produce denormals |
//! | `ftz` | denormal operands and results become zero with the same sign |
//! | none before shader model 6.2 | as `ftz` |
//! | `any`, none | as `preserve`: both are conforming, and preserving costs nothing on CPUs |
//!
//! Only 32-bit floats are flushed: 64-bit and 16-bit floats keep their denormals in every mode. So flushing is done by instructions and
//! not by the processor's control word, which would also affect 64-bit floats and the runtime's own arithmetic. Moving a value (loads,
//! stores, selects, `abs`, flipping the sign bit) is not arithmetic and does not flush.

use super::{Refusal, arithmetic};
use rtc_dxil_container::Version;
use rtc_dxil_module::{Attr, BinOp, Block, Builder, CastOp, CmpPred, FUNCTION_INDEX, Func, Inst, Module, Op, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{DxOp, op};
use rustc_hash::FxHashMap;

/// Runtime operations that do floating-point arithmetic.
pub const COMPUTED: &[DxOp] = &[
    op::WAVE_ACTIVE_OP,
    op::WAVE_ACTIVE_ALL_EQUAL,
    op::WAVE_PREFIX_OP,
    op::WAVE_MULTI_PREFIX_OP,
    op::DERIV_COARSE_X,
    op::DERIV_COARSE_Y,
    op::DERIV_FINE_X,
    op::DERIV_FINE_Y,
    op::DOT2_ADD_HALF,
    op::LEGACY_DOUBLE_TO_FLOAT,
];

/// Whether a shader of a module of shader model `model` flushes.
pub fn are_flushed(m: &Module, func: Func, model: Version) -> bool {
    if model < Version::new(6, 2) {
        return true;
    }
    let Some(list) = m.funcs[func].attrs.expand() else { return false };
    let Some(group) = m.attrs.at(list, FUNCTION_INDEX) else { return false };
    let is_mode = |a: &Attr| matches!(a, Attr::Text(key, Some(value)) if &**key == "fp32-denorm-mode" && &**value == "ftz");
    m.attrs.group_data(group).attrs.iter().any(is_mode)
}

/// Flushes operands and results of every 32-bit float instruction of a shader.
///
/// # Errors
/// A function without code.
pub fn flush(m: &mut Module, func: Func) -> Result<(), Refusal> {
    let Some(body) = &m.funcs[func].body else { return Ok(()) };
    let blocks: Vec<Block> = body.blocks.keys().collect();
    // Replacements of results, and the instructions that test the original result.
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

/// Whether an instruction has 32-bit float operands, and results, that are subject to flushing.
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

/// A flushed value, and the instruction that tests the original.
pub fn flushed(b: &mut Builder<'_>, value: Value) -> (Value, Inst) {
    let ty = b.type_of(value);
    let int = b.module.types.i32();
    let ints = b.module.types.reshape(ty, int);
    let looker = b.append(ints, Op::Cast { op: CastOp::BitCast, value });
    let bits = Value::Inst(looker);
    let (exponent, sign, zero) =
        (arithmetic::whole(b, ints, 0x7F80_0000), arithmetic::whole(b, ints, 0x8000_0000), arithmetic::whole(b, ints, 0));
    let size = b.binary(BinOp::And, bits, exponent, 0);
    let small = b.cmp(CmpPred::IEq, size, zero, 0);
    let signed = b.binary(BinOp::And, bits, sign, 0);
    let kept = b.select(small, signed, bits);
    (b.cast(CastOp::BitCast, kept, ty), looker)
}

/// The same for a value of any type.
pub fn flushed_if_float(b: &mut Builder<'_>, value: Value) -> Value {
    let ty = b.type_of(value);
    if is_float(b, ty) { flushed(b, value).0 } else { value }
}
