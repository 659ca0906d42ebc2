//! Defined semantics for everything that LLVM or processors leave undefined, so that compiled shaders are memory-safe.
//!
//! | undefined | becomes |
//! |---|---|
//! | integer division by zero | all bits set, also the remainder; the minimum integer divided by -1: itself, remainder 0 |
//! | a float out of the range of an integer conversion | saturated; NaN: 0 |
//! | an undefined value, uninitialised memory | zero |
//! | flags (no wrap, no NaN, in bounds) | removed |

use super::{Refusal, arithmetic, layout};
use rtc_dxil_module::{BinOp, Builder, CastOp, CmpPred, ConstKind, Func, Inst, Module, Op, Type, TypeKind, Value};
use rustc_hash::FxHashMap;

/// Rewrites a shader.
///
/// # Errors
/// A function without code, a variable of a size that is not constant.
pub fn make_safe(m: &mut Module, func: Func) -> Result<(), Refusal> {
    define_constants(m, func);
    let Some(body) = &m.funcs[func].body else { return Ok(()) };
    let blocks: Vec<_> = body.blocks.keys().collect();
    let mut replaced: FxHashMap<Inst, Value> = FxHashMap::default();
    for block in blocks {
        let body = m.funcs[func].body.get_or_insert_default();
        let insts = std::mem::take(&mut body.blocks[block]);
        for inst in insts {
            let body = m.funcs[func].body.get_or_insert_default();
            let ty = body.insts[inst].ty;
            match body.insts[inst].op {
                Op::Binary { op, lhs, rhs, .. } => {
                    let integers = m.types.is_int(m.types.scalar(ty));
                    if integers && matches!(op, BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem) && !is_safe_divisor(m, op, rhs) {
                        let by = divide(m, func, block, op, lhs, rhs, ty);
                        replaced.insert(inst, by);
                        continue;
                    }
                    let body = m.funcs[func].body.get_or_insert_default();
                    body.insts[inst].op = Op::Binary { op, flags: 0, lhs, rhs };
                    body.blocks[block].push(inst);
                }
                Op::Cmp { pred, lhs, rhs, .. } => {
                    body.insts[inst].op = Op::Cmp { pred, flags: 0, lhs, rhs };
                    body.blocks[block].push(inst);
                }
                Op::Cast { op: op @ (CastOp::FpToUi | CastOp::FpToSi), value } => {
                    let from = m.value_type(Some(func), value).ok_or("an operand without type")?;
                    let mut b = m.edit(func, block).ok_or("a function without code")?;
                    let mut name = format!("llvm.{}.sat.", if op == CastOp::FpToUi { "fptoui" } else { "fptosi" });
                    arithmetic::suffix(&b, ty, &mut name);
                    name.push('.');
                    arithmetic::suffix(&b, from, &mut name);
                    let callee = match b.module.find_function(&name) {
                        Some(f) => f,
                        None => {
                            let of = b.module.types.function(ty, &[from]);
                            b.module.add_function(&name, of)
                        }
                    };
                    let by = b.call(callee, &[value]);
                    replaced.insert(inst, by);
                }
                // x86 has no conversion from double to half, and compiled code links no library for it. Rounding to odd in
                // between avoids double rounding.
                Op::Cast { op: CastOp::FpTrunc, value } if m.types[m.types.scalar(ty)] == TypeKind::Half => {
                    let from = m.value_type(Some(func), value).ok_or("an operand without type")?;
                    let single = m.types.float();
                    let middle = m.types.reshape(ty, single);
                    let mut b = m.edit(func, block).ok_or("a function without code")?;
                    let value = if from == middle { value } else { rounded_to_odd(&mut b, value, middle) };
                    let by = b.cast(CastOp::FpTrunc, value, ty);
                    replaced.insert(inst, by);
                }
                Op::Alloca { allocated, count, .. } => {
                    body.blocks[block].push(inst);
                    clear(m, func, block, inst, allocated, count)?;
                }
                _ => body.blocks[block].push(inst),
            }
        }
    }
    let body = m.funcs[func].body.get_or_insert_default();
    body.map_values(|v| match v {
        Value::Inst(i) => replaced.get(&i).copied().unwrap_or(v),
        v => v,
    });
    Ok(())
}

/// Replaces undefined constants by zero.
fn define_constants(m: &mut Module, func: Func) {
    let mut found: Vec<Value> = Vec::new();
    let Some(body) = &m.funcs[func].body else { return };
    for &i in body.blocks.values().flatten() {
        body.operands(i, |v| {
            if !found.contains(&v) && undefined(m, v, 0) {
                found.push(v);
            }
        });
    }
    let by: FxHashMap<Value, Value> = found.into_iter().map(|v| (v, defined(m, v))).collect();
    m.funcs[func].body.get_or_insert_default().map_values(|v| by.get(&v).copied().unwrap_or(v));
}

