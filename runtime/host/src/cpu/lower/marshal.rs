//! Marshalling: arguments and results of runtime operations to and from 64-bit slots ([`crate::cpu::args`]).

use crate::cpu::args::Scalar;
use rtc_dxil_module::{Builder, CastOp, Func, Inst, Module, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{DxilOp, OpTy};

/// The address of a slot.
pub fn slot(b: &mut Builder<'_>, slots: Inst, n: usize) -> Value {
    let n = b.module.i32(n as i32);
    b.gep(false, Value::Inst(slots), &[n])
}

/// Rebuilds a value of a type from the slots, from `next` on.
pub fn rebuild(b: &mut Builder<'_>, slots: Inst, ty: Type, next: &mut usize) -> Value {
    match b.module.types[ty].clone() {
        TypeKind::Vector { elem, len } => {
            let mut out = b.module.undef(ty);
            for n in 0..len {
                let part = rebuild(b, slots, elem, next);
                let n = b.module.i32(n as i32);
                out = b.insert_element(out, part, n);
            }
            out
        }
        TypeKind::Struct(fields) | TypeKind::Named { body: Some(fields), .. } => {
            let mut out = b.module.undef(ty);
            for (n, &field) in fields.types.iter().enumerate() {
                let part = rebuild(b, slots, field, next);
                out = b.insert_value(out, part, n as u32);
            }
            out
        }
        TypeKind::Array { elem, len } => {
            let mut out = b.module.undef(ty);
            for n in 0..len {
                let part = rebuild(b, slots, elem, next);
                out = b.insert_value(out, part, n as u32);
            }
            out
        }
        kind => {
            let from = slot(b, slots, *next);
            *next += 1;
            let bits = b.load(from, 8);
            match kind {
                TypeKind::Int(64) => bits,
                TypeKind::Int(_) => b.cast(CastOp::Trunc, bits, ty),
                TypeKind::Pointer { .. } => b.cast(CastOp::IntToPtr, bits, ty),
                TypeKind::Double => b.cast(CastOp::BitCast, bits, ty),
                _ => {
                    let half = kind == TypeKind::Half;
                    let int = if half { b.module.types.i16() } else { b.module.types.i32() };
                    let bits = b.cast(CastOp::Trunc, bits, int);
                    b.cast(CastOp::BitCast, bits, ty)
                }
            }
        }
    }
}

/// The bits of a handle.
pub fn whole(b: &mut Builder<'_>, handle: Value) -> Value {
    let mut slots = Vec::new();
    flatten(b, handle, &mut slots);
    slots.first().copied().unwrap_or_else(|| b.module.const_int(64, 0))
}

/// The handle with these bits.
pub fn handle_of(b: &mut Builder<'_>, bits: Value, ty: Type) -> Value {
    let field = b.module.types.fields(ty).and_then(|f| f.types.first().copied());
    let pointer = b.cast(CastOp::IntToPtr, bits, field.unwrap_or(ty));
    match field {
        Some(_) => {
            let empty = b.module.undef(ty);
            b.insert_value(empty, pointer, 0)
        }
        None => pointer,
    }
}

/// The 64-bit slots of a value.
pub fn flatten(b: &mut Builder<'_>, value: Value, out: &mut Vec<Value>) {
    let ty = b.type_of(value);
    let i64_ty = b.module.types.i64();
    match b.module.types[ty].clone() {
        TypeKind::Int(64) => out.push(value),
        TypeKind::Int(_) => out.push(b.cast(CastOp::ZExt, value, i64_ty)),
        TypeKind::Pointer { .. } => out.push(b.cast(CastOp::PtrToInt, value, i64_ty)),
        TypeKind::Double => out.push(b.cast(CastOp::BitCast, value, i64_ty)),
        kind @ (TypeKind::Half | TypeKind::Float) => {
            let half = kind == TypeKind::Half;
            let int = if half { b.module.types.i16() } else { b.module.types.i32() };
            let bits = b.cast(CastOp::BitCast, value, int);
            out.push(b.cast(CastOp::ZExt, bits, i64_ty));
        }
        TypeKind::Vector { len, .. } => {
            for n in 0..len {
                let n = b.module.i32(n as i32);
                let part = b.extract_element(value, n);
                flatten(b, part, out);
            }
        }
        TypeKind::Struct(fields) | TypeKind::Named { body: Some(fields), .. } => {
            for n in 0..fields.types.len() {
                let part = b.extract_value(value, n as u32);
                flatten(b, part, out);
            }
        }
        TypeKind::Array { len, .. } => {
            for n in 0..len {
                let part = b.extract_value(value, n as u32);
                flatten(b, part, out);
            }
        }
        _ => {}
    }
}

/// The scalars of a type.
pub fn leaves(m: &Module, ty: Type, out: &mut Vec<Type>) {
    match &m.types[ty] {
        TypeKind::Void => {}
        TypeKind::Vector { elem, len } => out.extend(std::iter::repeat_n(*elem, *len as usize)),
        TypeKind::Array { elem, len } => (0..*len).for_each(|_| leaves(m, *elem, out)),
        TypeKind::Struct(fields) | TypeKind::Named { body: Some(fields), .. } => {
            fields.types.iter().for_each(|&f| leaves(m, f, out));
        }
        _ => out.push(ty),
    }
}

/// The scalar type of a number or vector, and its components if it is a vector, else 0.
pub fn numeric(m: &Module, ty: Type) -> Option<(Scalar, u16)> {
    let lanes = match m.types[ty] {
        TypeKind::Vector { len, .. } => len as u16,
        _ => 0,
    };
    let scalar = match m.types[m.types.scalar(ty)] {
        TypeKind::Half => Scalar::F16,
        TypeKind::Float => Scalar::F32,
        TypeKind::Double => Scalar::F64,
        TypeKind::Int(1) => Scalar::I1,
        TypeKind::Int(8) => Scalar::I8,
        TypeKind::Int(16) => Scalar::I16,
        TypeKind::Int(32) => Scalar::I32,
        TypeKind::Int(64) => Scalar::I64,
        _ => return None,
    };
    Some((scalar, lanes))
}

/// The overload of a call: the type of the result or parameter that the overload determines.
pub fn overload(m: &Module, op: &DxilOp, _callee: Func, args: &[Value], result: Type, func: Func) -> (Scalar, u16) {
    let of = |ty: Type| numeric(m, ty);
    if op.is_plain() {
        return (Scalar::Void, 0);
    }
    let fields = |ty: Type| m.types.fields(ty).and_then(|f| f.types.first().copied());
    let from_result = match op.result {
        OpTy::O | OpTy::X(0) => of(result),
        OpTy::ResRet | OpTy::CBufRet => fields(result).and_then(of),
        _ => None,
    };
    let from_args = || {
        op.params.iter().zip(args).find_map(|(&(_, ty), &v)| match ty {
            OpTy::O | OpTy::X(0) | OpTy::OElem => of(m.value_type(Some(func), v)?),
            _ => None,
        })
    };
    // Results that depend on the overload indirectly: the same lanes, another component type.
    let hinted = || match op.result {
        OpTy::OI1 | OpTy::OI32 | OpTy::OVec4 | OpTy::OVec2 | OpTy::OVec9 => of(result),
        _ => None,
    };
    from_result.or_else(from_args).or_else(hinted).unwrap_or((Scalar::Void, 0))
}
