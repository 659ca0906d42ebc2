//! Long vectors become several short ones: LLVM takes time and stack that grow with the square of a vector's length.

use rtc_dxil_module::pieces::{Rule, take_apart};
use rtc_dxil_module::{Func, Module, Type, TypeKind, Value};

/// Components of the longest vector that LLVM is given: a few registers.
const WIDTH: u32 = 16;

/// Divides the long vectors of a shader.
pub fn divide(m: &mut Module, func: Func) {
    take_apart(m, func, &mut Short);
}

struct Short;

impl Rule for Short {
    fn width(&self) -> u32 {
        WIDTH
    }

    fn aggregates(&self, _: &Module, _: Type) -> bool {
        false
    }

    fn memory(&self) -> bool {
        true
    }

    /// All intrinsics that lowering makes are component-wise; their names end in the types of their operands.
    fn component_wise(&mut self, m: &mut Module, callee: Func, _: &[Value], components: u32) -> Option<Func> {
        let name = m.funcs[callee].name.strip_prefix("llvm.")?.to_owned();
        let shorter = |part: &str| match part.strip_prefix('v').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit())) {
            Some(scalar) if scalar.starts_with(['i', 'f']) && part[1..].starts_with(|c: char| c.is_ascii_digit()) => match components {
                1 => scalar.to_owned(),
                n => format!("v{n}{scalar}"),
            },
            _ => part.to_owned(),
        };
        let name = format!("llvm.{}", name.split('.').map(shorter).collect::<Vec<_>>().join("."));
        if let Some(known) = m.find_function(&name) {
            return Some(known);
        }
        let (ret, params, _) = m.types.signature(m.funcs[callee].ty)?;
        let (ret, params) = (ret, params.to_vec());
        let mut short = |ty: Type| match m.types[ty] {
            TypeKind::Vector { elem, .. } if components == 1 => elem,
            TypeKind::Vector { elem, .. } => m.types.vector(elem, components),
            _ => ty,
        };
        let (ret, params) = (short(ret), params.into_iter().map(short).collect::<Vec<_>>());
        let ty = m.types.function(ret, &params);
        Some(m.add_function(&name, ty))
    }
}
