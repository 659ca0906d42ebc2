//! `precise`: what is declared so is marked where it is stored; which instructions that makes exact, passes find.
//!
//! Members, variables and parameters have the mark in the IR ([`rtc_ir::Field::precise`]). What is no variable there (a buffer, an output of a mesh
//! shader, a result) gets its value through one that has it. As long as it is not decided which instructions are exact, all are.

use rtc_ir::Root;

use super::func::FnCx;
use super::operand::{Base, LValue, Val, Var};
use super::types::Shape;
use crate::hir::{self, ExprId, ExprKind};

/// Whether a program has something `precise`.
pub(super) fn is_requested(m: &hir::Module, outputs: &[String]) -> bool {
    !outputs.is_empty()
        || m.types.records.values().any(|r| r.fields.iter().any(|f| f.precise))
        || m.globals.values().any(|g| g.precise)
        || m.funcs.values().any(|f| f.precise || f.body.locals.values().any(|l| l.precise))
}

impl FnCx<'_, '_> {
    /// The value `x` by way of a variable that is `precise`.
    pub(super) fn exactly(&mut self, x: &Val, shape: Shape) -> Val {
        let through = self.temp(shape);
        if let LValue::Var(Var { base: Base::Root(Root::Local(l)), .. }) = through {
            self.func.locals[l].precise = true;
        }
        self.store(&through, x);
        self.load(&through)
    }

    /// The number `x` that goes to l-value `p`, which expression `to` denotes: exactly, if that is `precise` and no variable says so.
    pub(super) fn exactly_for(&mut self, to: ExprId, p: &LValue, x: Val) -> Val {
        let mut whole = p;
        while let LValue::Part(inner, ..) = whole {
            whole = inner;
        }
        let known = matches!(whole, LValue::Var(Var { base: Base::Root(Root::Local(_) | Root::Global(_)), .. }));
        if known || !self.precise || matches!(x, Val::Agg(_)) || !self.is_precise(to) {
            return x;
        }
        self.exactly(&x, p.shape())
    }

    /// Whether an l-value expression denotes something `precise`.
    fn is_precise(&self, mut e: ExprId) -> bool {
        loop {
            let precise = match self.body.exprs[e].kind {
                ExprKind::Local(l) => self.body.locals[l].precise,
                ExprKind::Global(g) => self.l.hir.globals[g].precise,
                ExprKind::Field(of, n) => self.record_of(of).is_some_and(|r| self.l.hir.types.records[r].fields[n as usize].precise),
                _ => false,
            };
            match self.body.whole_of(e) {
                Some(whole) if !precise => e = whole,
                _ => return precise,
            }
        }
    }
}
