//! Syntax tree: statements.

use rtc_base::Span;

use super::{Attr, DeclId, ExprId, List, StmtId};

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Stmt {
    /// Its kind.
    pub kind: StmtKind,
    /// Preceding attributes: `[unroll(4)]`.
    pub attrs: List<Attr>,
    /// Its span, without attributes.
    pub span: Span,
}

/// The kind of a [`Stmt`].
#[derive(Clone, Copy, Debug)]
pub enum StmtKind {
    /// Could not be parsed; already reported.
    Error,
    /// `;`
    Empty,
    /// `expr;`
    Expr(ExprId),
    /// A declaration: variables of one type, a typedef, a local struct, `using`.
    Decl(List<DeclId>),
    /// `{ … }`
    Block(List<StmtId>),
    /// `if (cond) then else other`.
    If {
        /// The condition.
        cond: ExprId,
        /// If it holds.
        then: StmtId,
        /// If not.
        other: Option<StmtId>,
    },
    /// `for (init; cond; step) body`.
    For {
        /// `Expr`, `Decl` or nothing.
        init: Option<StmtId>,
        /// The condition; absent: endless.
        cond: Option<ExprId>,
        /// The step.
        step: Option<ExprId>,
        /// The loop's body.
        body: StmtId,
    },
    /// `while (cond) body`.
    While {
        /// The condition.
        cond: ExprId,
        /// The loop's body.
        body: StmtId,
    },
    /// `do body while (cond);`
    Do {
        /// The loop's body.
        body: StmtId,
        /// The condition.
        cond: ExprId,
    },
    /// `switch (value) body`; the labels are statements of their own inside the body.
    Switch {
        /// The value.
        value: ExprId,
        /// Normally a block.
        body: StmtId,
    },
    /// `case value:`, the label alone.
    Case(ExprId),
    /// `default:`, the label alone.
    Default,
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `discard;`
    Discard,
    /// `return value;`
    Return(Option<ExprId>),
}
