//! `static` variables of functions.
//!
//! A constant initialiser is the variable's initial value. Any other is evaluated at the declaration, when a
//! thread executes it for the first time: a second variable records that.

use rtc_base::Span;

use super::context::Sema;
use super::scope::Binding;
use crate::hir::{self, Category, Const, ExprKind, GlobalId, GlobalKind, StmtId, StmtKind, Ty, TyKind};
use crate::syntax::ast;

impl Sema<'_> {
    /// `static float x = …;` in a function.
    pub fn local_static(&mut self, v: &ast::Var, name: ast::Name, ty: Ty, span: Span, out: &mut Vec<StmtId>) {
        if ty == Ty::ERROR || !self.check_variable_type(ty, name.span) {
            self.declare(name, Binding::Error);
            return;
        }
        let g = self.new_static(v, name, ty);
        let text = self.str(name.sym).to_string();
        self.belongs_to_function(g, &text);
        self.declare(name, Binding::Global(g));
        let Some(init) = v.init else {
            if let GlobalKind::Static { is_const: true, .. } = self.m.globals[g].kind {
                self.report(super::errors::names::constant_without_value(name.span, &text));
            }
            return;
        };
        let e = self.initialiser(ty, init);
        let got = self.ty(e);
        if let (TyKind::Array(_, None), TyKind::Array(_, Some(_))) = (self.kind(ty), self.kind(got)) {
            self.m.globals[g].ty = got;
        } else if got == Ty::ERROR && self.m.types.strip_arrays(ty).1.is_none() {
            self.m.globals[g].ty = Ty::ERROR;
        }
        if self.is_error(e) {
            return;
        }
        if let Some(v) = self.evaluate(e) {
            if let GlobalKind::Static { value, .. } = &mut self.m.globals[g].kind {
                *value = Some(v);
            }
            return;
        }
        let kind = GlobalKind::Static { is_const: false, init: None, value: None };
        let sym = self.anonymous_name("initialised");
        let guard = self.new_global(ast::Name { sym, span: name.span }, Ty::BOOL, kind, false);
        self.belongs_to_function(guard, &format!("{text}.initialised"));
        self.m.globals[guard].used = true;
        self.m.globals[g].used = true;
        let at = name.span;
        let lvalue = |s: &mut Self, g, ty| s.push(ExprKind::Global(g), ty, Category::Lvalue, at);
        let done = lvalue(self, guard, Ty::BOOL);
        let mark = lvalue(self, guard, Ty::BOOL);
        let yes = self.constant(Const::bool(true), at);
        let mark = self.value(ExprKind::Assign(mark, yes), Ty::BOOL, at);
        let mark = self.stmt_node(StmtKind::Expr(mark), at);
        let to_ty = self.m.globals[g].ty;
        let to = lvalue(self, g, to_ty);
        let value_ty = self.m.types.value_ty(to_ty);
        let set = self.value(ExprKind::Assign(to, e), value_ty, at);
        let set = self.stmt_node(StmtKind::Expr(set), at);
        let nothing = self.list::<StmtId>(&[]);
        let then = self.stmt_node(StmtKind::Block(nothing), at);
        let first = self.list(&[mark, set]);
        let first = self.stmt_node(StmtKind::Block(first), at);
        let test = StmtKind::If { cond: done, then, other: Some(first), hint: hir::Branch::default() };
        out.push(self.stmt_node(test, span));
    }

    pub fn belongs_to_function(&mut self, g: GlobalId, name: &str) {
        let function = self.f.func.map(|f| self.m.funcs[f].qualified.clone()).unwrap_or_default();
        let own = self.m.globals[g].qualified.clone();
        self.m.globals[g].qualified = format!("{function}::{own}");
        self.m.globals[g].symbol = format!("{function}.{name}");
    }
}
