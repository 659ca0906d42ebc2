//! Syntax tree: expressions, literals and operators.

use rtc_base::{Span, Symbol};

use super::{DeclId, ExprId, List, PathId, TypeId};

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its span, without enclosing parentheses.
    pub span: Span,
}

/// The kind of an [`Expr`].
#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    /// Could not be parsed; already reported.
    Error,
    /// `1`, `0x7fu`, `3ull`.
    Int(u64, IntSuffix),
    /// `1.0`, `2.5h`, `1e3L`.
    Float(f64, FloatSuffix),
    /// `true`, `false`.
    Bool(bool),
    /// `"text"`: the contents with escapes replaced, adjacent literals joined.
    Str(Symbol),
    /// `'c'`: its value.
    Char(u32),
    /// A name: variable, function, enumerator; `f<int>` too.
    Path(PathId),
    /// `this`.
    This,
    /// `base.member`; the path is one segment, or qualified: `x.Base::f`. Swizzles are members as well.
    Member(ExprId, PathId),
    /// `base->member`: not in HLSL; sema reports it.
    Arrow(ExprId, PathId),
    /// `base[index]`.
    Index(ExprId, ExprId),
    /// `callee(args)`. A method call's callee is a `Member`.
    Call(ExprId, List<ExprId>),
    /// `float3(args)`: a call whose callee is a type.
    Construct(TypeId, List<ExprId>),
    /// `(type)operand`; the type may be an array.
    Cast(TypeId, ExprId),
    /// `{ a, { b, c } }`: only as an initialiser or nested in one, an argument of `return` or an argument.
    InitList(List<ExprId>),
    /// A prefix or postfix operator.
    Unary(UnaryOp, ExprId),
    /// A binary operator, without assignment and comma.
    Binary(BinaryOp, ExprId, ExprId),
    /// `a = b`.
    Assign(ExprId, ExprId),
    /// `a += b` and its like.
    AssignOp(BinaryOp, ExprId, ExprId),
    /// `a ? b : c`.
    Conditional(ExprId, ExprId, ExprId),
    /// `a, b`.
    Comma(ExprId, ExprId),
    /// `sizeof(type)`.
    SizeofType(TypeId),
    /// `sizeof expr`.
    SizeofExpr(ExprId),
    /// A variable declared in a condition: `while (int n = next())`. Only as the condition of a statement.
    Decl(DeclId),
}

/// Suffix of an integer literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum IntSuffix {
    /// None.
    #[default]
    None,
    /// `u`
    U,
    /// `l`
    L,
    /// `ul`
    UL,
    /// `ll`
    LL,
    /// `ull`
    ULL,
}

/// Suffix of a floating literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum FloatSuffix {
    /// None.
    #[default]
    None,
    /// `h`: half.
    H,
    /// `f`: float.
    F,
    /// `l`: double.
    L,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnaryOp {
    /// `+x`
    Plus,
    /// `-x`
    Neg,
    /// `!x`
    Not,
    /// `~x`
    BitNot,
    /// `++x`
    PreInc,
    /// `--x`
    PreDec,
    /// `x++`
    PostInc,
    /// `x--`
    PostDec,
    /// `*x`: not in HLSL; sema reports it.
    Deref,
    /// `&x`: not in HLSL; sema reports it.
    AddrOf,
}

/// Binary operators, without assignments and comma.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    LogAnd,
    /// `||`
    LogOr,
}

impl BinaryOp {
    /// Its spelling.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Mul => "*",
            Div => "/",
            Rem => "%",
            Add => "+",
            Sub => "-",
            Shl => "<<",
            Shr => ">>",
            Lt => "<",
            Gt => ">",
            Le => "<=",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            LogAnd => "&&",
            LogOr => "||",
        }
    }
}
