//! The function at hand: where the current statement is in it, and its body, which grows expression by expression.

use rtc_base::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Use;
use crate::hir::{Body, Category, Const, Expr, ExprId, ExprKind, FuncId, GlobalId, LocalId, RecordId, Stmt, StmtId, StmtKind, Ty, Types};

/// The state inside one function.
#[derive(Clone, Default)]
pub struct FnState {
    /// Which; `None` in initialisers of globals.
    pub func: Option<FuncId>,
    /// What it returns.
    pub ret: Option<Ty>,
    /// Where `this` is available: the record and whether it is `const`.
    pub this: Option<(RecordId, bool)>,
    /// The number of enclosing loops and switches.
    pub loops: u32,
    /// Enclosing switches, innermost last, with their labels.
    pub breakable: u32,
    /// What it uses.
    uses: Vec<Use>,
    /// The function has syntax errors, so declarations may be missing.
    pub broken: bool,
    /// Values of constant locals.
    pub consts: FxHashMap<LocalId, Vec<Const>>,
    /// How many constructs that are never executed enclose this point.
    pub unreached: u32,
    /// The operands of casts.
    pub casts: FxHashMap<ExprId, ExprId>,
    /// Numbers without a type that a minus gave.
    pub negated: FxHashSet<ExprId>,
    /// Switches over an enumeration that have a label for each of its values.
    pub covering: FxHashSet<StmtId>,
}

impl FnState {
    /// The state at the start of a function.
    pub fn new(func: FuncId, ret: Ty, this: Option<(RecordId, bool)>) -> Self {
        FnState { func: Some(func), ret: Some(ret), this, ..FnState::default() }
    }

    /// Whether this is in the body of a function (and not in a class declared there).
    pub fn is_inside(&self) -> bool {
        self.ret.is_some()
    }

    /// Records a use.
    pub fn used(&mut self, u: Use) {
        self.uses.push(u);
    }

    /// How many uses there are: for [`FnState::forget_uses`].
    pub fn count_uses(&self) -> usize {
        self.uses.len()
    }

    /// Forgets the uses from number `from` on: what has them is not executed.
    pub fn forget_uses(&mut self, from: usize) {
        self.uses.truncate(from);
    }

    /// Forgets the last use if it is one of `g`.
    pub fn forget_last_use_of(&mut self, g: GlobalId) {
        self.uses.pop_if(|last| matches!(last, Use::Global(used) if *used == g));
    }

    /// The functions that are called, with the spans of the calls.
    pub fn calls(&self) -> Vec<(FuncId, Span)> {
        let call = |used: &Use| if let Use::Call(f, span) = *used { Some((f, span)) } else { None };
        self.uses.iter().filter_map(call).collect()
    }

    /// What it uses, at its end.
    pub fn finish(self) -> Vec<Use> {
        self.uses
    }
}

impl Body {
    /// A new expression.
    pub(crate) fn push(&mut self, kind: ExprKind, ty: Ty, category: Category, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, ty, category, span })
    }

    /// A new value.
    pub(crate) fn value(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.push(kind, ty, Category::Rvalue, span)
    }

    /// The error expression.
    pub(crate) fn error(&mut self, span: Span) -> ExprId {
        self.push(ExprKind::Error, Ty::ERROR, Category::Lvalue, span)
    }

    /// A scalar constant.
    pub(crate) fn constant(&mut self, c: Const, span: Span) -> ExprId {
        self.value(ExprKind::Const(c.bits), Ty::scalar(c.scalar), span)
    }

    /// A new statement.
    pub(crate) fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.stmts.push(Stmt { kind, span })
    }

    /// The constant that an expression is, if it is a scalar one.
    pub(crate) fn scalar_const(&self, id: ExprId, types: &Types) -> Option<Const> {
        let e = self.exprs[id];
        match e.kind {
            ExprKind::Const(bits) => Some(Const { scalar: types.elem(e.ty)?, bits }),
            _ => None,
        }
    }
}
