//! Syntactic lints: legal constructs that are probably mistakes (assignment as a condition, empty bodies, precedence).
//!
//! The tree has no parentheses, so the source text tells whether an expression has some. Text of macro expansions is not
//! checked.

use rtc_base::{Span, Symbol};

use super::context::Sema;
use super::errors::stmts as err;
use super::scope::Binding;
use crate::hir::{self, TyKind};
use crate::syntax::Ast;
use crate::syntax::ast::{self, BinaryOp, ExprKind, StmtKind};

impl Sema<'_> {
    /// The text before `span` on its line and the text after it, if both ends are in a file.
    fn around(&self, span: Span) -> Option<(&str, &str)> {
        if span.lo.is_expanded() || span.hi.is_expanded() {
            return None;
        }
        let (file, range) = self.sources.range(span)?;
        let text = &self.sources.file(file).text;
        Some((text.get(..range.start)?.trim_end(), text.get(range.end..)?.trim_start()))
    }

    /// The text before `span` on its line, if it is in a file.
    pub(super) fn text_before(&self, span: Span) -> Option<String> {
        self.around(span).map(|(before, _)| before.to_string())
    }

    fn in_parentheses(&self, span: Span) -> bool {
        self.around(span).is_none_or(|(before, after)| before.ends_with('(') && after.starts_with(')'))
    }

    /// `if (a = b)`; a second pair of parentheses silences the warning.
    pub fn suspicious_condition(&mut self, e: ast::ExprId) {
        let x = self.ast.exprs[e];
        if let ExprKind::Binary(BinaryOp::Eq, ..) = x.kind {
            return self.superfluous_parentheses(x.span);
        }
        let ExprKind::Assign(to, value) = x.kind else {
            return;
        };
        let Some((before, _)) = self.around(x.span) else {
            return;
        };
        let meant = before.strip_suffix('(').is_some_and(|b| b.trim_end().ends_with('('));
        let between = Span::new(self.ast.exprs[to].span.hi, self.ast.exprs[value].span.lo);
        let gap = self.sources.snippet(between);
        let Some(at) = gap.find('=').filter(|_| !meant) else {
            return;
        };
        let op = between.lo.offset(at as u32);
        self.report(err::assignment_as_condition(x.span, Span::new(op, op.offset(1))));
    }

    /// `if ((a == b))`: the second pair of parentheses silences the warning about an assignment, so that `=` may be meant.
    fn superfluous_parentheses(&mut self, span: Span) {
        let Some((before, after)) = self.around(span) else {
            return;
        };
        let (Some(outer), Some(rest)) = (before.strip_suffix('('), after.strip_prefix(')')) else {
            return;
        };
        let (outer, rest) = (outer.trim_end(), rest.trim_start());
        // In the head of a `for` the condition is between semicolons.
        if outer.ends_with('(') && rest.starts_with(')') || outer.ends_with(';') && rest.starts_with(';') {
            self.report(err::superfluous_parentheses(span));
        }
    }

    /// `if (c);` with the semicolon on the line of the condition.
    pub fn suspicious_body(&mut self, what: &str, body: ast::StmtId) {
        let s = self.ast.stmts[body];
        let empty = matches!(s.kind, ast::StmtKind::Empty) && self.sources.snippet(s.span) == ";";
        let Some((file, range)) = self.sources.range(s.span).filter(|_| empty && !s.span.lo.is_expanded()) else {
            return;
        };
        let text = &self.sources.file(file).text;
        let line = &text[text[..range.start].rfind('\n').map_or(0, |i| i + 1)..range.start];
        if line.trim_end().ends_with(')') {
            self.report(err::empty_body(s.span, what));
        }
    }

    /// Nested operators whose precedence is often misremembered.
    pub fn suspicious_operands(&mut self, op: BinaryOp, a: ast::ExprId, b: ast::ExprId) {
        use BinaryOp::*;
        if !matches!(op, BitAnd | BitOr | BitXor | LogOr) {
            return;
        }
        let compares = |op| matches!(op, Eq | Ne | Lt | Gt | Le | Ge);
        let inner_of = |e: ast::ExprId| match self.ast.exprs[e].kind {
            ExprKind::Binary(inner, ..) => Some(inner),
            _ => None,
        };
        // Nothing is misread where both operands are comparisons, or one is and the other is such an operation: `a == 1 | b == 2 | c == 3`.
        let (left, right) = (inner_of(a), inner_of(b));
        let plain = |op: Option<BinaryOp>| !op.is_some_and(|op| compares(op) || matches!(op, BitAnd | BitOr | BitXor));
        if op != LogOr && !plain(left) && !plain(right) {
            return;
        }
        for e in [a, b] {
            let x = self.ast.exprs[e];
            let Some(inner) = inner_of(e) else {
                continue;
            };
            let compares = compares(inner);
            let fits = if op == LogOr { inner == LogAnd } else { compares };
            if !fits || self.in_parentheses(x.span) {
                continue;
            }
            let d = match op {
                LogOr => err::and_in_or(x.span),
                _ => err::surprising_precedence(x.span, op.text(), inner.text()),
            };
            self.report(d);
        }
    }

    /// The condition of a loop that is `u >= 0` and nothing else, as written and as typed. (Elsewhere such a
    /// comparison is harmless, and frequent in code for signed and unsigned numbers.)
    pub fn suspicious_loop(&mut self, cond: ast::ExprId, typed: hir::ExprId, body: ast::StmtId) {
        let unsigned = match self.e(typed).kind {
            hir::ExprKind::Binary(_, a, _) => self.m.types.elem(self.ty(a)).is_some_and(|s| s.is_unsigned()),
            _ => false,
        };
        let x = self.ast.exprs[cond];
        let ExprKind::Binary(BinaryOp::Ge, _, zero) = x.kind else {
            return;
        };
        let literal = matches!(self.ast.exprs[zero].kind, ExprKind::Int(0, _));
        if unsigned && literal && self.around(x.span).is_some() && self.steps.trace.is_empty() && !self.ast.leaves_loop(body) {
            self.report(err::loop_without_end(x.span));
        }
    }

    /// A semantic with the name of an integer variable: in C++ the variable would be the width of a bit-field.
    pub fn suspicious_semantic(&mut self, name: Symbol, span: Span) {
        let Some(found) = self.declared(name) else {
            return;
        };
        let ty = match found.binding {
            Binding::Local(l) => self.body.locals[l].ty,
            Binding::Global(g) => self.m.globals[g].ty,
            Binding::Constant(g, n) => {
                let block = self.m.types.as_resource(self.m.globals[g].ty).and_then(|r| r.elem);
                let record = block.and_then(|t| self.m.types.as_record(t));
                match record.and_then(|r| self.m.types.records[r].fields.get(n as usize)) {
                    Some(field) => field.ty,
                    None => return,
                }
            }
            _ => return,
        };
        let is_integer = match self.kind(ty) {
            TyKind::Scalar(s) => !s.is_float(),
            kind => matches!(kind, TyKind::Enum(_)),
        };
        if is_integer && self.reports.is_first(("semantic", span)) {
            let text = self.sources.snippet(span).to_string();
            self.report(err::semantic_named_as_variable(span, &text));
        }
    }
}

impl Ast {
    /// Whether something in the body of a loop leaves it.
    fn leaves_loop(&self, body: ast::StmtId) -> bool {
        // The statement, and whether a `break` in it is of this loop.
        let mut rest = vec![(body, true)];
        while let Some((s, own)) = rest.pop() {
            match self.stmts[s].kind {
                StmtKind::Break if own => return true,
                StmtKind::Return(_) | StmtKind::Discard => return true,
                StmtKind::Block(list) => rest.extend(self.list(list).iter().map(|&s| (s, own))),
                StmtKind::If { then, other, .. } => rest.extend([Some(then), other].into_iter().flatten().map(|s| (s, own))),
                StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::Do { body, .. } | StmtKind::Switch { body, .. } => {
                    rest.push((body, false));
                }
                _ => {}
            }
        }
        false
    }
}
