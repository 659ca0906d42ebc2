//! Bodies of functions: typed expressions and structured statements.
//!
//! Operands of operators already have one type; every implicit conversion is a node. Unless the kind's documentation differs, operands
//! are evaluated from left to right, and an l-value in the position of a value is read.

pub use rtc_base::List;
use rtc_base::{PrimaryMap, Span, Symbol};
use rtc_tables::intrinsics::Intrinsic;

use super::{ExprId, FuncId, GlobalId, LocalId, StmtId, Ty};

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Whether it is an l-value.
    pub category: Category,
    /// Its source location.
    pub span: Span,
}

/// Whether an expression is a value or an l-value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Category {
    /// A value.
    Rvalue,
    /// An l-value that may only be read.
    Constant,
    /// An l-value that may be written.
    Lvalue,
}

impl Category {
    /// Whether it is an l-value.
    pub fn is_lvalue(self) -> bool {
        self != Category::Rvalue
    }
}

/// What an expression is.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    /// An error that is already reported. Never in a module without errors.
    Error,
    /// A scalar (or enumeration) constant: bits as in [`super::Const`].
    Const(u64),
    /// A string literal.
    Str(Symbol),
    /// A parameter or variable. An l-value.
    Local(LocalId),
    /// A variable outside functions: resource, cbuffer, static, groupshared. An l-value.
    Global(GlobalId),
    /// The object of the method. An l-value.
    This,
    /// The value that the nearest enclosing [`ExprKind::Update`] or [`Arg`] converts. See there.
    Hole,
    /// Member variable number n of a record; an l-value if the base is one.
    Field(ExprId, u32),
    /// A record seen as the one it inherits from: the same l-value, its first fields.
    AsBase(ExprId),
    /// An l-value seen as one of another type, whose scalars and objects, depth first, are the first of the l-value; of a matrix seen as
    /// a smaller one, its upper left part. An l-value that may be written.
    View(ExprId),
    /// What is in a `ConstantBuffer`, cbuffer or `TextureBuffer`: a constant l-value of the record type.
    Contents(ExprId),
    /// What a `vk::BufferPointer` points to: an l-value.
    Pointee(ExprId),
    /// Element of an array (of numbers, records or resources): array, `int` or `uint` index.
    Index(ExprId, ExprId),
    /// Component of a vector by `int` or `uint` index.
    Component(ExprId, ExprId),
    /// Row of a matrix by `int` or `uint` index.
    Row(ExprId, ExprId),
    /// Element of a structured buffer: buffer, index. An l-value; constant for a read-only buffer.
    Element(ExprId, ExprId),
    /// Texel of a texture or typed buffer: resource, coordinates (scalar or vector of `int` or `uint`), mip level
    /// or sample. An l-value for writable resources (written whole or by component); else a value.
    Texel(ExprId, ExprId, Option<ExprId>),
    /// The resource at an index of the resource heap (false) or the sampler heap (true); the type tells which resource.
    Heap(bool, ExprId),
    /// As an argument of a method: the sampler that is in one descriptor with the texture whose method it is.
    OwnSampler,
    /// Some components of a vector or scalar: as many as the type has. An l-value if the base is one and none repeats.
    Swizzle(ExprId, [u8; 4]),
    /// Some components of a matrix: row times 4 plus column each. An l-value if the base is one and none repeats.
    MatrixSwizzle(ExprId, [u8; 4]),
    /// A component-wise operator.
    Unary(UnaryOp, ExprId),
    /// A component-wise operator on operands of one type. Comparisons give `bool` components.
    Binary(BinaryOp, ExprId, ExprId),
    /// `a && b` of scalars where b is evaluated only if a holds.
    And(ExprId, ExprId),
    /// `a || b` of scalars where b is evaluated only if a does not hold.
    Or(ExprId, ExprId),
    /// `c ? a : b` where only one of a and b is evaluated; c is a scalar `bool`.
    Conditional(ExprId, ExprId, ExprId),
    /// Component-wise choice; all three are evaluated. c is `bool` with the shape of a and b, or a scalar.
    Select(ExprId, ExprId, ExprId),
    /// `to = value`; the types are the same. The value is evaluated before the l-value. Gives the value.
    Assign(ExprId, ExprId),
    /// `to op= value`, `++to`, `to--`. Evaluate `value`, then the l-value; `old` is what is there. The new value is
    /// `back(into(old) op value)`.
    Update {
        /// The l-value.
        to: ExprId,
        /// The operator.
        op: BinaryOp,
        /// Its right operand.
        value: ExprId,
        /// The conversion of the l-value's contents to the left operand ([`ExprKind::Hole`]); `None`: itself.
        into: Option<ExprId>,
        /// The conversion of the operator's result to the l-value's type ([`ExprKind::Hole`]); `None`: itself.
        back: Option<ExprId>,
        /// The expression's value is the old one (`x++`), not the new one.
        post: bool,
    },
    /// Each component converted to the expression's component type; shapes are the same. Enumerations convert as
    /// their underlying type. If the type is `void`, the value is dropped.
    Convert(ExprId),
    /// The scalar (or vector of one) in every scalar of the type. If the type is not numeric (`(S)0`), the value
    /// is converted to the type of each of its scalars.
    Splat(ExprId),
    /// The first components: of a vector its first, of a matrix its upper left part, or its first component if the type is a scalar.
    /// If one of the types is an array or record: the first scalars, depth first, each converted as by [`ExprKind::Construct`].
    Truncate(ExprId),
    /// The scalars of the parts in order, which are as many as the type has: vectors by component, matrices by row, arrays and records
    /// depth first. A number's parts have its component type; in arrays and records each scalar is
    /// converted to the type of the one it becomes. Objects (resources) count like scalars.
    Construct(List<ExprId>),
    /// A call of a function of the program. With `this`, of a method on that record (an l-value, or a temporary).
    Call {
        /// Which.
        func: FuncId,
        /// The record that a non-static method works on.
        this: Option<ExprId>,
        /// One for each parameter.
        args: List<Arg>,
    },
    /// A call of an intrinsic.
    Intrinsic {
        /// Which overload.
        row: &'static Intrinsic,
        /// The object of a method.
        object: Option<ExprId>,
        /// One for each parameter (and each variadic argument).
        args: List<Arg>,
    },
    /// First a, then b, which is the value.
    Comma(ExprId, ExprId),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnaryOp {
    /// `-a` of numbers.
    Neg,
    /// `~a` of integers.
    BitNot,
    /// `!a` of booleans.
    Not,
}