fn undefined(m: &Module, value: Value, depth: u32) -> bool {
    let Value::Const(c) = value else { return false };
    let kind = &m.consts[c].kind;
    *kind == ConstKind::Undef || depth < 16 && kind.operands().iter().any(|&v| undefined(m, v, depth + 1))
}

fn defined(m: &mut Module, value: Value) -> Value {
    let Value::Const(c) = value else { return value };
    let data = m.consts[c].clone();
    match data.kind {
        ConstKind::Aggregate(values) => {
            let values: Vec<Value> = values.iter().map(|&v| defined(m, v)).collect();
            m.aggregate(data.ty, &values)
        }
        _ if undefined(m, value, 0) => m.null(data.ty),
        _ => value,
    }
}

/// Whether a divisor is a constant other than 0 and, for signed division, -1.
fn is_safe_divisor(m: &Module, op: BinOp, rhs: Value) -> bool {
    m.int_of(rhs).is_some_and(|n| n != 0 && (n != -1 || matches!(op, BinOp::UDiv | BinOp::URem)))
}

/// Rounds a double to a float to odd: towards zero, with the lowest bit set if inexact, so that a second rounding sees on which
/// side of a tie the value was.
fn rounded_to_odd(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    let from = b.type_of(value);
    let int = b.module.types.i32();
    let ints = b.module.types.reshape(ty, int);
    let near = b.cast(CastOp::FpTrunc, value, ty);
    let back = b.cast(CastOp::FpExt, near, from);
    let (size, back_size) = (arithmetic::intrinsic(b, "fabs", from, &[value]), arithmetic::intrinsic(b, "fabs", from, &[back]));
    let beyond = b.cmp(CmpPred::OGt, back_size, size, 0);
    let inexact = b.cmp(CmpPred::ONe, back, value, 0);
    let bits = b.cast(CastOp::BitCast, near, ints);
    let (zero, one) = (arithmetic::whole(b, ints, 0), arithmetic::whole(b, ints, 1));
    let less = b.select(beyond, one, zero);
    let odd = b.select(inexact, one, zero);
    let bits = b.binary(BinOp::Sub, bits, less, 0);
    let bits = b.binary(BinOp::Or, bits, odd, 0);
    b.cast(CastOp::BitCast, bits, ty)
}

fn divide(m: &mut Module, func: Func, block: rtc_dxil_module::Block, op: BinOp, lhs: Value, rhs: Value, ty: Type) -> Value {
    let Some(mut b) = m.edit(func, block) else { return lhs };
    let (zero, one, all) = (arithmetic::whole(&mut b, ty, 0), arithmetic::whole(&mut b, ty, 1), arithmetic::whole(&mut b, ty, -1));
    let by_zero = b.cmp(CmpPred::IEq, rhs, zero, 0);
    let mut divisor = b.select(by_zero, one, rhs);
    let signed = matches!(op, BinOp::SDiv | BinOp::SRem);
    let mut negated = None;
    if signed {
        let minus = b.cmp(CmpPred::IEq, rhs, all, 0);
        divisor = b.select(minus, one, divisor);
        negated = Some(minus);
    }
    let mut out = b.binary(op, lhs, divisor, 0);
    if let Some(minus) = negated {
        let other = if op == BinOp::SDiv { b.binary(BinOp::Sub, zero, lhs, 0) } else { zero };
        out = b.select(minus, other, out);
    }
    b.select(by_zero, all, out)
}

/// Zeroes new memory.
fn clear(m: &mut Module, func: Func, block: rtc_dxil_module::Block, alloca: Inst, allocated: Type, count: Value) -> Result<(), Refusal> {
    let n = m.int_of(count).and_then(|n| u64::try_from(n).ok()).ok_or("a variable of a size that is not constant")?;
    let size = layout::size(m, allocated).saturating_mul(n);
    let (byte, i64_ty, i32_ty, i1, void) = (m.types.i8(), m.types.i64(), m.types.i32(), m.types.i1(), m.types.void());
    let bytes = m.types.ptr(byte);
    let name = "llvm.memset.p0i8.i64";
    let callee = match m.find_function(name) {
        Some(f) => f,
        None => {
            let ty = m.types.function(void, &[bytes, byte, i64_ty, i32_ty, i1]);
            m.add_function(name, ty)
        }
    };
    let (zero, size, align, no) = (m.i8(0), m.const_int(64, size as i64), m.i32(1), m.i1(false));
    let mut b = m.edit(func, block).ok_or("a function without code")?;
    let to = b.cast(CastOp::BitCast, Value::Inst(alloca), bytes);
    b.call(callee, &[to, zero, size, align, no]);
    Ok(())
}
