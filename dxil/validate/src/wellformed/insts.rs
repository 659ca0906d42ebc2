//! Instructions: types of operands and results.

use super::memory;
use super::types::{Shapes, is_bool, is_float, is_int, is_pointer, lanes, scalar_bits};
use super::{Checked, attributes, op, type_of, want};
use crate::Here;
use rtc_dxil_module::{BinOp, CastOp, CmpPred, ConstKind, Inst, Module, Op, Type, TypeKind, Value};
use rustc_hash::FxHashSet;

/// Checks one instruction of a function.
pub(super) fn check(m: &Module, shapes: &Shapes, here: Here<'_>, inst: Inst) -> Checked {
    let ty = here.body.insts[inst].ty;
    let of = |value: Value| type_of(m, Some(here.func), value);
    let result = |is: Type| want(is == ty, "does not have the type of its result");
    if !matches!(m.types[ty], TypeKind::Void) {
        want(shapes.is_sized(ty), "has a result without a size")?;
    }
    match *op(here, inst) {
        Op::Ret(value) => {
            let (ret, _, _) = m.types.signature(m.funcs[here.func].ty).ok_or("is in no function")?;
            match value {
                None => want(m.types[ret] == TypeKind::Void, "returns nothing from a function that returns a value"),
                Some(value) => want(of(value)? == ret, "returns a value of another type than the function"),
            }
        }
        Op::Br(_) | Op::Unreachable => Ok(()),
        Op::CondBr { cond, .. } => want(m.types[of(cond)?] == TypeKind::Int(1), "branches on something that is no `i1`"),
        Op::Switch { value, cases, .. } => {
            let ty = of(value)?;
            want(m.types.is_int(ty), "switches on something that is no integer")?;
            let mut seen = FxHashSet::default();
            for pair in here.body.values(cases).chunks_exact(2) {
                let Value::Const(c) = pair[0] else { return Err("has a case that is no constant".into()) };
                let number = matches!(m.consts[c].kind, ConstKind::Int(_) | ConstKind::WideInt(_) | ConstKind::Null);
                want(number && m.consts[c].ty == ty, "has a case of another type")?;
                want(seen.insert(c), "has the same case twice")?;
            }
            Ok(())
        }
        Op::Binary { op, lhs, rhs, .. } => binary(m, op, of(lhs)?, of(rhs)?, ty),
        Op::Cast { op, value } => cast(m, op, of(value)?, ty),
        Op::Cmp { pred, lhs, rhs, .. } => compare(m, pred, of(lhs)?, of(rhs)?, ty),
        Op::Select { cond, then, other } => select(m, of(cond)?, of(then)?, of(other)?, ty),
        Op::Phi(list) => {
            for pair in here.body.values(list).chunks(2) {
                want(of(pair[0])? == ty, "joins a value of another type")?;
            }
            Ok(())
        }
        Op::Call { callee, ty: signature, attrs, args, .. } => {
            let pointer = of(callee)?;
            want(m.types.pointee(pointer) == Some(signature), "calls something that is no function of this type")?;
            let (ret, params, vararg) = m.types.signature(signature).ok_or("calls something that is no function")?;
            let args = here.body.values(args);
            let enough = args.len() == params.len() || vararg && args.len() > params.len();
            want(enough, "has another number of arguments than the function")?;
            for (n, (&arg, &param)) in args.iter().zip(params).enumerate() {
                let fits = match m.types[param] {
                    TypeKind::Metadata => matches!(arg, Value::Meta(_) | Value::LocalMeta(_)),
                    TypeKind::Label => matches!(arg, Value::Block(_)),
                    _ => of(arg)? == param,
                };
                if !fits {
                    return Err(format!("has an argument {n} of another type than the function"));
                }
            }
            attributes::list(m, attrs, signature)?;
            result(ret)
        }
        Op::ExtractValue { value, path } => {
            let at = field(m, of(value)?, here.body.path(path))?;
            result(at)
        }
        Op::InsertValue { value, field: new, path } => {
            let whole = of(value)?;
            let at = field(m, whole, here.body.path(path))?;
            want(of(new)? == at, "puts in a value of another type")?;
            result(whole)
        }
        Op::ExtractElement { vector, index } => {
            let from = of(vector)?;
            want(lanes(m, from).is_some(), "takes a component of something that is no vector")?;
            want(m.types.is_int(of(index)?), "has an index that is no integer")?;
            result(m.types.scalar(from))
        }
        Op::InsertElement { vector, value, index } => {
            let whole = of(vector)?;
            want(lanes(m, whole).is_some(), "replaces a component of something that is no vector")?;
            want(m.types.scalar(whole) == of(value)?, "puts in a component of another type")?;
            want(m.types.is_int(of(index)?), "has an index that is no integer")?;
            result(whole)
        }
        Op::ShuffleVector { lhs, rhs, mask } => shuffle(m, [of(lhs)?, of(rhs)?, of(mask)?], mask, ty),
        _ => memory::check(m, shapes, here, inst),
    }
}

