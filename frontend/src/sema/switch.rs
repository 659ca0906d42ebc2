//! `switch` statements: labels, arms, and statements before the first label.
//!
//! A `switch` of the typed tree has a 32-bit value. A wider value is mapped to the number of its label first.

use rtc_base::Span;

use super::context::Sema;
use super::conversion::ConversionKind;
use super::errors::{exprs as err_exprs, stmts as err};
use super::scope::Binding;
use super::switch_branch::Branches;
use crate::hir::{self, Arm, BinaryOp, Const, ExprId, ExprKind, LocalId, Scalar, StmtId, StmtKind, Ty, TyKind, Types};
use crate::syntax::Ast;
use crate::syntax::ast::{self, DeclKind, Specs};

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
}

/// What a `switch` consists of.
enum Part {
    /// A statement or a label.
    Stmt(ast::StmtId),
    /// The beginning of a block with labels.
    Open,
    /// The end of one.
    Close,
    /// An `if` with labels, in front of its first side.
    Branch(ast::StmtId),
    /// Its other side begins.
    Other,
    /// It ends.
    Joined,
}

impl Sema<'_> {
    /// `switch (value) { … }`
    pub fn switch(&mut self, value: ast::ExprId, body: ast::StmtId, hint: hir::Branch, span: Span, out: &mut Vec<StmtId>) {
        let outer = self.scopes.open();
        let mut before: Vec<StmtId> = Vec::new();
        let value = self.value_of(value, &mut before);
        let of = self.ty(value);
        let enumeration = match self.kind(self.ty(value)) {
            TyKind::Enum(e) => Some(e),
            _ => None,
        };
        let value = self.switch_value(value);
        let ty = self.ty(value);
        let wide = self.m.types.elem(ty).is_some_and(|s| s.bits() == 64);
        self.f.breakable += 1;
        let mut arms: Vec<Arm> = Vec::new();
        let mut labels = Labels::default();
        let mut branches = Branches::default();
        let mut stmts: Vec<StmtId> = Vec::new();
        let mut labelled = false;
        let parts = self.ast.parts_of_switch(body);
        let mut blocks: Vec<(usize, usize)> = Vec::new();
        let mut initialised: Vec<ast::Name> = Vec::new();
        let known = self.evaluate(value).and_then(|v| Some(v.first()?.bits));
        let mut reached = known.is_none();
        for i in 0..=parts.len() {
            let next = match parts.get(i) {
                Some(Part::Open) => {
                    blocks.push((self.scopes.open(), initialised.len()));
                    continue;
                }
                Some(Part::Close) => {
                    if let Some((outer, known)) = blocks.pop() {
                        self.scopes.close(outer);
                        initialised.truncate(known);
                    }
                    continue;
                }
                Some(&Part::Branch(s)) => {
                    self.if_reached(reached, |s2| s2.switch_branch(s, &mut branches, &mut stmts));
                    self.ast.initialised_by_condition(s, &mut initialised);
                    continue;
                }
                Some(Part::Other) => {
                    self.body.other_side(&mut branches, &mut stmts);
                    continue;
                }
                Some(Part::Joined) => {
                    self.body.close_side(&mut branches, &mut stmts);
                    continue;
                }
                Some(&Part::Stmt(s)) => Some(s),
                None => None,
            };
            let label = next.map(|s| self.ast.stmts[s]).filter(|s| matches!(s.kind, ast::StmtKind::Case(_) | ast::StmtKind::Default));
            if label.is_some() {
                self.body.divide_sides(&mut branches, &mut stmts);
            }
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
                    self.check_jump(label.span, &initialised, matches!(parts.get(i + 1), None | Some(Part::Close)));
                    self.switch_label(label, (of, ty), wide, &mut labels, &mut branches);
                    reached |= labels.default || labels.seen.last().map(|l| l.0) == known;
                }
                None => {
                    self.if_reached(reached, |s| s.stmt(next, &mut stmts));
                    self.initialised_by(next, &mut initialised);
                }
            }
        }
        self.f.breakable -= 1;
        self.scopes.close(outer);
        if self.is_error(value) {
            return;
        }
        let value = if branches.is_empty() { value } else { self.declare_branches(&branches, value, &labels.seen, &mut before) };
        let value = if wide { self.number_of_label(value, &labels.seen, &mut before) } else { value };
        let arms = self.list(&arms);
        let s = self.stmt_node(StmtKind::Switch { value, arms, hint }, span);
        if enumeration.is_some_and(|e| self.m.types.covers(e, ty, &labels)) {
            self.f.covering.insert(s);
        }
        self.body.after(before, s, out, span);
    }

    /// Adds the variables of a statement that a jump may not pass, as they are given a value where they are declared.
    fn initialised_by(&mut self, s: ast::StmtId, out: &mut Vec<ast::Name>) {
        let ast::StmtKind::Decl(decls) = self.ast.stmts[s].kind else {
            return;
        };
        for d in self.ast.list(decls).to_vec() {
            let DeclKind::Var(v) = self.ast.decls[d].kind else {
                continue;
            };
            let Some(name) = v.name.filter(|_| !self.ast.types[v.ty].specs.contains(Specs::STATIC)) else {
                continue;
            };
            let query =
                |s: &Self, b: Binding| matches!(b, Binding::Local(l) if matches!(s.kind(s.body.locals[l].ty), TyKind::RayQuery { .. }));
            if v.init.is_some() || self.lookup(name.sym).is_some_and(|f| query(self, f.binding)) {
                out.push(name);
            }
        }
    }

    /// Checks what a label leads to and past: no initialiser that is in scope there (C++, [stmt.dcl]), and a statement. `last` says that
    /// it ends its block.
    fn check_jump(&mut self, label: Span, initialised: &[ast::Name], last: bool) {
        if let Some(v) = initialised.first() {
            let text = self.str(v.sym).to_string();
            self.report(err::jump_past_initialiser(label, &text, v.span));
        }
        if last {
            self.report(super::errors::types::extension(label, "labels at the end of a block"));
        }
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

    /// A label of a `switch` over a value of type `of`, which is looked at as a number of type `ty`.
    fn switch_label(&mut self, label: ast::Stmt, (of, ty): (Ty, Ty), wide: bool, labels: &mut Labels, branches: &mut Branches) {
        let ast::StmtKind::Case(e) = label.kind else {
            if let Some(first) = labels.default_at {
                self.report(err::doubled_label(label.span, first));
            }
            labels.default_at = Some(label.span);
            labels.default = true;
            branches.label(None);
            return;
        };
        let at = self.ast.exprs[e].span;
        let value = self.unused_value(e);
        let from = self.ty(value);
        // What an enumerator is, and what is none, are told apart here, too.
        if self.implicit_cost(from, of).is_none() && !self.is_error(value) {
            let d = err_exprs::no_conversion(at, &self.show(from), &self.show(of));
            return self.report(d.note("a cast converts between enumerations and numbers"));
        }
        let Some(n) = self.constant_int_of(value) else {
            return;
        };
        let scalar = self.m.types.elem(ty).unwrap_or(Scalar::Int);
        let bits = Const::int(scalar, n).bits;
        if let Some(s) = labels.seen.iter().find(|s| s.0 == bits) {
            self.report(err::doubled_label(at, s.1));
            return;
        }
        labels.seen.push((bits, at));
        branches.label(Some(bits));
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
            Some(s) if matches!(self.kind(ty), TyKind::Scalar(_) | TyKind::Enum(_)) => match s {
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

impl Types {
    /// Whether each value of an enumeration has a label. `ty`: that of the labels.
    fn covers(&self, e: hir::EnumId, ty: Ty, labels: &Labels) -> bool {
        let scalar = self.elem(ty).unwrap_or(Scalar::Int);
        let has = |v: i64| labels.seen.iter().any(|l| l.0 == Const::int(scalar, v.into()).bits);
        self.enums[e].items.iter().all(|i| has(i.1))
    }
}

impl Ast {
    /// Adds the variable that the condition of an `if` declares.
    fn initialised_by_condition(&self, s: ast::StmtId, out: &mut Vec<ast::Name>) {
        if let ast::StmtKind::If { cond, .. } = self.stmts[s].kind
            && let ast::ExprKind::Decl(d) = self.exprs[cond].kind
            && let DeclKind::Var(v) = self.decls[d].kind
        {
            out.extend(v.name);
        }
    }

    /// The parts of a `switch` with this body, which is a block in general.
    fn parts_of_switch(&self, body: ast::StmtId) -> Vec<Part> {
        let mut out = Vec::new();
        match self.stmts[body].kind {
            ast::StmtKind::Block(list) => self.parts_of_block(list, &mut out),
            ast::StmtKind::Empty => {}
            _ => self.parts_of_stmt(body, &mut out),
        }
        out
    }

    /// The statements of a block of a `switch`.
    fn parts_of_block(&self, list: ast::List<ast::StmtId>, out: &mut Vec<Part>) {
        for &s in self.list(list) {
            self.parts_of_stmt(s, out);
        }
    }

    /// A block or branch that has labels of the `switch` is no statement but its parts, as it may be entered there.
    fn parts_of_stmt(&self, s: ast::StmtId, out: &mut Vec<Part>) {
        match self.stmts[s].kind {
            ast::StmtKind::Block(inner) if self.has_label(s) => {
                out.push(Part::Open);
                self.parts_of_block(inner, out);
                out.push(Part::Close);
            }
            ast::StmtKind::If { then, other, .. } if self.has_label(s) => {
                out.extend([Part::Open, Part::Branch(s)]);
                self.parts_of_stmt(then, out);
                if let Some(other) = other {
                    out.push(Part::Other);
                    self.parts_of_stmt(other, out);
                }
                out.extend([Part::Joined, Part::Close]);
            }
            _ => out.push(Part::Stmt(s)),
        }
    }

    /// Whether a statement is a label or has one, in blocks and branches: what a loop or another `switch` has is none of this `switch`.
    fn has_label(&self, s: ast::StmtId) -> bool {
        let mut rest = vec![s];
        while let Some(s) = rest.pop() {
            match self.stmts[s].kind {
                ast::StmtKind::Case(_) | ast::StmtKind::Default => return true,
                ast::StmtKind::Block(inner) => rest.extend(self.list(inner)),
                ast::StmtKind::If { then, other, .. } => {
                    rest.push(then);
                    rest.extend(other);
                }
                _ => {}
            }
        }
        false
    }
}
