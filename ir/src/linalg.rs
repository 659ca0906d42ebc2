//! Which rules of linear algebra an instruction breaks: those of [`rtc_tables::linalg::rules`], on the operands that it has.

use rtc_tables::insts::Opcode;
use rtc_tables::linalg::rules::{self, Part};
use smallvec::SmallVec;

use crate::{Function, Inst, InstData, Scalar, TypeTable, Value};

/// The operands of an instruction that are not indices of its place.
fn values(f: &Function, i: Inst) -> SmallVec<[Value; 8]> {
    match f.insts[i] {
        InstData::Access { place, args, .. } => f.get(args)[f.places[place].dyn_count()..].into(),
        _ => f.operands(i).into_iter().collect(),
    }
}

/// What rules an instruction of linear algebra breaks, a sentence without full stop for each. `constant` says which constant a value is.
pub fn broken(types: &TypeTable, f: &Function, i: Inst, constant: &dyn Fn(Value) -> Option<u64>) -> Vec<String> {
    let Some(dxil) = rules::operation(f.op(i)) else { return Vec::new() };
    let values = values(f, i);
    let named = dxil.row().params.iter().filter(|p| !rules::is_memory(p.1)).zip(&values);
    let mut undefined = named.filter(|(_, v)| types.as_linalg(f.ty(**v)).is_some() && f.is_undef(**v));
    if let Some((param, _)) = undefined.next() {
        return vec![format!("argument `{}` is a matrix that has no value yet", param.0)];
    }
    let part = |v: Value| part(types, f, v, constant);
    let mut values = values.into_iter();
    let operand = |p: &(&str, _)| if rules::is_memory(p.1) { Part::Other } else { values.next().map_or(Part::Other, part) };
    let operands: Vec<Part> = dxil.row().params.iter().map(operand).collect();
    let result = f.results(i).first().map_or(Part::Other, |&v| part(v));
    rules::check(&rules::Call { op: dxil, result, operands: &operands }).into_iter().map(|b| b.message).collect()
}

/// What a value is for the rules.
fn part(types: &TypeTable, f: &Function, v: Value, constant: &dyn Fn(Value) -> Option<u64>) -> Part {
    let ty = f.ty(v);
    if let Some(t) = types.as_linalg(ty) {
        return Part::Matrix(t);
    }
    if let Some(r) = types.as_resource(ty) {
        return Part::Resource(r.class, r.kind);
    }
    match types.numeric(ty) {
        Some((s @ (Scalar::Bool | Scalar::I32), 1)) => match constant(v) {
            Some(bits) => Part::Constant(bits & u64::from(u32::MAX)),
            None => Part::Vector(1, s.name(), false),
        },
        Some((s, n)) => Part::Vector(n, s.name(), s.is_float()),
        None => Part::Other,
    }
}

/// Whether an instruction is one of linear algebra.
pub fn is_operation(op: Opcode) -> bool {
    rules::operation(op).is_some()
}
