//! Rules about memory: addresses, the types of what is stored, reinterpreted pointers.

use super::*;
use rtc_dxil_module::{CastOp, GROUPSHARED, TypeKind};

/// The generic address space.
const GENERIC: u32 = 4;
/// The address space of node records.
pub(super) const NODE_RECORD: u32 = 6;
/// Addresses of addresses: how far to look back.
const FAR: u32 = 64;

/// The type and address space of a pointer.
pub(super) fn pointer(m: &Module, ty: Type) -> Option<(Type, u32)> {
    match m.types[ty] {
        TypeKind::Pointer { pointee, space } => Some((pointee, space)),
        _ => None,
    }
}

/// What an address was computed from.
pub(super) fn base(m: &Module, here: Here<'_>, value: Value) -> Value {
    let mut v = value;
    for _ in 0..FAR {
        v = match v {
            Value::Inst(i) => match here.body.insts[i].op {
                Op::Gep { operands, .. } => match here.body.values(operands).first() {
                    Some(&base) => base,
                    None => return v,
                },
                Op::Cast { op: CastOp::BitCast, value } => value,
                _ => return v,
            },
            Value::Const(c) => match &m.consts[c].kind {
                ConstKind::Gep { operands, .. } if !operands.is_empty() => operands[0],
                ConstKind::Cast { op: CastOp::BitCast, value } => *value,
                _ => return v,
            },
            _ => return v,
        };
    }
    v
}

/// An address computed from constants lies inside the object.
pub(super) fn gep(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    let data = &here.body.insts[inst];
    let Op::Gep { source, operands, .. } = data.op else { return };
    if let Some((pointee, _)) = pointer(cx.m, data.ty) {
        kept(cx, here, inst, pointee);
    }
    let Some((_, indices)) = here.body.values(operands).split_first() else { return };
    if indices.iter().any(|&i| cx.int(i).is_none()) {
        return;
    }
    let mut sizes = std::mem::take(&mut cx.instr.sizes);
    let inside = is_inside(cx, &mut sizes, source, indices, data.ty);
    cx.instr.sizes = sizes;
    if inside == Some(false) {
        cx.inst(rule::INSTR_IN_BOUNDS, here, inst, "the address lies outside the object");
    }
}

/// Whether the element at constant indices lies in one object of type `source`; none if something has no size. Addresses have 32 bits,
/// as in the reference validator: the element just in front of an object ends where the object begins, and is let through.
fn is_inside(cx: &Cx<'_>, sizes: &mut Sizes, source: Type, indices: &[Value], result: Type) -> Option<bool> {
    let m = cx.m;
    let all = i128::from(sizes.of(m, source)?);
    let (element, _) = pointer(m, result)?;
    let element = i128::from(sizes.of(m, element)?);
    let mut at = all.checked_mul(cx.int(*indices.first()?)?.into())?;
    let mut ty = source;
    for &index in &indices[1..] {
        let n = cx.int(index)?;
        match m.types[ty] {
            TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => {
                at += i128::from(sizes.of(m, elem)?).checked_mul(n.into())?;
                ty = elem;
            }
            _ => {
                let n = usize::try_from(n).ok()?;
                at += i128::from(sizes.field(m, ty, n)?);
                ty = *m.types.fields(ty)?.types.get(n)?;
            }
        }
    }
    Some((at + element) as u32 <= all as u32)
}

/// What is loaded, stored and made room for is no structure that only operations make, and hit objects stay on the stack.
pub(super) fn access(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    let data = &here.body.insts[inst];
    let (ty, ptr) = match data.op {
        Op::Alloca { allocated, .. } => (Some(allocated), None),
        Op::Load { ptr, .. } => (Some(data.ty), Some(ptr)),
        Op::Store { ptr, value, .. } => (cx.ty(here, value), Some(ptr)),
        _ => return,
    };
    let Some(ty) = ty else { return };
    kept(cx, here, inst, ty);
    if let Some(ptr) = ptr {
        hit_objects::access(cx, here, inst, ty, ptr);
    }
}

