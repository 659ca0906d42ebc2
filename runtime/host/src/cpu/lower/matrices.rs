//! The types of operations on matrices of linear algebra: the runtime needs those of all operands, not only of an overload.

use super::marshal::{leaves, numeric};
use crate::cpu::matrices::Operands;
use crate::cpu::ops::linalg::part;
use rtc_dxil_module::{Func, Module, Type, TypeKind, Value};
use rtc_tables::linalg::rules::Part;
use rtc_tables::linalg::{MatrixType, SCOPE_THREAD};
use std::sync::Arc;

/// What a type is for an operation on matrices.
fn of(m: &Module, ty: Type) -> Part {
    if let TypeKind::Named { name: Some(name), .. } = &m.types[ty]
        && let Some(matrix) = MatrixType::from_dxil_name(name)
    {
        return Part::Matrix(matrix);
    }
    numeric(m, ty).map_or(Part::Other, |(scalar, lanes)| part(scalar, lanes))
}

/// The types of a call with these arguments and this result.
pub fn operands(m: &Module, func: Func, args: &[Value], result: Type) -> Arc<Operands> {
    let (mut slots, mut params) = (Vec::new(), Vec::new());
    for &v in args {
        let first = slots.len().min(u16::MAX.into()) as u16;
        let Some(ty) = m.value_type(Some(func), v) else { continue };
        leaves(m, ty, &mut slots);
        params.push((of(m, ty), first));
    }
    Arc::new(Operands { result: of(m, result), params: params.into() })
}

/// Whether threads share a matrix of a call, so that they meet there.
pub fn are_shared(m: &Module, func: Func, args: &[Value], result: Type) -> bool {
    let shared = |ty| matches!(of(m, ty), Part::Matrix(t) if t.scope != SCOPE_THREAD);
    shared(result) || args.iter().any(|&v| m.value_type(Some(func), v).is_some_and(shared))
}