/// Operators with two operands of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// Shift left: the right operand counts modulo the width.
    Shl,
    /// Shift right, sign-filled if the type is signed.
    Shr,
    /// Bitwise; of booleans logical, both operands evaluated.
    And,
    /// Bitwise; of booleans logical, both operands evaluated.
    Or,
    Xor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl BinaryOp {
    /// Whether the result is boolean.
    pub fn is_comparison(self) -> bool {
        self as u8 >= BinaryOp::Lt as u8
    }
    /// Whether the lower bits of the result depend on the lower bits of the operands alone.
    pub fn is_modular(self) -> bool {
        matches!(self, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
    }
}

/// How an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Pass {
    /// By value.
    In,
    /// Copied out after the call.
    Out,
    /// Copied in and out.
    InOut,
    /// The l-value itself (target of an atomic, ray query).
    Ref,
}

/// An argument.
///
/// For `Out` and `InOut`, `expr` is an l-value, evaluated once in its turn. The parameter is a fresh variable that holds
/// `into(l-value)` before the call (not for `Out`); after the call `back(variable)` is stored to
/// the l-values, arguments from left to right.
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    /// The value or l-value.
    pub expr: ExprId,
    /// How it is passed.
    pub pass: Pass,
    /// The parameter's value from the l-value's ([`ExprKind::Hole`]); `None`: itself.
    pub into: Option<ExprId>,
    /// The l-value's new value from the parameter's ([`ExprKind::Hole`]); `None`: itself.
    pub back: Option<ExprId>,
    /// The parameter's type.
    pub ty: Ty,
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its source location.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Copy, Debug)]
pub enum StmtKind {
    /// Evaluates; the value is dropped.
    Expr(ExprId),
    /// Declares a variable, a new one at each execution; without an initialiser its value is undefined. The initialiser has its type.
    Local(LocalId, Option<ExprId>),
    /// One after the other.
    Block(List<StmtId>),
    /// `if`; the condition is a scalar `bool`.
    If {
        /// The condition.
        cond: ExprId,
        /// If it holds.
        then: StmtId,
        /// If not.
        other: Option<StmtId>,
        /// `[branch]`, `[flatten]`.
        hint: Branch,
    },
    /// `for` and `while` (the initialiser precedes it), or `do`.
    Loop {
        /// Where the condition is tested.
        kind: LoopKind,
        /// The condition, a scalar `bool`; `None`: endless.
        cond: Option<ExprId>,
        /// The step: after each iteration, also after `continue`, before the condition.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
        /// `[unroll]`, `[loop]`…
        hint: LoopHint,
    },
    /// `switch` on an `int` or `uint` scalar. Without a matching arm or a default nothing is executed.
    Switch {
        /// The value.
        value: ExprId,
        /// The arms in source order.
        arms: List<Arm>,
        /// `[branch]`, `[flatten]`, `[call]`, `[forcecase]`.
        hint: Branch,
    },
    /// Leaves the innermost loop or switch.
    Break,
    /// Continues the innermost loop.
    Continue,
    /// Leaves the function; the value has its return type.
    Return(Option<ExprId>),
    /// `discard`.
    Discard,
}

