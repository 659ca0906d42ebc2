//! Branches that labels of a `switch` enter: `switch (v) { case 0: if (c) { a(); case 1: b(); } d(); }`.
//!
//! Each has a variable that says which side is executed. Where control comes from above, the condition sets it; before the `switch` it says
//! on which side the label of the value is. What a side has between two labels is an `if` on the variable.

use rtc_base::Span;

use super::context::Sema;
use super::errors::stmts as err;
use crate::hir::{BinaryOp, Body, Branch as Hint, Category, Const, ExprId, ExprKind, LocalId, StmtId, StmtKind, Ty};
use crate::syntax::ast;

/// The branches of a `switch` that labels enter.
#[derive(Default)]
pub struct Branches {
    all: Vec<Branch>,
    /// The sides that the next statement is in, the outermost first.
    open: Vec<Side>,
}

struct Branch {
    /// Whether the first side is executed.
    taken: LocalId,
    hint: Hint,
    span: Span,
    /// The labels of the first side.
    labels: Vec<u64>,
    /// `default` is one of them.
    default: bool,
}

struct Side {
    branch: usize,
    first: bool,
    /// The statements of the arm in front of this side.
    outside: Vec<StmtId>,
}

/// The most branches in each other that a label enters: each label divides all of them, and the optimiser nests what the source nests.
const MAX_NESTED: usize = 32;

impl Branches {
    /// Records a label, `default` if it has no value.
    pub fn label(&mut self, value: Option<u64>) {
        for side in self.open.iter().filter(|s| s.first) {
            let branch = &mut self.all[side.branch];
            branch.labels.extend(value);
            branch.default |= value.is_none();
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

impl Sema<'_> {
    /// `if (cond)`, both sides of which are added by [`Self::open_side`] and [`Self::close_side`].
    pub fn switch_branch(&mut self, id: ast::StmtId, branches: &mut Branches, stmts: &mut Vec<StmtId>) {
        let ast::Stmt { kind, attrs, span, .. } = self.ast.stmts[id];
        let ast::StmtKind::If { cond, .. } = kind else { return };
        if branches.open.len() == MAX_NESTED {
            self.report(err::label_too_deep(span, MAX_NESTED));
        }
        let hint = self.statement_attrs(attrs, &kind).branch;
        let cond = self.condition_of(cond, stmts);
        let name = self.anonymous_name("branch");
        let taken = self.new_local(name, Ty::BOOL, false, span);
        let to = self.push(ExprKind::Local(taken), Ty::BOOL, Category::Lvalue, span);
        let at = self.span(cond);
        let set = self.value(ExprKind::Assign(to, cond), Ty::BOOL, at);
        stmts.push(self.stmt_node(StmtKind::Expr(set), at));
        branches.all.push(Branch { taken, hint, span, labels: Vec::new(), default: false });
        branches.open.push(Side { branch: branches.all.len() - 1, first: true, outside: std::mem::take(stmts) });
    }

    /// Declares the variables of the branches in front of the `switch`. `all`: the values of all labels. Returns `value`, for a second use.
    pub fn declare_branches(&mut self, branches: &Branches, value: ExprId, all: &[(u64, Span)], before: &mut Vec<StmtId>) -> ExprId {
        let (span, ty) = (self.span(value), self.ty(value));
        let name = self.anonymous_name("switch");
        let local = self.new_local(name, ty, true, span);
        before.push(self.stmt_node(StmtKind::Local(local, Some(value)), span));
        for branch in &branches.all {
            // With `default`, all values but those of the labels elsewhere.
            let listed = |bits: &u64| branch.labels.contains(bits) != branch.default;
            let mut enters = self.constant(Const::bool(branch.default), span);
            for (bits, at) in all.iter().copied().filter(|(bits, _)| listed(bits)) {
                let value = self.value(ExprKind::Local(local), ty, span);
                let label = self.value(ExprKind::Const(bits), ty, at);
                let same = self.value(ExprKind::Binary(BinaryOp::Eq, value, label), Ty::BOOL, at);
                let this = self.constant(Const::bool(!branch.default), at);
                enters = self.value(ExprKind::Select(same, this, enters), Ty::BOOL, at);
            }
            before.push(self.stmt_node(StmtKind::Local(branch.taken, Some(enters)), branch.span));
        }
        self.value(ExprKind::Local(local), ty, span)
    }
}

impl Body {
    /// Goes on with the other side of the innermost branch.
    pub(crate) fn other_side(&mut self, branches: &mut Branches, stmts: &mut Vec<StmtId>) {
        if let Some(branch) = self.close_side(branches, stmts) {
            branches.open.push(Side { branch, first: false, outside: std::mem::take(stmts) });
        }
    }

    /// Ends the innermost side: its statements become an `if`. Returns the branch.
    pub(crate) fn close_side(&mut self, branches: &mut Branches, stmts: &mut Vec<StmtId>) -> Option<usize> {
        let Side { branch, first, outside } = branches.open.pop()?;
        let inside = std::mem::replace(stmts, outside);
        if !inside.is_empty() {
            let Branch { taken, hint, span, .. } = branches.all[branch];
            let cond = self.value(ExprKind::Local(taken), Ty::BOOL, span);
            let nothing = self.block_of(Vec::new(), span);
            let inside = self.block_of(inside, span);
            let (then, other) = if first { (inside, None) } else { (nothing, Some(inside)) };
            stmts.push(self.stmt(StmtKind::If { cond, then, other, hint }, span));
        }
        Some(branch)
    }

    /// Divides all open sides at a label: what is in front of it goes to `stmts`, and what follows is in the same sides.
    pub(crate) fn divide_sides(&mut self, branches: &mut Branches, stmts: &mut Vec<StmtId>) {
        let sides: Vec<(usize, bool)> = branches.open.iter().map(|s| (s.branch, s.first)).collect();
        while self.close_side(branches, stmts).is_some() {}
        branches.open.extend(sides.into_iter().map(|(branch, first)| Side { branch, first, outside: Vec::new() }));
    }
}
