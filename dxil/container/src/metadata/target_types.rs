//! Matrix types of linear algebra: `dx.targetTypes`, which says what each type `%dx.types.LinAlgMatrix…` is. Those that no operation takes or gives
//! are left out of what is written.

use super::{int, tuple, value};
use rtc_dxil_module::{Meta, Module, Op, Type, Value};
use rtc_tables::linalg::{ATTRIBUTE_ARGUMENTS, DXIL_TYPE, MatrixType, TARGET_TYPES};

/// What the metadata of a module says of its matrix types, in order. Malformed nodes are left out.
pub fn target_types(m: &Module) -> Vec<(Type, MatrixType)> {
    let mut out = Vec::new();
    for &node in m.meta.named(TARGET_TYPES) {
        let Some(&[ty, ref numbers @ ..]) = tuple(m, Some(node)) else { continue };
        let Some(ty) = value(m, ty).and_then(|v| m.value_type(None, v)) else { continue };
        let numbers: Option<Vec<u32>> = numbers.iter().map(|&n| u32::try_from(int(m, n)?).ok()).collect();
        let numbers: Option<[u32; ATTRIBUTE_ARGUMENTS]> = numbers.and_then(|n| n.try_into().ok());
        if let Some(numbers) = numbers
            && !out.iter().any(|o: &(Type, MatrixType)| o.0 == ty)
        {
            out.push((ty, MatrixType::from_numbers(numbers)));
        }
    }
    out
}

/// Whether a type is one of a matrix, by its name.
pub fn is_matrix(m: &Module, ty: Type) -> bool {
    m.types.struct_name(ty).is_some_and(|n| n.starts_with(DXIL_TYPE))
}

/// The matrix types that calls of operations take or give, in the order of the first calls.
pub fn used(m: &Module) -> Vec<Type> {
    let mut out: Vec<Type> = Vec::new();
    let bodies = m.funcs.values().filter_map(|f| f.body.as_ref());
    for body in bodies {
        for &i in body.blocks.values().flatten() {
            let Op::Call { callee: Value::Func(callee), .. } = body.insts[i].op else { continue };
            if !m.is_dx_op(callee) {
                continue;
            }
            let Some((result, params, _)) = m.types.signature(m.funcs[callee].ty) else { continue };
            for ty in std::iter::once(result).chain(params.iter().copied()) {
                if is_matrix(m, ty) && !out.contains(&ty) {
                    out.push(ty);
                }
            }
        }
    }
    out
}

/// Writes what the used matrix types are, by their names.
pub fn write(m: &mut Module) {
    for ty in used(m) {
        let Some(matrix) = m.types.struct_name(ty).and_then(MatrixType::from_dxil_name) else { continue };
        let mut elems: Vec<Option<Meta>> = vec![Some(m.meta_undef(ty))];
        elems.extend(matrix.numbers().map(|n| Some(m.meta_i32(n as i32))));
        let node = m.meta.node(&elems);
        m.meta.add_named(TARGET_TYPES, node);
    }
}
