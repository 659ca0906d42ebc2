//! What processors or LLVM leave undefined gets a meaning, so that no shader can do harm.
//!
//! | what | becomes |
//! |---|---|
//! | an index beyond an array | the last element |
//! | integer division by zero | all bits set; remainder likewise; the least integer by -1: itself, remainder 0 |
//! | a float beyond the integers it is converted to | the nearest; NaN: 0 |
//! | an undefined value, memory not yet written | zero |
//! | promises (no wrap, no NaN, in bounds) | not made |

use super::{Refusal, layout, math};
use rtc_dxil::module::{BinOp, CastOp, CmpPred, ConstKind, Func, Inst, Module, Op, Type, TypeKind, Value};
use rustc_hash::FxHashMap;

/// Makes a shader safe.
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
                    if integers && matches!(op, BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem) && !is_harmless(m, op, rhs) {
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
                    math::suffix(&b, ty, &mut name);
                    name.push('.');
                    math::suffix(&b, from, &mut name);
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
                // There is no instruction from double to half on processors, and no library here.
                Op::Cast { op: CastOp::FpTrunc, value } if m.types[m.types.scalar(ty)] == TypeKind::Half => {
                    let from = m.value_type(Some(func), value).ok_or("an operand without type")?;
                    let single = m.types.float();
                    let middle = m.types.reshape(ty, single);
                    let mut b = m.edit(func, block).ok_or("a function without code")?;
                    let value = if from == middle { value } else { b.cast(CastOp::FpTrunc, value, middle) };
                    let by = b.cast(CastOp::FpTrunc, value, ty);
                    replaced.insert(inst, by);
                }
                Op::Gep { source, operands, .. } => {
                    let values = body.values(operands).to_vec();
                    let values = bounded(m, func, block, source, &values)?;
                    let body = m.funcs[func].body.get_or_insert_default();
                    let operands = body.list(&values);
                    body.insts[inst].op = Op::Gep { inbounds: false, source, operands };
                    body.blocks[block].push(inst);
                }
                Op::Alloca { allocated, count, .. } => {
                    body.blocks[block].push(inst);
                    clear(m, func, block, inst, allocated, count)?;
                }
                // Memory that is reached through 32-bit words is not always aligned as the module's own rules say.
                Op::Load { ptr, volatile, .. } => {
                    let align = alignment(m, func, ptr);
                    let body = m.funcs[func].body.get_or_insert_default();
                    body.insts[inst].op = Op::Load { ptr, align, volatile };
                    body.blocks[block].push(inst);
                }
                Op::Store { ptr, value, volatile, .. } => {
                    let align = alignment(m, func, ptr);
                    let body = m.funcs[func].body.get_or_insert_default();
                    body.insts[inst].op = Op::Store { ptr, value, align, volatile };
                    body.blocks[block].push(inst);
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

/// The alignment that every address of this type has here: at most four bytes, which is what payloads have.
fn alignment(m: &Module, func: Func, ptr: Value) -> u32 {
    let pointee = m.value_type(Some(func), ptr).and_then(|ty| m.types.pointee(ty));
    pointee.map_or(1, |ty| layout::of(m, ty).1.clamp(1, 4) as u32)
}

/// Undefined constants become zero.
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

/// Whether a divisor is a constant that does no harm.
fn is_harmless(m: &Module, op: BinOp, rhs: Value) -> bool {
    m.int_of(rhs).is_some_and(|n| n != 0 && (n != -1 || matches!(op, BinOp::UDiv | BinOp::URem)))
}

fn divide(m: &mut Module, func: Func, block: rtc_dxil::module::Block, op: BinOp, lhs: Value, rhs: Value, ty: Type) -> Value {
    let Some(mut b) = m.edit(func, block) else { return lhs };
    let (zero, one, all) = (math::whole(&mut b, ty, 0), math::whole(&mut b, ty, 1), math::whole(&mut b, ty, -1));
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

/// Address operands with indices that stay inside arrays.
fn bounded(m: &mut Module, func: Func, block: rtc_dxil::module::Block, source: Type, values: &[Value]) -> Result<Vec<Value>, Refusal> {
    let mut out = values.to_vec();
    let mut ty = source;
    for n in 1..values.len() {
        let constant = m.int_of(values[n]);
        if n == 1 {
            // The first index counts whole objects, of which there is one, except in what was made here.
            match constant {
                Some(0) => continue,
                _ if matches!(values[0], Value::Arg(0)) || m.types[source] == TypeKind::Int(64) || is_own(m, func, values[0]) => continue,
                _ => return Err("an address that steps from one variable to the next".into()),
            }
        }
        let len = len_of(m, ty);
        if let Some(len) = len {
            match constant {
                Some(i) if i >= 0 && (i as u64) < len => {}
                Some(_) => out[n] = m.const_int(32, len.saturating_sub(1) as i64),
                None => {
                    let mut b = m.edit(func, block).ok_or("a function without code")?;
                    let index_ty = b.type_of(values[n]);
                    let last = math::whole(&mut b, index_ty, len.saturating_sub(1) as i64);
                    let inside = b.cmp(CmpPred::IUlt, values[n], last, 0);
                    out[n] = b.select(inside, values[n], last);
                }
            }
        }
        ty = m.types.element(ty, constant.unwrap_or(0) as u64).ok_or("an address inside something that has no elements")?;
    }
    Ok(out)
}

fn len_of(m: &Module, ty: Type) -> Option<u64> {
    match m.types[ty] {
        TypeKind::Array { len, .. } => Some(len),
        TypeKind::Vector { len, .. } => Some(len.into()),
        _ => None,
    }
}

/// Whether an address was computed by the passes here: from bytes of the thread or of group-shared memory.
fn is_own(m: &Module, func: Func, base: Value) -> bool {
    let ty = m.value_type(Some(func), base).and_then(|ty| m.types.pointee(ty));
    ty.is_some_and(|ty| m.types[ty] == TypeKind::Int(8))
}

/// Writes zeros to new memory.
fn clear(m: &mut Module, func: Func, block: rtc_dxil::module::Block, alloca: Inst, allocated: Type, count: Value) -> Result<(), Refusal> {
    let n = m.int_of(count).filter(|n| (0..1 << 24).contains(n)).ok_or("a variable of a size that is not constant")?;
    let size = layout::size(m, allocated).saturating_mul(n as u64);
    if size > 1 << 26 {
        return Err("a variable that is larger than a stack".into());
    }
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
