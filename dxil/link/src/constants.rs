//! Constant folding of integers after inlining: what callers give as constants is computed from them here.
//!
//! Shader models before 6.7 have texel offsets that are constants alone, in functions of libraries for later ones they may be parameters. What DXIL leaves
//! undefined, a division by zero or a shift by all bits, stays as it is.

use rustc_hash::FxHashMap;

use super::scalars::replace;
use rtc_dxil_module::{BinOp, Body, CastOp, CmpPred, ConstKind, Func, Inst, Module, Op, Type, TypeKind, Value};

/// Folds the integer computations of a function.
pub fn fold(m: &mut Module, func: Func) {
    loop {
        let Some(body) = &m.funcs[func].body else { return };
        let mut found: Vec<(Inst, Folded)> = Vec::new();
        let mut known: FxHashMap<Inst, Folded> = FxHashMap::default();
        for &i in body.blocks.values().flatten() {
            if let Some(folded) = folded(m, body, &known, i) {
                known.insert(i, folded);
                found.push((i, folded));
            }
        }
        if found.is_empty() {
            return;
        }
        let mut becomes: FxHashMap<Inst, Value> = FxHashMap::default();
        for (i, folded) in found {
            let value = match folded {
                Folded::Number(ty, n) => Value::Const(m.consts.int(&m.types, ty, n)),
                Folded::Value(value) => value,
            };
            becomes.insert(i, value);
        }
        replace(m, func, &becomes);
        if let Some(body) = m.funcs[func].body.as_mut() {
            body.blocks.values_mut().for_each(|b| b.retain(|i| !becomes.contains_key(i)));
        }
        super::variables::forget_lost(m, func);
    }
}

/// What an instruction is.
#[derive(Clone, Copy)]
enum Folded {
    /// An integer of a type.
    Number(Type, i64),
    /// Another value.
    Value(Value),
}

fn width(m: &Module, ty: Type) -> Option<u32> {
    match m.types[ty] {
        TypeKind::Int(bits) if bits <= 64 => Some(bits),
        _ => None,
    }
}

/// A constant integer with its sign, and its type.
fn number(m: &Module, known: &FxHashMap<Inst, Folded>, value: Value) -> Option<(Type, i64)> {
    match value {
        Value::Const(c) => {
            let ty = m.consts[c].ty;
            width(m, ty)?;
            match m.consts[c].kind {
                ConstKind::Int(n) => Some((ty, n)),
                ConstKind::Null => Some((ty, 0)),
                _ => None,
            }
        }
        Value::Inst(i) => match *known.get(&i)? {
            Folded::Number(ty, n) => Some((ty, n)),
            Folded::Value(value) => number(m, known, value),
        },
        _ => None,
    }
}

/// The low `bits` of a number, without sign.
fn unsigned(n: i64, bits: u32) -> u64 {
    if bits >= 64 { n as u64 } else { n as u64 & ((1 << bits) - 1) }
}

fn signed(n: u64, bits: u32) -> i64 {
    let unused = 64 - bits.clamp(1, 64);
    (n << unused) as i64 >> unused
}

fn folded(m: &Module, body: &Body, known: &FxHashMap<Inst, Folded>, i: Inst) -> Option<Folded> {
    let ty = body.insts[i].ty;
    let get = |value| number(m, known, value);
    match body.insts[i].op {
        Op::Binary { op, lhs, rhs, .. } => {
            let (bits, a, b) = (width(m, ty)?, get(lhs)?.1, get(rhs)?.1);
            Some(Folded::Number(ty, binary(op, bits, a, b)?))
        }
        Op::Cast { op, value } => {
            let (to, (from, n)) = (width(m, ty)?, get(value)?);
            let n = match op {
                CastOp::ZExt => unsigned(n, width(m, from)?),
                CastOp::SExt | CastOp::Trunc => n as u64,
                _ => return None,
            };
            Some(Folded::Number(ty, signed(n, to)))
        }
        Op::Cmp { pred, lhs, rhs, .. } => {
            let ((of, a), (_, b)) = (get(lhs)?, get(rhs)?);
            let bits = width(m, of)?;
            // A comparison is one bit, which is -1 with its sign.
            Some(Folded::Number(ty, -i64::from(compare(pred, bits, a, b)?)))
        }
        Op::Select { cond, then, other } => {
            let (_, n) = get(cond)?;
            Some(Folded::Value(if n & 1 != 0 { then } else { other }))
        }
        _ => None,
    }
}

fn binary(op: BinOp, bits: u32, a: i64, b: i64) -> Option<i64> {
    let (x, y) = (unsigned(a, bits), unsigned(b, bits));
    let shift = || u32::try_from(y).ok().filter(|&n| n < bits);
    let n = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::UDiv => x.checked_div(y)?,
        BinOp::URem => x.checked_rem(y)?,
        BinOp::SDiv => a.checked_div(b)? as u64,
        BinOp::SRem => a.checked_rem(b)? as u64,
        BinOp::Shl => x << shift()?,
        BinOp::LShr => x >> shift()?,
        BinOp::AShr => (a >> shift()?) as u64,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
    };
    Some(signed(n, bits))
}

fn compare(pred: CmpPred, bits: u32, a: i64, b: i64) -> Option<bool> {
    let (x, y) = (unsigned(a, bits), unsigned(b, bits));
    Some(match pred {
        CmpPred::IEq => x == y,
        CmpPred::INe => x != y,
        CmpPred::IUgt => x > y,
        CmpPred::IUge => x >= y,
        CmpPred::IUlt => x < y,
        CmpPred::IUle => x <= y,
        CmpPred::ISgt => a > b,
        CmpPred::ISge => a >= b,
        CmpPred::ISlt => a < b,
        CmpPred::ISle => a <= b,
        _ => return None,
    })
}
