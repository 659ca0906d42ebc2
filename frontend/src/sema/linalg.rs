//! Matrices of linear algebra: the attribute after `__builtin_LinAlgMatrix` that says which one it is.

use rtc_tables::linalg::{ATTRIBUTE, ATTRIBUTE_ARGUMENTS, MODEL, MatrixType, TYPE_NAME};

use super::context::Sema;
use super::errors::linalg as err;
use super::errors::stages::needs_model;
use crate::hir::{Ty, TyKind};
use crate::syntax::ast;

impl Sema<'_> {
    /// `ty` with the attributes after its name.
    pub fn attributed_type(&mut self, ty: Ty, attrs: ast::List<ast::Attr>) -> Ty {
        let mut out = ty;
        for a in self.ast.list(attrs).to_vec() {
            let name = self.str(a.name.sym);
            if a.scope.is_some() || name != ATTRIBUTE {
                let name = name.to_string();
                self.report(err::other_attribute(a.span, &name));
                return Ty::ERROR;
            }
            if ty == Ty::ERROR {
                return ty;
            }
            if self.kind(ty) != TyKind::Linalg(None) {
                let shown = self.show(ty);
                self.report(err::not_a_matrix(a.span, &shown));
                return Ty::ERROR;
            }
            let args = self.ast.list(a.args).to_vec();
            if args.len() != ATTRIBUTE_ARGUMENTS {
                self.report(err::argument_count(a.span, args.len()));
                return Ty::ERROR;
            }
            let mut numbers = [0; ATTRIBUTE_ARGUMENTS];
            for (n, &arg) in numbers.iter_mut().zip(&args) {
                let Some(value) = self.matrix_number(arg) else { return Ty::ERROR };
                *n = value;
            }
            if self.opts.available_model() < MODEL {
                self.report(needs_model(a.span, TYPE_NAME, MODEL, self.opts.shader_model));
                return Ty::ERROR;
            }
            out = self.m.types.intern(TyKind::Linalg(Some(MatrixType::from_numbers(numbers))));
        }
        out
    }

    /// The number that an argument of the attribute is; reports where it is none.
    fn matrix_number(&mut self, arg: ast::ExprId) -> Option<u32> {
        let uses = self.f.count_uses();
        let e = self.expr(arg);
        self.f.forget_uses(uses);
        if self.is_error(e) {
            return None;
        }
        let (ty, span) = (self.ty(e), self.span(e));
        let whole = self.m.types.components(ty) == Some(1) && self.m.types.elem(ty).is_some_and(|s| !s.is_float());
        if !whole {
            let shown = self.show(ty);
            self.report(err::not_whole(span, &shown));
            return None;
        }
        let n = self.constant_int_of(e)?;
        let Ok(n) = u32::try_from(n) else {
            self.report(err::out_of_range(span, n));
            return None;
        };
        Some(n)
    }
}