/// Where a loop tests its condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LoopKind {
    /// Before each iteration.
    TestFirst,
    /// After each iteration.
    TestLast,
}

/// A loop hint, from an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum LoopHint {
    /// Nothing.
    #[default]
    None,
    /// `[unroll]`, `[unroll(n)]`
    Unroll(Option<u32>),
    /// `[loop]`
    Loop,
    /// `[fastopt]`
    FastOpt,
    /// `[allow_uav_condition]`
    AllowUavCondition,
}

/// The hints of an `if` or `switch`, from attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Branch {
    /// What becomes of the sides.
    pub sides: Sides,
    /// `[forcecase]`, which says something else: it may be next to the others.
    pub force_case: bool,
}

/// What becomes of the sides of an `if` or `switch`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Sides {
    /// Nothing in particular.
    #[default]
    Any,
    /// `[branch]`
    Branch,
    /// `[flatten]`
    Flatten,
    /// `[call]`
    Call,
}

/// An arm of a `switch`: its labels and its body.
#[derive(Clone, Copy, Debug)]
pub struct Arm {
    /// The values, as the bits of the switch's type.
    pub labels: List<u32>,
    /// Whether `default` is among the labels.
    pub default: bool,
    /// A block; `break` in it leaves the switch.
    pub body: StmtId,
    /// Whether control may reach the end of the body and then falls through to the next arm. Never set on the last.
    pub falls_through: bool,
}

/// A parameter or variable of a function.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name, empty if it has none.
    pub name: Symbol,
    /// Its type.
    pub ty: Ty,
    /// Whether it may be written.
    pub is_const: bool,
    /// `precise`
    pub precise: bool,
    /// Where it is declared.
    pub span: Span,
}

/// The expressions, statements and variables of one function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// Statements.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// Parameters first, then variables.
    pub locals: PrimaryMap<LocalId, Local>,
    /// The function's block; `None` for initialisers of globals.
    pub root: Option<StmtId>,
    /// The planes of `[clipplanes(…)]`.
    pub clip_planes: Vec<ExprId>,
    pools: Pools,
}

/// An element of a [`List`].
pub trait Node: Sized + Copy {
    /// The pool.
    fn pool(body: &Body) -> &Vec<Self>;
    /// The pool, to add to.
    fn pool_mut(body: &mut Body) -> &mut Vec<Self>;
}

macro_rules! pools {
    ($($field:ident: $ty:ty,)*) => {
        #[derive(Clone, Debug, Default)]
        struct Pools { $($field: Vec<$ty>,)* }
        $(impl Node for $ty {
            fn pool(body: &Body) -> &Vec<Self> { &body.pools.$field }
            fn pool_mut(body: &mut Body) -> &mut Vec<Self> { &mut body.pools.$field }
        })*
    };
}

pools! {
    exprs: ExprId,
    stmts: StmtId,
    args: Arg,
    arms: Arm,
    labels: u32,
}

