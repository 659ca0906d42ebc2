//! Memory instructions: pointer types, alignment, indices of address computations.

use super::types::{Shapes, scalar_bits};
use super::{Checked, op, type_of, want};
use crate::Here;
use rtc_dxil_module::{ConstKind, Func, Inst, Module, Op, Ordering, Type, TypeKind, Value};

pub(super) fn check(m: &Module, shapes: &Shapes, here: Here<'_>, inst: Inst) -> Checked {
    let ty = here.body.insts[inst].ty;
    let of = |value: Value| type_of(m, Some(here.func), value);
    let pointee = |value: Value| {
        let to = m.types.pointee(of(value)?);
        to.ok_or_else(|| "uses memory through something that is no pointer".to_owned())
    };
    match *op(here, inst) {
        Op::Alloca { allocated, count, align } => {
            want(shapes.is_sized(allocated), "allocates a type without a size")?;
            want(m.types.is_int(of(count)?), "allocates a number of elements that is no integer")?;
            power(align)?;
            want(m.types.pointee(ty) == Some(allocated), "does not have the type of its result")
        }
        Op::Load { ptr, align, .. } => {
            want(pointee(ptr)? == ty, "does not have the type that its pointer points to")?;
            want(shapes.is_sized(ty), "reads a type without a size")?;
            power(align)
        }
        Op::Store { ptr, value, align, .. } => {
            let to = pointee(ptr)?;
            want(of(value)? == to, "stores a value of another type than its pointer points to")?;
            want(shapes.is_sized(to), "writes a type without a size")?;
            power(align)
        }
        Op::Gep { source, operands, .. } => {
            let operands = here.body.values(operands);
            let to = gep(m, shapes, Some(here.func), source, operands)?;
            let space = |ty: Type| match m.types[ty] {
                TypeKind::Pointer { space, .. } => Some(space),
                _ => None,
            };
            let fits = m.types.pointee(ty) == Some(to) && space(ty) == space(of(operands[0])?);
            want(fits, "does not have the type of its result")
        }
        Op::AtomicRmw { ptr, value, ordering, .. } => {
            let to = pointee(ptr)?;
            want(of(value)? == to && to == ty, "has a value of another type than its pointer points to")?;
            atomic(m, to)?;
            want(ordering != Ordering::Unordered, "is unordered")
        }
        Op::CmpXchg { ptr, expected, new, success, failure, .. } => {
            let to = pointee(ptr)?;
            let same = of(expected)? == to && of(new)? == to;
            want(same, "has a value of another type than its pointer points to")?;
            atomic(m, to)?;
            let given = m.types.fields(ty).is_some_and(|f| match *f.types {
                [value, stored] => value == to && m.types[stored] == TypeKind::Int(1),
                _ => false,
            });
            want(given, "does not have the type of its result")?;
            want(success != Ordering::Unordered && failure != Ordering::Unordered, "is unordered")?;
            let weaker = failure.code() <= success.code() && !matches!(failure, Ordering::Release | Ordering::AcqRel);
            want(weaker, "orders failure more than success, or releases then")
        }
        Op::Fence { ordering, .. } => want(ordering.code() >= Ordering::Acquire.code(), "neither acquires nor releases"),
        _ => Ok(()),
    }
}

fn power(align: u32) -> Checked {
    want(align == 0 || align.is_power_of_two(), "has an alignment that is no power of two")
}

fn atomic(m: &Module, ty: Type) -> Checked {
    let bits = scalar_bits(m, ty);
    let fits = m.types.is_int(ty) && bits >= 8 && bits.is_power_of_two();
    want(fits, "works on something that is no integer of 8, 16, 32 or 64 bits")
}

/// The type of the element that an address computation leads to.
pub(super) fn gep(m: &Module, shapes: &Shapes, func: Option<Func>, source: Type, operands: &[Value]) -> Result<Type, String> {
    let [base, indices @ ..] = operands else { return Err("computes the address of nothing".into()) };
    let pointer = type_of(m, func, *base)?;
    want(m.types.pointee(pointer) == Some(source), "does not start from a pointer to the type that it names")?;
    want(shapes.is_sized(source), "starts from a type without a size")?;
    let mut at = source;
    for (n, &index) in indices.iter().enumerate() {
        let index_ty = type_of(m, func, index)?;
        want(m.types.is_int(index_ty), "has an index that is no integer")?;
        if n == 0 {
            continue;
        }
        at = match &m.types[at] {
            TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => *elem,
            TypeKind::Struct(_) | TypeKind::Named { .. } => {
                let fields = m.types.fields(at).ok_or("goes into an opaque structure")?;
                let number = match index {
                    Value::Const(c) if m.types[index_ty] == TypeKind::Int(32) => match m.consts[c].kind {
                        ConstKind::Int(n) => usize::try_from(n).ok(),
                        _ => None,
                    },
                    _ => None,
                };
                let number = number.ok_or("has a field number that is no constant `i32`")?;
                *fields.types.get(number).ok_or_else(|| format!("names field {number}, which is not there"))?
            }
            _ => return Err("goes into something that has no elements".into()),
        };
    }
    Ok(at)
}
