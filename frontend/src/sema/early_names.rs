//! Names in function templates that do not depend on the arguments: they are looked up where the template is defined (C++, [temp.nondep]), whether it is used
//! or not.
//!
//! These are names of variables. A call is looked up with its arguments, a member with its object. What the body declares anywhere counts as
//! declared, so that nothing is refused that an instance takes.

use rtc_base::Symbol;
use rustc_hash::FxHashSet;

use super::context::Sema;
use super::scope::CtxKind;
use crate::syntax::Ast;
use crate::syntax::ast::{self, DeclId, DeclKind, ExprId, ExprKind, PathId, StmtId, StmtKind, TypeId};

/// What a body uses and declares.
#[derive(Default)]
struct Names {
    used: Vec<PathId>,
    declared: FxHashSet<Symbol>,
    /// What the body declares.
    own: Vec<ast::Name>,
    /// It makes names visible that are declared elsewhere.
    open: bool,
}

impl Sema<'_> {
    /// Reports names in the body of a function template that are declared nowhere. Of templates in classes, whose bases may declare names, none.
    pub(super) fn check_early_names(&mut self, f: &ast::Function, params: ast::List<ast::TemplateParam>) {
        let Some(body) = f.body else { return };
        if !matches!(self.scopes.ctxs[self.scopes.ctx].kind, CtxKind::Namespace(_)) || f.scope.is_some() {
            return;
        }
        let mut names = Names::default();
        names.declared.extend(self.ast.list(params).iter().filter_map(|p| p.name.map(|n| n.sym)));
        names.declared.extend(self.ast.list(f.params).iter().filter_map(|p| p.name.map(|n| n.sym)));
        names.own.extend(self.ast.list(f.params).iter().filter_map(|p| p.name));
        self.ast.names_of(body, &mut names);
        self.check_hidden_parameters(params, &names.own);
        self.report_early_names(names);
    }

    /// The same for the initialiser of a variable template.
    pub(super) fn check_early_value(&mut self, init: ExprId, params: ast::List<ast::TemplateParam>) {
        if !matches!(self.scopes.ctxs[self.scopes.ctx].kind, CtxKind::Namespace(_)) {
            return;
        }
        let mut names = Names::default();
        names.declared.extend(self.ast.list(params).iter().filter_map(|p| p.name.map(|n| n.sym)));
        let (mut exprs, mut decls) = (vec![init], Vec::new());
        while let Some(e) = exprs.pop() {
            self.ast.names_of_expr(e, &mut exprs, &mut decls, &mut names);
        }
        self.report_early_names(names);
    }

    fn report_early_names(&mut self, names: Names) {
        if names.open {
            return;
        }
        for path in names.used {
            let Some(name) = self.ast.simple_name(path) else { continue };
            if names.declared.contains(&name.sym) || self.lookup(name.sym).is_some() || !self.rows(None, name.sym).is_empty() {
                continue;
            }
            let found = self.muted(|s| s.resolve_path(path).is_some());
            if !found {
                _ = self.resolve_path(path);
            }
        }
    }
}

impl Ast {
    /// Appends the names of values and the types in an expression.
    pub(super) fn paths_and_types_of(&self, e: ExprId, paths: &mut Vec<PathId>, types: &mut Vec<TypeId>) {
        let (mut exprs, mut decls, mut names) = (vec![e], Vec::new(), Names::default());
        while let Some(e) = exprs.pop() {
            match self.exprs[e].kind {
                ExprKind::Construct(ty, _) | ExprKind::Cast(ty, _) | ExprKind::SizeofType(ty) => types.push(ty),
                ExprKind::Call(callee, _) => {
                    if let ExprKind::Path(path) = self.exprs[callee].kind {
                        paths.push(path);
                    }
                }
                _ => {}
            }
            self.names_of_expr(e, &mut exprs, &mut decls, &mut names);
        }
        paths.extend(names.used);
    }

    fn names_of(&self, body: StmtId, names: &mut Names) {
        let mut statements = vec![body];
        let mut exprs: Vec<ExprId> = Vec::new();
        let mut decls: Vec<DeclId> = Vec::new();
        loop {
            if let Some(e) = exprs.pop() {
                self.names_of_expr(e, &mut exprs, &mut decls, names);
            } else if let Some(d) = decls.pop() {
                self.names_of_decl(d, &mut exprs, names);
            } else if let Some(s) = statements.pop() {
                match self.stmts[s].kind {
                    StmtKind::Expr(e) | StmtKind::Case(e) | StmtKind::Return(Some(e)) => exprs.push(e),
                    StmtKind::Decl(list) => decls.extend(self.list(list)),
                    StmtKind::Block(list) => statements.extend(self.list(list)),
                    StmtKind::If { cond, then, other } => {
                        exprs.push(cond);
                        statements.push(then);
                        statements.extend(other);
                    }
                    StmtKind::For { init, cond, step, body } => {
                        exprs.extend(cond.into_iter().chain(step));
                        statements.extend(init.into_iter().chain([body]));
                    }
                    StmtKind::While { cond, body } | StmtKind::Do { body, cond } | StmtKind::Switch { value: cond, body } => {
                        exprs.push(cond);
                        statements.push(body);
                    }
                    StmtKind::Error => names.open = true,
                    _ => {}
                }
            } else {
                return;
            }
        }
    }

    fn names_of_expr(&self, e: ExprId, exprs: &mut Vec<ExprId>, decls: &mut Vec<DeclId>, names: &mut Names) {
        match self.exprs[e].kind {
            ExprKind::Path(path) => names.used.push(path),
            ExprKind::Call(callee, args) => {
                if !matches!(self.exprs[callee].kind, ExprKind::Path(_)) {
                    exprs.push(callee);
                }
                exprs.extend(self.list(args));
            }
            ExprKind::Construct(_, list) | ExprKind::InitList(list) => exprs.extend(self.list(list)),
            ExprKind::Member(a, _) | ExprKind::Arrow(a, _) | ExprKind::Cast(_, a) | ExprKind::Unary(_, a) | ExprKind::SizeofExpr(a) => {
                exprs.push(a);
            }
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::AssignOp(_, a, b)
            | ExprKind::Comma(a, b) => exprs.extend([a, b]),
            ExprKind::Conditional(a, b, c) => exprs.extend([a, b, c]),
            ExprKind::Decl(d) => decls.push(d),
            ExprKind::Error => names.open = true,
            _ => {}
        }
    }

    fn names_of_decl(&self, d: DeclId, exprs: &mut Vec<ExprId>, names: &mut Names) {
        match self.decls[d].kind {
            DeclKind::Var(v) => {
                names.declared.extend(v.name.map(|n| n.sym));
                names.own.extend(v.name);
                exprs.extend(v.init);
                exprs.extend(self.list(v.dims).iter().filter_map(|d| d.size));
            }
            DeclKind::Alias { name, .. } => {
                names.own.push(name);
                names.declared.insert(name.sym);
            }
            DeclKind::Enum(e) => {
                names.declared.extend(e.name.map(|n| n.sym));
                names.declared.extend(self.list(e.items).iter().map(|i| i.name.sym));
            }
            DeclKind::StaticAssert(e, _) => exprs.push(e),
            // Local structures, functions and what `using` names.
            _ => names.open = true,
        }
    }
}
