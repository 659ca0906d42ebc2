//! `switch` statements: labels, arms, and statements before the first label.
//!
//! A `switch` of the typed tree has a 32-bit value. A wider value is mapped to the number of its label first.

use rtc_base::Span;

use super::context::Sema;
use super::conversion::ConversionKind;
use super::errors::stmts as err;
use crate::hir::{self, Arm, BinaryOp, Const, ExprId, ExprKind, LocalId, Scalar, StmtId, StmtKind, Ty, TyKind};
use crate::syntax::ast;

/// Labels as they are collected.
#[derive(Default)]
struct Labels {
    /// The values of all arms so far, in order.
    seen: Vec<(u64, Span)>,
    /// The values of the current arm.
    arm: Vec<u32>,
    /// The span of `default`.
    default_at: Option<Span>,
    /// The current arm is the default.
    default: bool,
    /// The variables with initialisers before it that a label may see, each with the number of blocks around it.
    initialised: Vec<(Span, usize)>,
}

/// What a `switch` consists of.
enum Part {
    /// A statement or a label.
    Stmt(ast::StmtId),
    /// The beginning of a block with labels.
    Open,
    /// The end of one.
    Close,
}

impl Sema<'_> {
    /// `switch (value) { … }`
    pub fn switch(&mut self, value: ast::ExprId, body: ast::StmtId, hint: hir::Branch, span: Span, out: &mut Vec<StmtId>) {
        let value = self.expr(value);
        let enumeration = match self.kind(self.ty(value)) {
            TyKind::Enum(e) => Some(e),
            _ => None,
        };
        let value = self.switch_value(value);
        let ty = self.ty(value);
        let ast::StmtKind::Block(list) = self.ast.stmts[body].kind else {
            self.report(err::switch_without_block(self.ast.stmts[body].span));
            return;
        };
        let wide = self.m.types.elem(ty).is_some_and(|s| s.bits() == 64);
        let outer = self.scopes.open();
        self.f.breakable += 1;
        let mut before: Vec<StmtId> = Vec::new();
        let mut arms: Vec<Arm> = Vec::new();
        let mut labels = Labels::default();
        let mut stmts: Vec<StmtId> = Vec::new();
        let mut labelled = false;
        let mut parts = Vec::new();
        self.parts_of_switch(list, &mut parts);
        let mut blocks: Vec<usize> = Vec::new();
        let known = self.evaluate(value).and_then(|v| Some(v.first()?.bits));
        let mut reached = known.is_none();
        for i in 0..=parts.len() {
            let next = match parts.get(i) {
                Some(Part::Open) => {
                    blocks.push(self.scopes.open());
                    continue;
                }
                Some(Part::Close) => {
                    if let Some(outer) = blocks.pop() {
                        self.scopes.close(outer);
                    }
                    labels.initialised.retain(|v| v.1 <= blocks.len());
                    continue;
                }
                Some(&Part::Stmt(s)) => Some(s),
                None => None,
            };
            let label = next.map(|s| self.ast.stmts[s]).filter(|s| matches!(s.kind, ast::StmtKind::Case(_) | ast::StmtKind::Default));
            // A label after statements, or the end, closes an arm.
            if (label.is_some() && !stmts.is_empty()) || next.is_none() {
                let stmts = std::mem::take(&mut stmts);
                if labelled {
                    let falls = next.is_some() && self.completes_all(&stmts);
                    reached &= falls || known.is_none();
                    let list = self.list(&stmts);
                    let body = self.stmt_node(StmtKind::Block(list), span);
                    let labels_of_arm = self.list(&std::mem::take(&mut labels.arm));
                    arms.push(Arm { labels: labels_of_arm, default: std::mem::take(&mut labels.default), body, falls_through: falls });
                } else {
                    self.before_labels(&stmts, &mut before);
                }
            }
            let Some(next) = next else {
                break;
            };
            match label {
                Some(label) => {
                    labelled = true;
                    if let Some(&(name, _)) = labels.initialised.first() {
                        self.report(err::label_past_initialiser(label.span, name));
                        labels.initialised.clear();
                    }
                    self.switch_label(label, ty, wide, &mut labels);
                    reached |= labels.default || labels.seen.last().map(|l| l.0) == known;
                }
                None => {
                    let names = self.initialised_by(next);
                    labels.initialised.extend(names.map(|name| (name, blocks.len())));
                    self.if_reached(reached, |s| s.stmt(next, &mut stmts));
                }
            }
        }
        self.f.breakable -= 1;
        self.scopes.close(outer);
        if self.is_error(value) {
            return;
        }
        let value = if wide { self.number_of_label(value, &labels.seen, &mut before) } else { value };
        let arms = self.list(&arms);
        let s = self.stmt_node(StmtKind::Switch { value, arms, hint }, span);
        if enumeration.is_some_and(|e| self.covers(e, ty, &labels)) {
            self.f.covering.insert(s);
        }
        self.after(before, s, out, span);
    }

    /// Whether each value of an enumeration has a label. `ty`: that of the labels.
    fn covers(&self, e: hir::EnumId, ty: Ty, labels: &Labels) -> bool {
        let scalar = self.m.types.elem(ty).unwrap_or(Scalar::Int);
        let has = |v: i64| labels.seen.iter().any(|l| l.0 == Const::int(scalar, v.into()).bits);
        self.m.types.enums[e].items.iter().all(|i| has(i.1))
    }

    /// The statements of a `switch`. A block that has labels of the `switch` is no statement but its parts, as it may be entered there.
    fn parts_of_switch(&self, list: ast::List<ast::StmtId>, out: &mut Vec<Part>) {
        for &s in self.ast.list(list) {
            match self.ast.stmts[s].kind {
                ast::StmtKind::Block(inner) if self.has_label(inner) => {
                    out.push(Part::Open);
                    self.parts_of_switch(inner, out);
                    out.push(Part::Close);
                }
                _ => out.push(Part::Stmt(s)),
            }
        }
    }

    /// Whether a block has a label, in it or in a block directly in it.
    fn has_label(&self, list: ast::List<ast::StmtId>) -> bool {
        self.ast.list(list).iter().any(|&s| match self.ast.stmts[s].kind {
            ast::StmtKind::Case(_) | ast::StmtKind::Default => true,
            ast::StmtKind::Block(inner) => self.has_label(inner),
            _ => false,
        })
    }

    /// The names of the variables that a statement declares with initialisers. Static ones are initialised elsewhere.
    fn initialised_by(&self, s: ast::StmtId) -> impl Iterator<Item = Span> + use<> {
        let decls = match self.ast.stmts[s].kind {
            ast::StmtKind::Decl(decls) => self.ast.list(decls),
            _ => &[],
        };
        let names = decls.iter().filter_map(|&d| match self.ast.decls[d].kind {
            ast::DeclKind::Var(v) if !self.ast.types[v.ty].specs.contains(ast::Specs::STATIC) => v.init.and(v.name).map(|n| n.span),
            _ => None,
        });
        names.collect::<Vec<Span>>().into_iter()
    }

    /// Variables declared before the first label are visible in the whole block; other statements there are unreachable.
    fn before_labels(&mut self, stmts: &[StmtId], before: &mut Vec<StmtId>) {
        let mut told = false;
        for &s in stmts {
            let node = self.body.stmts[s];
            let idle = match node.kind {
                StmtKind::Local(l, init) => {
                    let declared = self.stmt_node(StmtKind::Local(l, None), node.span);
                    before.push(declared);
                    init.is_none()
                }
                _ => false,
            };
            if !idle && !std::mem::replace(&mut told, true) {
                self.report(err::before_first_label(node.span));
            }
        }
    }

    fn switch_label(&mut self, label: ast::Stmt, ty: Ty, wide: bool, labels: &mut Labels) {
        let ast::StmtKind::Case(e) = label.kind else {
            if let Some(first) = labels.default_at {
                self.report(err::doubled_label(label.span, first));
            }
            labels.default_at = Some(label.span);
            labels.default = true;
            return;
        };
        let at = self.ast.exprs[e].span;
        let Some(n) = self.constant_int(e) else {
            return;
        };
        let scalar = self.m.types.elem(ty).unwrap_or(Scalar::Int);
        let bits = Const::int(scalar, n).bits;
        if let Some(s) = labels.seen.iter().find(|s| s.0 == bits) {
            self.report(err::doubled_label(at, s.1));
            return;
        }
        labels.seen.push((bits, at));
        labels.arm.push(if wide { labels.seen.len() as u32 } else { bits as u32 });
    }

    /// Which label (counted from 1) `value` is; 0 if none.
    fn number_of_label(&mut self, value: ExprId, labels: &[(u64, Span)], before: &mut Vec<StmtId>) -> ExprId {
        let span = self.span(value);
        let ty = self.ty(value);
        let name = self.anonymous_name("switch");
        let local: LocalId = self.new_local(name, ty, true, span);
        before.push(self.stmt_node(StmtKind::Local(local, Some(value)), span));
        let mut number = self.constant(Const::int(Scalar::Int, 0), span);
        for (i, &(bits, at)) in labels.iter().enumerate() {
            let value = self.value(ExprKind::Local(local), ty, span);
            let label = self.value(ExprKind::Const(bits), ty, at);
            let same = self.value(ExprKind::Binary(BinaryOp::Eq, value, label), Ty::BOOL, at);
            let this = self.constant(Const::int(Scalar::Int, i as i128 + 1), at);
            number = self.value(ExprKind::Select(same, this, number), Ty::INT, at);
        }
        number
    }

    /// The value of a `switch`: an integer of 32 or 64 bits.
    fn switch_value(&mut self, value: ExprId) -> ExprId {
        let ty = self.ty(value);
        if ty == Ty::ERROR {
            return value;
        }
        let span = self.span(value);
        let to = match self.m.types.elem(ty) {
            Some(s) if self.m.types.components(ty) == Some(1) => match s {
                Scalar::LitInt => Ty::INT,
                s if s.is_float() => {
                    let d = err::switch_on_float(span, &self.show(ty));
                    self.report(d);
                    Ty::INT
                }
                s if s.bits() == 64 => Ty::scalar(s),
                s if s.is_signed() || s == Scalar::Bool => Ty::INT,
                _ => Ty::UINT,
            },
            _ => {
                let d = err::switch_value(span, &self.show(ty));
                self.report(d);
                return self.error_expr(span);
            }
        };
        if ty == to { value } else { self.convert(value, to, ConversionKind::Explicit) }
    }
}
