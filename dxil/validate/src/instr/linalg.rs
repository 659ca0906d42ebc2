//! Rules about linear algebra: what [`rtc_tables::linalg::rules`] says of a call, whose matrix types metadata describes.

use super::*;
use rtc_dxil_container::metadata::target_types;
use rtc_dxil_module::TypeKind;
use rtc_tables::linalg::rules::{self, Part};

/// A call of an operation on matrices.
pub(super) fn call(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    if call.args[1..].iter().any(|&v| cx.is_undef(v)) {
        let text = format!("an argument of {} is undefined", call.op.name);
        cx.inst(rule::INSTR_UNINITIALIZED, here, call.inst, text);
    }
    let operands: Vec<Part> = call.args[1..].iter().map(|&v| part(cx, here, v)).collect();
    let result = of_type(cx, here.body.insts[call.inst].ty);
    for broken in rules::check(&rules::Call { op: call.op.opcode, result, operands: &operands }) {
        cx.inst(broken.rule, here, call.inst, broken.message);
    }
}

fn part(cx: &Cx<'_>, here: Here<'_>, value: Value) -> Part {
    let Some(ty) = cx.ty(here, value) else { return Part::Other };
    if cx.instr.class(ty) == TypeClass::Handle {
        let props = handles::of(cx, value).props;
        return props.class().map_or(Part::Other, |class| Part::Resource(class, props.kind()));
    }
    match cx.m.types[ty] {
        TypeKind::Int(_) => cx.int(value).map_or(Part::Variable, |n| Part::Constant(n as u64 & u64::from(u32::MAX))),
        _ => of_type(cx, ty),
    }
}

fn of_type(cx: &Cx<'_>, ty: Type) -> Part {
    if let TypeKind::Vector { elem, len } = cx.m.types[ty] {
        let name = match cx.m.types[elem] {
            TypeKind::Half => "half",
            TypeKind::Float => "float",
            TypeKind::Double => "double",
            TypeKind::Int(16) => "i16",
            TypeKind::Int(32) => "i32",
            _ => "i64",
        };
        return Part::Vector(len, name, cx.m.types.is_float(elem));
    }
    if !target_types::is_matrix(cx.m, ty) {
        return Part::Other;
    }
    match cx.instr.matrices.iter().find(|m| m.0 == ty) {
        Some(m) => Part::Matrix(m.1),
        None => Part::UnknownMatrix,
    }
}
