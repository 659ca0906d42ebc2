//! Constants: operands and type agree.

use super::insts::{binary, cast, compare, select};
use super::types::Shapes;
use super::{Checked, memory, type_of, want};
use crate::Cx;
use rtc_dxil_module::{ConstData, ConstKind, Module, TypeKind, Value, data_width};
use rtc_tables::validation::rule;

pub(super) fn check(cx: &mut Cx<'_>, shapes: &Shapes) {
    let m = cx.m;
    for (c, data) in m.consts.iter() {
        if let Err(reason) = constant(m, shapes, data) {
            cx.module(rule::BITCODE_VALID, format!("constant number {} {reason}", c.as_u32()));
        }
    }
}

fn constant(m: &Module, shapes: &Shapes, data: &ConstData) -> Checked {
    let ty = data.ty;
    let kind = &m.types[ty];
    if matches!(kind, TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Function { .. }) {
        return Err("has a type that has no constants".into());
    }
    match &data.kind {
        ConstKind::Null => want(shapes.is_sized(ty), "is the zero of a type without a size"),
        ConstKind::Undef => Ok(()),
        ConstKind::Int(_) => want(matches!(kind, TypeKind::Int(1..=64)), "is no integer"),
        ConstKind::WideInt(words) => match kind {
            TypeKind::Int(bits) => want(*bits > 64 && words.len() as u64 * 64 <= u64::from(*bits) + 63, "has too many words"),
            _ => Err("is no integer".into()),
        },
        ConstKind::Float(_) => want(m.types.is_float(ty), "is no float"),
        ConstKind::Data(bits) => match *kind {
            TypeKind::Array { elem, len } => {
                want(len == bits.len() as u64 && data_width(&m.types, elem).is_some(), "has the wrong elements")
            }
            TypeKind::Vector { elem, len } => {
                want(len as usize == bits.len() && data_width(&m.types, elem).is_some(), "has the wrong elements")
            }
            _ => Err("has elements, its type has none".into()),
        },
        ConstKind::Aggregate(values) => aggregate(m, data, values),
        ConstKind::Cast { op, value } => cast(m, *op, type_of(m, None, *value)?, ty),
        ConstKind::Gep { source, operands, .. } => {
            let made = memory::gep(m, shapes, None, *source, operands)?;
            want(m.types.pointee(ty) == Some(made), "is not of the type of the element that it is the address of")
        }
        ConstKind::Binary { op, operands: [lhs, rhs], .. } => {
            let (lhs, rhs) = (type_of(m, None, *lhs)?, type_of(m, None, *rhs)?);
            binary(m, *op, lhs, rhs, ty)
        }
        ConstKind::Compare { pred, operands: [lhs, rhs] } => {
            let (lhs, rhs) = (type_of(m, None, *lhs)?, type_of(m, None, *rhs)?);
            compare(m, *pred, lhs, rhs, ty)
        }
        ConstKind::Select { operands: [cond, then, other] } => {
            let (cond, then) = (type_of(m, None, *cond)?, type_of(m, None, *then)?);
            select(m, cond, then, type_of(m, None, *other)?, ty)
        }
    }
}

fn aggregate(m: &Module, data: &ConstData, values: &[Value]) -> Checked {
    let len = match m.types[data.ty] {
        TypeKind::Array { len, .. } => len,
        TypeKind::Vector { len, .. } => len.into(),
        _ => m.types.fields(data.ty).ok_or("has elements, its type has none")?.types.len() as u64,
    };
    want(len == values.len() as u64, "has the wrong number of elements")?;
    for (at, &value) in values.iter().enumerate() {
        if m.types.element(data.ty, at as u64) != Some(type_of(m, None, value)?) {
            return Err(format!("has an element {at} of another type"));
        }
    }
    Ok(())
}
