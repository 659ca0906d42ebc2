//! One instruction under examination: where it is, the types of its operands, and errors about it.

use super::Errors;
use crate::{Func, Function, Inst, Module, Type, Value};

/// One instruction under examination.
pub(super) struct InstCx<'e, 'm> {
    pub e: &'e mut Errors<'m>,
    pub id: Func,
    pub f: &'m Function,
    pub i: Inst,
}

impl<'m> InstCx<'_, 'm> {
    pub fn m(&self) -> &'m Module {
        self.e.m
    }
    pub fn err(&mut self, message: impl Into<String>) {
        self.e.inst(self.id, self.i, message);
    }
    pub fn name(&self, t: Type) -> String {
        crate::text::print_type(self.m(), t)
    }
    pub fn types_of(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|&v| self.f.ty(v)).collect()
    }
    /// Complains unless the two lists of types are the same.
    pub fn same(&mut self, what: &str, given: &[Type], wanted: &[Type]) {
        let alike = |a: Type, b: Type| a == b || self.m().types.differ_in_normalisation(a, b);
        if given.len() != wanted.len() || !given.iter().zip(wanted).all(|(&a, &b)| alike(a, b)) {
            let list = |l: &[Type]| l.iter().map(|&t| self.name(t)).collect::<Vec<_>>();
            let (g, w) = (list(given).join(", "), list(wanted).join(", "));
            self.err(format!("type mismatch in {what}: expected ({w}), found ({g})"));
        }
    }
}
