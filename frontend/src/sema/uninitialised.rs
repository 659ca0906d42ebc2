//! Warnings of uninitialised variables, without false positives: a local variable of numeric type without an initialiser whose
//! first use in the straight-line part of the function reads it as a whole.
//!
//! The walk follows evaluation order through statements that are always executed; at a branch or loop it stops tracking the
//! variables that are used inside.

use rustc_hash::FxHashSet;

use super::context::Sema;
use super::errors::names as err;
use crate::hir::{Body, ExprId, ExprKind, LocalId, Pass, StmtId, StmtKind};

/// The state of the walk.
#[derive(Default)]
struct State {
    /// Variables that are declared and not written yet.
    fresh: FxHashSet<LocalId>,
}

impl Sema<'_> {
    /// Warns of reads of variables that are certainly uninitialised.
    pub fn check_usage(&mut self) {
        let Some(root) = self.body.root.filter(|_| !self.f.broken) else {
            return;
        };
        self.check_out_parameters();
        let mut state = State::default();
        let mut found = Vec::new();
        self.usage_stmt(root, &mut state, &mut found);
        for (l, e) in found {
            let local = &self.body.locals[l];
            let (name, at) = (self.str(local.name).to_string(), local.span);
            self.report(err::uninitialised(self.span(e), &name, at));
        }
    }

    /// Warns of `out` parameters that the body never uses: the caller gets an undefined value.
    fn check_out_parameters(&mut self) {
        let Some(f) = self.f.func else { return };
        let params = &self.m.funcs[f].params;
        let mut silent: Vec<LocalId> = params.iter().filter(|p| p.pass == Pass::Out).map(|p| p.local).collect();
        if silent.is_empty() {
            return;
        }
        for e in self.body.exprs.values() {
            if let ExprKind::Local(l) = e.kind {
                silent.retain(|s| *s != l);
            }
        }
        for l in silent {
            let local = &self.body.locals[l];
            let (name, at) = (self.str(local.name).to_string(), local.span);
            self.report(err::out_not_written(at, &name));
        }
    }

    fn usage_stmt(&self, s: StmtId, state: &mut State, found: &mut Vec<(LocalId, ExprId)>) {
        match self.body.stmts[s].kind {
            StmtKind::Expr(e) => self.body.usage_expr(e, state, found),
            StmtKind::Local(l, init) => match init {
                Some(e) => self.body.usage_expr(e, state, found),
                None => {
                    if self.m.types.is_numeric(self.body.locals[l].ty) {
                        state.fresh.insert(l);
                    }
                }
            },
            StmtKind::Block(list) => {
                for &s in self.body.list(list) {
                    self.usage_stmt(s, state, found);
                }
            }
            StmtKind::Return(Some(e)) => self.body.usage_expr(e, state, found),
            StmtKind::If { cond, then, other, .. } => {
                self.body.usage_expr(cond, state, found);
                self.body.forget_stmt(then, state);
                if let Some(o) = other {
                    self.body.forget_stmt(o, state);
                }
            }
            StmtKind::Loop { .. } | StmtKind::Switch { .. } => self.body.forget_stmt(s, state),
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) | StmtKind::Discard => {}
        }
    }
}

impl Body {
    /// Stops tracking the variables that are used in `s`.
    fn forget_stmt(&self, s: StmtId, state: &mut State) {
        if state.fresh.is_empty() {
            return;
        }
        let mut stmts = vec![s];
        let mut exprs = Vec::new();
        while let Some(s) = stmts.pop() {
            self.parts(s, &mut exprs, &mut stmts);
        }
        for e in exprs {
            self.forget_expr(e, state);
        }
    }

    fn forget_expr(&self, e: ExprId, state: &mut State) {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if let ExprKind::Local(l) = self.exprs[e].kind {
                state.fresh.remove(&l);
            }
            self.children(e, &mut todo);
        }
    }

    fn usage_expr(&self, e: ExprId, state: &mut State, found: &mut Vec<(LocalId, ExprId)>) {
        if state.fresh.is_empty() {
            return;
        }
        match self.exprs[e].kind {
            ExprKind::Local(l) => {
                if state.fresh.remove(&l) {
                    found.push((l, e));
                }
            }
            ExprKind::Assign(to, value) => {
                self.usage_expr(value, state, found);
                self.forget_expr(to, state);
            }
            ExprKind::Update { to, value, .. } => {
                self.usage_expr(value, state, found);
                match self.exprs[to].kind {
                    ExprKind::Local(_) => self.usage_expr(to, state, found),
                    _ => self.forget_expr(to, state),
                }
            }
            ExprKind::Binary(..) | ExprKind::And(..) | ExprKind::Or(..) => {
                let (first, rest) = self.left_spine(e);
                self.usage_expr(first, state, found);
                for (whole, right) in rest {
                    match self.exprs[whole].kind {
                        ExprKind::Binary(..) => self.usage_expr(right, state, found),
                        // It may not be evaluated.
                        _ => self.forget_expr(right, state),
                    }
                }
            }
            ExprKind::Comma(..) => {
                for part in self.comma_parts(e) {
                    self.usage_expr(part, state, found);
                }
            }
            ExprKind::Conditional(c, a, b) => {
                self.usage_expr(c, state, found);
                self.forget_expr(a, state);
                self.forget_expr(b, state);
            }
            // Parts of a variable are not tracked separately.
            ExprKind::Swizzle(b, _) | ExprKind::Component(b, _) | ExprKind::Row(b, _) | ExprKind::MatrixSwizzle(b, _)
                if matches!(self.exprs[b].kind, ExprKind::Local(_)) =>
            {
                if let ExprKind::Component(_, i) | ExprKind::Row(_, i) = self.exprs[e].kind {
                    self.usage_expr(i, state, found);
                }
                self.usage_expr(b, state, found);
            }
            ExprKind::Call { this: object, args, .. } | ExprKind::Intrinsic { object, args, .. } => {
                if let Some(o) = object {
                    self.forget_expr(o, state);
                }
                for a in self.list(args) {
                    match a.pass {
                        Pass::In => self.usage_expr(a.expr, state, found),
                        // Existing code often declares `inout` for `out`.
                        _ => self.forget_expr(a.expr, state),
                    }
                }
            }
            _ => {
                let mut parts = Vec::new();
                self.children(e, &mut parts);
                for p in parts {
                    self.usage_expr(p, state, found);
                }
            }
        }
    }
}
