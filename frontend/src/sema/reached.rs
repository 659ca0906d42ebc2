//! Code that is never executed, since a constant decides: an operand of `?:`, `&&` or `||`, a branch, a statement after a jump.
//!
//! A mistake that values of constants make there, such as a division by zero, does not happen: headers guard against it by just that. So such
//! mistakes are not reported there, as in other compilers.

use rtc_base::Diagnostic;

use super::context::Sema;
use crate::hir::ExprId;
use crate::syntax::ast;

impl Sema<'_> {
    /// Whether the scalar `c` holds, if it is known.
    pub fn known_condition(&self, c: ExprId) -> Option<bool> {
        if self.is_error(c) || self.m.types.components(self.ty(c)) != Some(1) {
            return None;
        }
        Some(self.evaluate(c)?.first()?.is_true())
    }

    /// Whether the right operand of `left op …` is evaluated.
    pub fn evaluates_right(&self, op: ast::BinaryOp, left: ExprId) -> bool {
        match op {
            ast::BinaryOp::LogAnd => self.known_condition(left) != Some(false),
            ast::BinaryOp::LogOr => self.known_condition(left) != Some(true),
            _ => true,
        }
    }

    /// Checks something that may never be executed.
    pub fn if_reached<T>(&mut self, reached: bool, check: impl FnOnce(&mut Self) -> T) -> T {
        self.f.unreached += u32::from(!reached);
        let out = check(self);
        self.f.unreached -= u32::from(!reached);
        out
    }

    /// Reports a mistake that happens where the code is executed.
    pub fn report_if_reached(&mut self, d: Diagnostic) {
        if self.f.unreached == 0 {
            self.report(d);
        }
    }
}