/// An operation on two numbers.
pub(super) fn binary(m: &Module, op: BinOp, lhs: Type, rhs: Type, ty: Type) -> Checked {
    want(lhs == rhs, "has operands of two types")?;
    want(lhs == ty, "does not have the type of its operands")?;
    let float = is_float(m, lhs);
    want(float || is_int(m, lhs), "has operands that are no numbers")?;
    want(!float || op.float_text().is_some(), "is an operation on integers and has floats")
}

/// A comparison.
pub(super) fn compare(m: &Module, pred: CmpPred, lhs: Type, rhs: Type, ty: Type) -> Checked {
    want(lhs == rhs, "has operands of two types")?;
    if pred.is_float() {
        want(is_float(m, lhs), "compares floats and has others")?;
    } else {
        want(is_int(m, lhs) || is_pointer(m, lhs), "compares integers or pointers and has others")?;
    }
    want(is_bool(m, ty) && lanes(m, ty) == lanes(m, lhs), "gives something that is no `i1` for each comparison")
}

/// A choice.
pub(super) fn select(m: &Module, cond: Type, then: Type, other: Type, ty: Type) -> Checked {
    want(then == other, "chooses between values of two types")?;
    want(then == ty, "does not have the type of its operands")?;
    want(is_bool(m, cond), "chooses by something that is no `i1`")?;
    let fits = lanes(m, cond).is_none() || lanes(m, cond) == lanes(m, then);
    want(fits, "chooses by a vector of another length")
}

/// A conversion.
pub(super) fn cast(m: &Module, op: CastOp, from: Type, to: Type) -> Checked {
    let (f, t) = (scalar_bits(m, from), scalar_bits(m, to));
    let ints = is_int(m, from) && is_int(m, to);
    let floats = is_float(m, from) && is_float(m, to);
    let pointers = is_pointer(m, from) && is_pointer(m, to);
    let same_lanes = lanes(m, from) == lanes(m, to);
    let fits = match op {
        CastOp::Trunc => ints && f > t && same_lanes,
        CastOp::ZExt | CastOp::SExt => ints && f < t && same_lanes,
        CastOp::FpTrunc => floats && f > t && same_lanes,
        CastOp::FpExt => floats && f < t && same_lanes,
        CastOp::UiToFp | CastOp::SiToFp => is_int(m, from) && is_float(m, to) && same_lanes,
        CastOp::FpToUi | CastOp::FpToSi => is_float(m, from) && is_int(m, to) && same_lanes,
        CastOp::PtrToInt => is_pointer(m, from) && is_int(m, to) && same_lanes,
        CastOp::IntToPtr => is_int(m, from) && is_pointer(m, to) && same_lanes,
        CastOp::BitCast if pointers => same_lanes && space(m, from) == space(m, to),
        CastOp::BitCast => {
            let bits = |ty, scalar: u32| u64::from(scalar) * u64::from(lanes(m, ty).unwrap_or(1));
            f > 0 && t > 0 && bits(from, f) == bits(to, t)
        }
        CastOp::AddrSpaceCast => pointers && same_lanes && space(m, from) != space(m, to),
    };
    want(fits, "converts between types that this conversion does not have")
}

/// The address space of a pointer or a vector of them.
fn space(m: &Module, ty: Type) -> Option<u32> {
    match m.types[m.types.scalar(ty)] {
        TypeKind::Pointer { space, .. } => Some(space),
        _ => None,
    }
}

/// The type at the end of a path of field numbers.
fn field(m: &Module, mut ty: Type, path: &[u32]) -> Result<Type, String> {
    if path.is_empty() {
        return Err("names no field".into());
    }
    for &index in path {
        let inside = match &m.types[ty] {
            TypeKind::Array { elem, len } => (u64::from(index) < *len).then_some(*elem),
            _ => m.types.fields(ty).and_then(|f| f.types.get(index as usize).copied()),
        };
        ty = inside.ok_or_else(|| format!("names field {index}, which is not there"))?;
    }
    Ok(ty)
}

fn shuffle(m: &Module, [lhs, rhs, mask_ty]: [Type; 3], mask: Value, ty: Type) -> Checked {
    let (Some(from), Some(to)) = (lanes(m, lhs), lanes(m, mask_ty)) else {
        return Err("works on something that is no vector".into());
    };
    want(lhs == rhs, "has operands of two types")?;
    let fits = m.types.scalar(ty) == m.types.scalar(lhs) && lanes(m, ty) == Some(to);
    want(fits, "does not have the type of its result")?;
    want(m.types[m.types.scalar(mask_ty)] == TypeKind::Int(32), "has a mask that is no vector of `i32`")?;
    let limit = u64::from(from) * 2;
    let Value::Const(c) = mask else { return Err("has a mask that is no constant".into()) };
    let inside = match &m.consts[c].kind {
        ConstKind::Null | ConstKind::Undef => true,
        ConstKind::Data(bits) => bits.iter().all(|&b| b < limit),
        ConstKind::Aggregate(values) => values.iter().all(|v| match v {
            Value::Const(c) => match m.consts[*c].kind {
                ConstKind::Int(n) => u64::try_from(n).is_ok_and(|n| n < limit),
                ConstKind::Undef => true,
                _ => false,
            },
            _ => false,
        }),
        _ => false,
    };
    want(inside, "has a mask with a component that neither operand has")
}
