//! Semantic analysis of statements and local declarations.

use rtc_base::{Span, Symbol};
use rtc_tables::vk_attributes::On;

use super::context::{Sema, Use};
use super::errors::{names as err_names, stmts as err, types as err_types};
use super::modifiers::Declared;
use super::scope::{Binding, CtxKind, Overload};
use crate::hir::{self, Body, ExprId, ExprKind, FuncId, Local, LocalId, LoopHint, LoopKind, StmtId, StmtKind, Ty, TyKind, Types};
use crate::syntax::ast::{self, DeclKind, FnName, Specs};

/// A link of a chain of `else if`.
struct Link {
    /// What [`Scopes::open`](super::scope::Scopes::open) gave.
    outer: usize,
    /// Variables that the condition declares.
    before: Vec<StmtId>,
    cond: ExprId,
    then: StmtId,
    hint: hir::Branch,
    span: Span,
}

impl Sema<'_> {
    /// A statement in a scope of its own, as one statement.
    pub fn scoped_stmt(&mut self, id: ast::StmtId) -> StmtId {
        let span = self.ast.stmts[id].span;
        let outer = self.scopes.open();
        let mut out = Vec::new();
        self.stmt(id, &mut out);
        self.scopes.close(outer);
        self.body.block_of(out, span)
    }

    /// The statements of a block, in the current scope.
    pub fn stmts(&mut self, list: List2, out: &mut Vec<StmtId>) {
        let unreached = self.f.unreached;
        for i in 0..list.len() {
            let id = self.ast.list(list)[i];
            self.stmt(id, out);
            if matches!(self.ast.stmts[id].kind, ast::StmtKind::Return(_) | ast::StmtKind::Break | ast::StmtKind::Continue) {
                self.f.unreached = unreached + 1;
            }
        }
        self.f.unreached = unreached;
    }

    /// Checks a statement and appends its typed form to `out`.
    pub fn stmt(&mut self, id: ast::StmtId, out: &mut Vec<StmtId>) {
        if self.nesting.enter() {
            self.stmt_inner(id, out);
        } else {
            let span = self.ast.stmts[id].span;
            self.report(err_types::too_deep(span));
        }
        self.nesting.leave();
    }

    fn stmt_inner(&mut self, id: ast::StmtId, out: &mut Vec<StmtId>) {
        let ast::Stmt { kind, attrs, span } = self.ast.stmts[id];
        let hints = self.statement_attrs(attrs, &kind);
        match kind {
            ast::StmtKind::Error => self.f.broken = true,
            ast::StmtKind::Empty => {}
            ast::StmtKind::Expr(e) => {
                let e = self.expr(e);
                if self.is_error(e) {
                    return;
                }
                self.warn_unused(e);
                let e = self.settle(e);
                out.push(self.stmt_node(StmtKind::Expr(e), span));
            }
            ast::StmtKind::Decl(decls) => {
                for i in 0..decls.len() {
                    let d = self.ast.list(decls)[i];
                    self.local_decl(d, out);
                }
            }
            ast::StmtKind::Block(list) => {
                let outer = self.scopes.open();
                let mut inner = Vec::new();
                self.stmts(list, &mut inner);
                self.scopes.close(outer);
                let list = self.list(&inner);
                out.push(self.stmt_node(StmtKind::Block(list), span));
            }
            ast::StmtKind::If { .. } => self.if_chain(id, hints.branch, out),
            ast::StmtKind::For { init, cond, step, body } => {
                if let Some(cond) = cond {
                    self.suspicious_condition(cond);
                }
                if self.opts.hlsl_version < 2021 {
                    self.warn_of_loop_variables(init);
                }
                let outer = self.scopes.open();
                let mut before = Vec::new();
                if let Some(init) = init {
                    self.stmt(init, &mut before);
                }
                let own = self.scopes.own();
                if self.opts.hlsl_version >= 2021 {
                    self.declared_again(&own, body);
                }
                let mut inside = Vec::new();
                let test = cond;
                let cond = cond.map(|c| self.condition_of(c, &mut inside));
                if let (Some(test), Some(cond)) = (test, cond) {
                    self.suspicious_loop(test, cond, body);
                }
                let reached = cond.is_none_or(|c| self.known_condition(c) != Some(false));
                let step = step.map(|e| {
                    let e = self.if_reached(reached, |s| s.expr(e));
                    self.warn_unused(e);
                    self.settle(e)
                });
                let body = self.if_reached(reached, |s| s.loop_body(body));
                self.scopes.close(outer);
                if self.opts.hlsl_version < 2021 {
                    self.leak_loop_variables(&before);
                }
                let s = self.loop_stmt(LoopKind::TestFirst, cond, step, body, inside, hints.looped, span);
                if self.opts.hlsl_version < 2021 {
                    self.scopes.leak(own);
                    out.append(&mut before);
                    out.push(s);
                } else {
                    self.body.after(before, s, out, span);
                }
            }
            ast::StmtKind::While { cond, body } => {
                self.suspicious_condition(cond);
                let outer = self.scopes.open();
                let mut inside = Vec::new();
                let cond = self.condition_of(cond, &mut inside);
                let reached = self.known_condition(cond) != Some(false);
                let body = self.if_reached(reached, |s| s.loop_body(body));
                self.scopes.close(outer);
                let s = self.loop_stmt(LoopKind::TestFirst, Some(cond), None, body, inside, hints.looped, span);
                out.push(s);
            }
            ast::StmtKind::Do { body, cond } => {
                let body = self.loop_body(body);
                let cond = self.expr(cond);
                let cond = self.condition(cond);
                let kind = StmtKind::Loop { kind: LoopKind::TestLast, cond: Some(cond), step: None, body, hint: hints.looped };
                out.push(self.stmt_node(kind, span));
            }
            ast::StmtKind::Switch { value, body } => self.switch(value, body, hints.branch, span, out),
            ast::StmtKind::Case(_) | ast::StmtKind::Default => {
                self.report(err::misplaced_label(span));
            }
            ast::StmtKind::Break => {
                if self.f.breakable == 0 {
                    self.report(err::misplaced_jump(span, "break", "a loop or switch"));
                    return;
                }
                out.push(self.stmt_node(StmtKind::Break, span));
            }
            ast::StmtKind::Continue => {
                if self.f.loops == 0 {
                    self.report(err::misplaced_jump(span, "continue", "a loop"));
                    return;
                }
                out.push(self.stmt_node(StmtKind::Continue, span));
            }
            ast::StmtKind::Discard => {
                self.used(Use::Discard(span));
                out.push(self.stmt_node(StmtKind::Discard, span));
            }
            ast::StmtKind::Return(value) => self.return_stmt(value, span, out),
        }
    }

    /// Before HLSL 2021 the variables of a loop's head stay visible after the loop, unless their names are declared there.
    /// Warns of variables of a `for` whose names the block around it has.
    fn warn_of_loop_variables(&mut self, init: Option<ast::StmtId>) {
        let Some(ast::StmtKind::Decl(decls)) = init.map(|s| self.ast.stmts[s].kind) else { return };
        for d in self.ast.list(decls).to_vec() {
            let DeclKind::Var(ast::Var { name: Some(name), .. }) = self.ast.decls[d].kind else { continue };
            if let Some((Binding::Local(first), _)) = self.declared_here(name.sym) {
                let text = self.str(name.sym).to_string();
                let at = self.body.locals[first].span;
                self.report(err::loop_variable_again(name.span, &text, at));
            }
        }
    }

    fn leak_loop_variables(&mut self, head: &[StmtId]) {
        for &s in head {
            let StmtKind::Local(l, _) = self.body.stmts[s].kind else {
                continue;
            };
            let Local { name, span, .. } = self.body.locals[l];
            if self.declared_here(name).is_none() {
                self.declare_at(name, span, Binding::Local(l));
            }
        }
    }

    /// `if (…) … else if (…) … else …`: the links of the chain one after the other, however many they are.
    fn if_chain(&mut self, first: ast::StmtId, hint: hir::Branch, out: &mut Vec<StmtId>) {
        let (mut links, mut last, mut unreached) = (Vec::new(), None, 0);
        let (mut at, mut hint) = (first, hint);
        while let ast::Stmt { kind: ast::StmtKind::If { cond, then, other }, span, .. } = self.ast.stmts[at] {
            self.suspicious_condition(cond);
            if other.is_none() {
                self.suspicious_body("if", then);
            }
            let outer = self.scopes.open();
            let mut before = Vec::new();
            let cond = self.condition_of(cond, &mut before);
            let known = self.known_condition(cond);
            let then = self.if_reached(known != Some(false), |s| s.scoped_stmt(then));
            // Nothing after it is reached.
            if known == Some(true) {
                self.f.unreached += 1;
                unreached += 1;
            }
            links.push(Link { outer, before, cond, then, hint, span });
            let Some(other) = other else {
                break;
            };
            let ast::Stmt { kind, attrs, .. } = self.ast.stmts[other];
            if !matches!(kind, ast::StmtKind::If { .. }) {
                last = Some(self.scoped_stmt(other));
                break;
            }
            hint = self.statement_attrs(attrs, &kind).branch;
            at = other;
        }
        self.f.unreached -= unreached;
        while let Some(Link { outer, before, cond, then, hint, span }) = links.pop() {
            self.scopes.close(outer);
            let s = self.stmt_node(StmtKind::If { cond, then, other: last, hint }, span);
            if links.is_empty() {
                return self.body.after(before, s, out, span);
            }
            let mut own = Vec::new();
            self.body.after(before, s, &mut own, span);
            last = Some(self.body.block_of(own, span));
        }
    }

    /// A condition; a variable declared in it is appended to `before`.
    pub fn condition_of(&mut self, cond: ast::ExprId, before: &mut Vec<StmtId>) -> ExprId {
        let e = self.value_of(cond, before);
        self.condition(e)
    }

    /// The value of a condition, which may declare a variable.
    pub fn value_of(&mut self, cond: ast::ExprId, before: &mut Vec<StmtId>) -> ExprId {
        match self.ast.exprs[cond] {
            ast::Expr { kind: ast::ExprKind::Decl(d), span } => {
                self.local_decl(d, before);
                let name = match self.ast.decls[d].kind {
                    DeclKind::Var(v) => v.name,
                    _ => None,
                };
                match name.and_then(|n| self.lookup(n.sym)) {
                    Some(f) => self.binding_expr(f, span),
                    None => self.error_expr(span),
                }
            }
            _ => self.expr(cond),
        }
    }

    /// The outermost block of a `for` cannot declare its variables again (C++, [stmt.for]). Structures hide them.
    fn declared_again(&mut self, own: &[(Symbol, Binding, Span)], body: ast::StmtId) {
        let alone = [body];
        let stmts = match self.ast.stmts[body].kind {
            ast::StmtKind::Block(list) => self.ast.list(list),
            _ => &alone[..],
        };
        let mut again: Vec<(ast::Name, Span)> = Vec::new();
        for &s in stmts {
            let ast::StmtKind::Decl(decls) = self.ast.stmts[s].kind else { continue };
            let names = self.ast.list(decls).iter().filter_map(|&d| match self.ast.decls[d].kind {
                ast::DeclKind::Var(v) => v.name,
                ast::DeclKind::Alias { name, .. } => Some(name),
                _ => None,
            });
            again.extend(names.filter_map(|name| Some((name, own.iter().find(|o| o.0 == name.sym)?.2))));
        }
        for (name, first) in again {
            let text = self.str(name.sym).to_string();
            self.report(err_names::redeclared(name.span, &text, first));
        }
    }

    fn loop_body(&mut self, body: ast::StmtId) -> StmtId {
        self.f.loops += 1;
        self.f.breakable += 1;
        let s = self.scoped_stmt(body);
        self.f.loops -= 1;
        self.f.breakable -= 1;
        s
    }

    /// A loop; a variable of the condition is declared anew in each iteration.
    #[allow(clippy::too_many_arguments)]
    fn loop_stmt(
        &mut self,
        kind: LoopKind,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        mut inside: Vec<StmtId>,
        hint: LoopHint,
        span: Span,
    ) -> StmtId {
        if inside.is_empty() {
            return self.stmt_node(StmtKind::Loop { kind, cond, step, body, hint }, span);
        }
        if let Some(c) = cond {
            let leave = self.stmt_node(StmtKind::Break, span);
            let nothing = self.list::<StmtId>(&[]);
            let go_on = self.stmt_node(StmtKind::Block(nothing), span);
            let test = StmtKind::If { cond: c, then: go_on, other: Some(leave), hint: hir::Branch::default() };
            inside.push(self.stmt_node(test, span));
        }
        inside.push(body);
        let list = self.list(&inside);
        let body = self.stmt_node(StmtKind::Block(list), span);
        self.stmt_node(StmtKind::Loop { kind, cond: None, step, body, hint }, span)
    }

    fn return_stmt(&mut self, value: Option<ast::ExprId>, span: Span, out: &mut Vec<StmtId>) {
        let ret = self.f.ret.unwrap_or(Ty::VOID);
        let Some(value) = value else {
            if ret != Ty::VOID && ret != Ty::ERROR {
                let d = err::return_without_value(span, &self.show(ret));
                self.report(d);
            }
            out.push(self.stmt_node(StmtKind::Return(None), span));
            return;
        };
        if ret == Ty::VOID {
            let e = self.expr(value);
            if self.is_error(e) {
                return;
            }
            if self.ty(e) != Ty::VOID {
                self.report(err::return_with_value(self.span(e)));
                return;
            }
            out.push(self.stmt_node(StmtKind::Expr(e), span));
            out.push(self.stmt_node(StmtKind::Return(None), span));
            return;
        }
        if let ast::ExprKind::InitList(_) = self.ast.exprs[value].kind {
            let at = self.ast.exprs[value].span;
            self.report(err_types::extension(at, "lists of values in assignments and after `return`"));
        }
        let e = self.initialiser(ret, value);
        out.push(self.stmt_node(StmtKind::Return(Some(e)), span));
    }

    // Declarations ------------------------------------------------------------------------------

    fn local_decl(&mut self, id: ast::DeclId, out: &mut Vec<StmtId>) {
        let d = self.ast.decls[id];
        match d.kind {
            DeclKind::Error => self.f.broken = true,
            DeclKind::Var(v) => self.local_var(&v, d.attrs, d.span, out),
            DeclKind::Record(_) | DeclKind::Enum(_) | DeclKind::Alias { .. } => {
                self.local_type(id);
            }
            DeclKind::UsingNamespace(_) | DeclKind::Using(_) | DeclKind::StaticAssert(..) => self.decl(id),
            DeclKind::Function(f) => self.local_function(&f, |s, f| s.declare_function(f, d.attrs)),
            DeclKind::Buffer(_) => self.report(err::cannot_stand_in_function(d.span, "a constant buffer")),
            DeclKind::Namespace(..) => self.report(err::cannot_stand_in_function(d.span, "a namespace")),
        }
    }

    /// A function declared in a function: one of the innermost namespace, which alone has its name in the block.
    fn local_function(&mut self, f: &ast::Function, declare: impl FnOnce(&mut Self, &ast::Function) -> Option<FuncId>) {
        let FnName::Ident(name) = f.name else { return };
        if f.scope.is_some() || f.body.is_some() {
            return self.report(err::cannot_stand_in_function(f.name.span(), "a function of another scope"));
        }
        let saved = self.scopes.enter(self.scopes.namespace_ctx());
        let func = self.outside_functions(|s| declare(s, f));
        self.scopes.leave(saved);
        match (func, self.scopes.own().into_iter().find(|own| own.0 == name.sym)) {
            (Some(func), Some((_, Binding::Functions(set), _))) => {
                if !self.scopes[set].contains(&Overload::Func(func)) {
                    self.scopes[set].push(Overload::Func(func));
                }
            }
            (Some(func), _) => {
                let set = self.scopes.add_set(vec![Overload::Func(func)]);
                self.declare(name, Binding::Functions(set));
            }
            (None, _) => self.declare(name, Binding::Error),
        }
    }

    /// A type declared in a function. Its methods may use the enclosing types and constants, not the variables.
    fn local_type(&mut self, id: ast::DeclId) {
        let names = self.scopes.capture_block_names();
        let ctx = self.scopes.add_ctx(CtxKind::Names(names));
        match self.ast.decls[id].kind {
            DeclKind::Alias { name, ty } => {
                self.check_modifiers(ty, Declared::Alias);
                let t = self.type_of(ty);
                self.note_alias(name, ty);
                self.name_by_alias(t, name.sym);
                self.declare(name, Binding::Type(t));
            }
            DeclKind::Enum(e) => {
                self.enum_decl(id, &e);
            }
            _ => {
                self.local_record(id, ctx);
            }
        }
    }

    /// A variable of the function, or a `static` one.
    fn local_var(&mut self, v: &ast::Var, attrs: ast::List<ast::Attr>, span: Span, out: &mut Vec<StmtId>) {
        let specs = self.ast.types[v.ty].specs;
        let Some(name) = v.name else {
            return;
        };
        self.check_modifiers(v.ty, Declared::Local);
        self.unknown_attrs(attrs, &["precise"]);
        let written = self.ast.list(attrs).to_vec();
        self.check_vk_attrs(&written, On::LOCAL);
        if let Some(a) = self.ast.list(v.annotations).first() {
            if let ast::AnnotationKind::Access { .. } = a.kind {
                self.report(super::errors::payload::misplaced_qualifier(a.span, "a local variable"));
            } else if let ast::AnnotationKind::Semantic(_) = a.kind {
                self.report(err_types::semantic_of_local(a.span));
            } else {
                self.report(super::errors::resources::misplaced_annotation(a.span, "a local variable"));
            }
        }
        let elem = if self.ast.is_auto(v) { self.deduced_type(v) } else { self.type_of(v.ty) };
        let elem = self.coherent(elem, specs, &[], v.ty);
        if let Some((f, sig)) = self.as_function(v, elem) {
            return self.local_function(&f, |s, f| s.declare_with(f, attrs, sig));
        }
        let ty = self.array_of(elem, v.dims, v.init.is_some(), name.span);
        if self.inline_local(v, name, ty, attrs, span, out) {
            return;
        }
        if specs.contains(Specs::STATIC) {
            self.local_static(v, name, ty, span, out);
            return;
        }
        let ok = self.check_variable_type(ty, name.span) && self.check_local_type(ty, name.span);
        let is_const = self.is_constant(v.ty);
        let ty = if ok { ty } else { Ty::ERROR };
        let local = self.new_local(name.sym, ty, is_const, name.span);
        self.body.locals[local].precise = specs.contains(Specs::PRECISE);
        self.warn_of_shadow(name);
        self.declare(name, Binding::Local(local));
        let init = match v.init {
            // `RayQuery<0> q = RayQuery<0>();` is a new query, as without initialiser.
            Some(init) if self.is_new_query(ty, init) => None,
            Some(init) => {
                let e = self.initialiser(ty, init);
                // `int a[] = { … }`
                let got = self.ty(e);
                if let (TyKind::Array(_, None), TyKind::Array(_, Some(_))) = (self.kind(ty), self.kind(got)) {
                    self.body.locals[local].ty = got;
                }
                if is_const
                    && !self.is_error(e)
                    && let Some(value) = self.evaluate(e)
                {
                    self.f.consts.insert(local, value);
                }
                if self.is_error(e) {
                    self.body.locals[local].ty = if self.m.types.has_unsized(ty) { Ty::ERROR } else { ty };
                }
                Some(e)
            }
            None => {
                if is_const && ok && self.m.types.leaf_count(ty) > 0 {
                    let text = self.str(name.sym).to_string();
                    self.report(err_names::constant_without_value(name.span, &text));
                }
                None
            }
        };
        out.push(self.stmt_node(StmtKind::Local(local, init), span));
    }

    /// Whether `init` is a ray query of type `ty` that is constructed without arguments.
    fn is_new_query(&mut self, ty: Ty, init: ast::ExprId) -> bool {
        match self.ast.exprs[init].kind {
            ast::ExprKind::Construct(made, args) if args.is_empty() => {
                matches!(self.kind(ty), TyKind::RayQuery { .. }) && self.type_of(made) == ty
            }
            _ => false,
        }
    }

    fn check_local_type(&mut self, ty: Ty, span: Span) -> bool {
        let (inner, n) = self.m.types.strip_arrays(ty);
        match self.kind(inner) {
            TyKind::Subobject(_) => {
                let d = err::cannot_stand_in_function(span, "a subobject");
                self.report(d);
                false
            }
            TyKind::String => {
                let d = err_types::no_variable_of(span, "string");
                self.report(d);
                false
            }
            _ if n.is_none() && !matches!(self.kind(ty), TyKind::Array(_, None)) => false,
            _ => true,
        }
    }

    /// A new variable of the function.
    pub fn new_local(&mut self, name: Symbol, ty: Ty, is_const: bool, span: Span) -> LocalId {
        if self.m.types.has_hit_objects(ty) {
            self.used(Use::HitObject(span));
        }
        self.body.locals.push(Local { name, ty, is_const, precise: false, span })
    }

    // Flow --------------------------------------------------------------------------------------

    /// Whether control can go on after these statements.
    pub fn completes_all(&self, stmts: &[StmtId]) -> bool {
        stmts.iter().all(|&s| self.goes_on(s, false))
    }

    /// Whether a function with these statements may end without `return`, if enumerations have the values of their enumerators alone.
    pub fn may_end(&self, stmts: &[StmtId]) -> bool {
        stmts.iter().all(|&s| self.goes_on(s, true))
    }

    /// Whether control can go on after `s`. `enumerated`: enumerations have the values of their enumerators alone.
    fn goes_on(&self, s: StmtId, enumerated: bool) -> bool {
        match self.body.stmts[s].kind {
            StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => false,
            StmtKind::Block(list) => self.body.list(list).iter().all(|&s| self.goes_on(s, enumerated)),
            StmtKind::If { .. } => {
                let mut at = Some(s);
                while let Some(StmtKind::If { cond, then, other, .. }) = at.map(|s| self.body.stmts[s].kind) {
                    match self.as_const(cond).map(|c| c.is_true()) {
                        Some(true) => return self.goes_on(then, enumerated),
                        None if self.goes_on(then, enumerated) => return true,
                        _ => at = other,
                    }
                }
                at.is_none_or(|s| self.goes_on(s, enumerated))
            }
            StmtKind::Loop { cond, body, .. } => {
                let forever = cond.is_none_or(|c| self.as_const(c).is_some_and(|c| c.is_true()));
                !forever || self.breaks(body, enumerated)
            }
            StmtKind::Switch { arms, .. } => {
                let arms = self.body.list(arms);
                let Some(last) = arms.last() else {
                    return true;
                };
                let exhaustive = arms.iter().any(|a| a.default) || enumerated && self.f.covering.contains(&s);
                !exhaustive || self.goes_on(last.body, enumerated) || arms.iter().any(|a| self.breaks(a.body, enumerated))
            }
            StmtKind::Expr(e) => match self.e(e).kind {
                ExprKind::Intrinsic { row, .. } => !row.ends_shader,
                _ => true,
            },
            StmtKind::Local(..) | StmtKind::Discard => true,
        }
    }

    /// Whether a `break` in `s` leaves the loop or switch around it.
    fn breaks(&self, s: StmtId, enumerated: bool) -> bool {
        match self.body.stmts[s].kind {
            StmtKind::Break => true,
            StmtKind::Block(list) => {
                for &s in self.body.list(list) {
                    if self.breaks(s, enumerated) {
                        return true;
                    }
                    if !self.goes_on(s, enumerated) {
                        return false;
                    }
                }
                false
            }
            StmtKind::If { .. } => {
                let mut at = Some(s);
                while let Some(StmtKind::If { then, other, .. }) = at.map(|s| self.body.stmts[s].kind) {
                    if self.breaks(then, enumerated) {
                        return true;
                    }
                    at = other;
                }
                at.is_some_and(|s| self.breaks(s, enumerated))
            }
            _ => false,
        }
    }

    /// A local variable that hides a variable of an outer scope.
    fn warn_of_shadow(&mut self, name: ast::Name) {
        if self.declared_here(name.sym).is_some() {
            return;
        }
        let hidden = match self.lookup(name.sym).map(|f| f.binding) {
            Some(Binding::Local(l)) => self.body.locals[l].span,
            Some(Binding::Global(g)) => self.m.globals[g].span,
            _ => return,
        };
        let text = self.str(name.sym).to_string();
        self.report(err::shadows(name.span, &text, hidden));
    }

    fn warn_unused(&mut self, e: ExprId) {
        let idle = match self.e(e).kind {
            ExprKind::Binary(..)
            | ExprKind::Unary(..)
            | ExprKind::Swizzle(..)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Field(..)
            | ExprKind::Select(..) => true,
            ExprKind::Intrinsic { row, .. } if row.only_computes() => {
                let d = err_names::unused_result(self.span(e), row.name);
                return self.report(d);
            }
            _ => false,
        };
        if idle {
            let compares = matches!(self.e(e).kind, ExprKind::Binary(op, ..) if op.is_comparison());
            let d = match compares {
                true => err_names::unused_comparison(self.span(e)),
                false => err_names::unused_value(self.span(e)),
            };
            self.report(d);
        }
    }
}

impl Body {
    /// One statement of several.
    pub(crate) fn block_of(&mut self, stmts: Vec<StmtId>, span: Span) -> StmtId {
        if let [one] = stmts[..]
            && !matches!(self.stmts[one].kind, StmtKind::Local(..))
        {
            return one;
        }
        let list = self.make_list(&stmts);
        self.stmt(StmtKind::Block(list), span)
    }

    /// `s` after `before`, in a block if there is something before it.
    pub(crate) fn after(&mut self, mut before: Vec<StmtId>, s: StmtId, out: &mut Vec<StmtId>, span: Span) {
        if before.is_empty() {
            out.push(s);
            return;
        }
        before.push(s);
        let list = self.make_list(&before);
        out.push(self.stmt(StmtKind::Block(list), span));
    }
}

impl Types {
    fn has_unsized(&self, ty: Ty) -> bool {
        self.strip_arrays(ty).1.is_none()
    }
}

/// Statements of the syntax tree.
pub type List2 = ast::List<ast::StmtId>;