impl Body {
    /// The elements of `list`.
    pub fn list<T: Node>(&self, list: List<T>) -> &[T] {
        list.of(T::pool(self))
    }
    /// Makes a list of `items`.
    pub fn make_list<T: Node>(&mut self, items: &[T]) -> List<T> {
        List::put(T::pool_mut(self), items.iter().copied())
    }
    /// The l-value that `e` is a member, element or component of, or that it assigns to; none if it is the whole object. (An element
    /// of a resource is not a part of the resource.)
    pub fn whole_of(&self, e: ExprId) -> Option<ExprId> {
        match self.exprs[e].kind {
            ExprKind::Field(whole, _)
            | ExprKind::AsBase(whole)
            | ExprKind::View(whole)
            | ExprKind::Index(whole, _)
            | ExprKind::Component(whole, _)
            | ExprKind::Row(whole, _)
            | ExprKind::Swizzle(whole, _)
            | ExprKind::MatrixSwizzle(whole, _)
            | ExprKind::Assign(whole, _)
            | ExprKind::Update { to: whole, post: false, .. } => Some(whole),
            _ => None,
        }
    }
    /// Calls `f` with the operands of `e`, in order of evaluation: not with the conversions around an assignment or argument.
    pub fn for_each_operand(&self, e: ExprId, f: &mut dyn FnMut(ExprId)) {
        match self.exprs[e].kind {
            ExprKind::Error
            | ExprKind::Const(_)
            | ExprKind::Str(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::This
            | ExprKind::Hole
            | ExprKind::OwnSampler => {}
            ExprKind::Field(a, _)
            | ExprKind::AsBase(a)
            | ExprKind::View(a)
            | ExprKind::Contents(a)
            | ExprKind::Pointee(a)
            | ExprKind::Heap(_, a)
            | ExprKind::Swizzle(a, _)
            | ExprKind::MatrixSwizzle(a, _)
            | ExprKind::Unary(_, a)
            | ExprKind::Convert(a)
            | ExprKind::Splat(a)
            | ExprKind::Truncate(a) => f(a),
            ExprKind::Index(a, b)
            | ExprKind::Component(a, b)
            | ExprKind::Row(a, b)
            | ExprKind::Element(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::Comma(a, b) => [a, b].into_iter().for_each(f),
            ExprKind::Texel(a, b, c) => {
                [a, b].into_iter().for_each(&mut *f);
                c.into_iter().for_each(f);
            }
            ExprKind::Conditional(a, b, c) | ExprKind::Select(a, b, c) => [a, b, c].into_iter().for_each(f),
            ExprKind::Update { to, value, .. } => [value, to].into_iter().for_each(f),
            ExprKind::Construct(list) => self.list(list).iter().copied().for_each(f),
            ExprKind::Call { this, args, .. } => {
                this.into_iter().for_each(&mut *f);
                self.list(args).iter().for_each(|a| f(a.expr));
            }
            ExprKind::Intrinsic { object, args, .. } => {
                object.into_iter().for_each(&mut *f);
                self.list(args).iter().for_each(|a| f(a.expr));
            }
        }
    }
    /// Calls `f` with the conversions around the assignment or the arguments of `e`.
    pub fn for_each_conversion(&self, e: ExprId, f: &mut dyn FnMut(ExprId)) {
        match self.exprs[e].kind {
            ExprKind::Update { into, back, .. } => into.into_iter().chain(back).for_each(f),
            ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. } => {
                self.list(args).iter().flat_map(|a| a.into.into_iter().chain(a.back)).for_each(f)
            }
            _ => {}
        }
    }
    /// Appends the operands of `e`, in order of evaluation, to `out`.
    pub fn children(&self, e: ExprId, out: &mut Vec<ExprId>) {
        self.for_each_operand(e, &mut |c| out.push(c));
    }
    /// Whether evaluating `e` may do more than give a value: it assigns or calls.
    pub fn may_have_effects(&self, e: ExprId) -> bool {
        let mut rest = vec![e];
        while let Some(e) = rest.pop() {
            match self.exprs[e].kind {
                ExprKind::Assign(..) | ExprKind::Update { .. } | ExprKind::Call { .. } | ExprKind::Intrinsic { .. } => return true,
                _ => self.children(e, &mut rest),
            }
        }
        false
    }
    /// The innermost left operand of the chain of binary operators `e`, and the operators outwards, each with its right
    /// operand. Such chains may be too long for recursion.
    pub fn left_spine(&self, e: ExprId) -> (ExprId, impl Iterator<Item = (ExprId, ExprId)> + use<>) {
        let mut spine = Vec::new();
        let mut at = e;
        while let ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) = self.exprs[at].kind {
            spine.push((at, b));
            at = a;
        }
        (at, spine.into_iter().rev())
    }
    /// The operands of the chain of commas `e`, in order: `e` itself if it is none.
    pub fn comma_parts(&self, e: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        let mut at = e;
        while let ExprKind::Comma(a, b) = self.exprs[at].kind {
            parts.push(b);
            at = a;
        }
        parts.push(at);
        parts.reverse();
        parts
    }
    /// Appends the expressions and statements that are direct children of `s` to `exprs` and `stmts`.
    pub fn parts(&self, s: StmtId, exprs: &mut Vec<ExprId>, stmts: &mut Vec<StmtId>) {
        match self.stmts[s].kind {
            StmtKind::Expr(e) => exprs.push(e),
            StmtKind::Return(e) | StmtKind::Local(_, e) => exprs.extend(e),
            StmtKind::Block(list) => stmts.extend_from_slice(self.list(list)),
            StmtKind::If { cond, then, other, .. } => {
                exprs.push(cond);
                stmts.push(then);
                stmts.extend(other);
            }
            StmtKind::Loop { cond, step, body, .. } => {
                exprs.extend(cond);
                exprs.extend(step);
                stmts.push(body);
            }
            StmtKind::Switch { value, arms, .. } => {
                exprs.push(value);
                stmts.extend(self.list(arms).iter().map(|a| a.body));
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Discard => {}
        }
    }
    /// The bits of `e` if it is a scalar constant.
    pub fn as_const(&self, e: ExprId) -> Option<u64> {
        match self.exprs[e].kind {
            ExprKind::Const(bits) => Some(bits),
            _ => None,
        }
    }
}

const _: () = assert!(std::mem::size_of::<Expr>() <= 56);