/// Something of this type is in memory.
fn kept(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst, ty: Type) {
    let mut ty = ty;
    while let TypeKind::Array { elem, .. } = cx.m.types[ty] {
        ty = elem;
    }
    let class = cx.instr.class(ty);
    if class.is_builtin() && class != TypeClass::Handle {
        cx.inst(rule::INSTR_DXIL_STRUCT_USER, here, inst, "the result of an operation is kept in memory");
    }
}

/// Conversions of pointers, and reinterpretation.
pub(super) fn cast(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    let data = &here.body.insts[inst];
    let Op::Cast { op, value } = data.op else { return };
    let Some(from) = cx.ty(here, value) else { return };
    let (from_ptr, to_ptr) = (pointer(cx.m, from), pointer(cx.m, data.ty));
    match op {
        CastOp::AddrSpaceCast => {
            let generic = |p: Option<(Type, u32)>| p.is_some_and(|p| p.1 == GENERIC);
            if !generic(from_ptr) && !generic(to_ptr) {
                let text = "neither side is in the generic address space";
                cx.inst(rule::INSTR_SPACE_CAST, here, inst, text);
            }
        }
        CastOp::BitCast => {
            // Lifetimes are about bytes.
            if to_ptr.is_some_and(|p| cx.m.types[p.0] == TypeKind::Int(8)) && since(cx, 6) {
                return;
            }
            bitcast(cx, here, inst, from, data.ty);
        }
        _ => {}
    }
}

fn bitcast(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst, from: Type, to: Type) {
    let (mut from, mut to) = (from, to);
    if let (Some((a, _)), Some((b, _))) = (pointer(cx.m, from), pointer(cx.m, to)) {
        (from, to) = (a, b);
        let sizes = &mut cx.instr.sizes;
        if sizes.of(cx.m, from) != sizes.of(cx.m, to) {
            return cx.inst(rule::INSTR_PTR_BITCAST, here, inst, "what the pointers point to has different sizes");
        }
        for ty in [&mut from, &mut to] {
            while let TypeKind::Array { elem, .. } = cx.m.types[*ty] {
                *ty = elem;
            }
        }
    }
    let m = cx.m;
    if [from, to].iter().any(|&ty| m.types.fields(ty).is_some()) && !cx.info.is_library() {
        return cx.inst(rule::INSTR_STRUCT_BITCAST, here, inst, "a structure is reinterpreted");
    }
    // Of a scalar: vectors have at least 32 bits in memory.
    let bytes = |ty: Type| bits(m, ty).map(|bits| bits.div_ceil(8));
    if cx.instr.min_precision && [from, to].iter().any(|&ty| bytes(ty).is_some_and(|n| n < 4)) {
        cx.inst(rule::INSTR_MIN_PRECISION_BITCAST, here, inst, "a value of minimum precision is reinterpreted");
    }
}

/// An address of groupshared memory comes from a variable.
pub(super) fn groupshared(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    let data = &here.body.insts[inst];
    if pointer(cx.m, data.ty).is_none_or(|p| p.1 != GROUPSHARED) {
        return;
    }
    let known = match data.op {
        Op::Gep { .. } | Op::Cast { op: CastOp::BitCast, .. } => {
            matches!(base(cx.m, here, Value::Inst(inst)), Value::Global(_))
        }
        _ => false,
    };
    if !known {
        cx.inst(rule::INSTR_TGSM_POINTER, here, inst, "it is open into which variable the address points");
    }
}

/// Bits of a scalar in a register.
fn bits(m: &Module, ty: Type) -> Option<u32> {
    Some(match m.types[ty] {
        TypeKind::Half => 16,
        TypeKind::Float => 32,
        TypeKind::Double => 64,
        TypeKind::Int(bits) => bits,
        TypeKind::Pointer { .. } => 32,
        _ => return None,
    })
}
