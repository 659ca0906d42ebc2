//! The typed AST (HIR): the result of semantic analysis and the input of lowering.
//!
//! Semantic analysis builds it from the syntax tree; lowering walks it and writes IR. Names are resolved to entities,
//! every expression has a type and a category, and every implicit conversion, splat, truncation, default
//! argument, `this`, overload choice and template instance is a node of its own. Like the syntax tree it is made
//! of flat arenas: types and declarations belong to the [`Module`], expressions and statements to
//! the [`Body`] of one function, and children are 32-bit indices.

pub mod body;
pub mod consts;
pub mod inline;
pub mod layout;
pub mod mangle;
pub mod module;
pub mod opcodes;
pub mod print;
pub mod stage;
mod type_names;
pub mod types;

pub use body::{
    Arg, Arm, BinaryOp, Body, Branch, Category, Expr, ExprKind, List, Local, LoopHint, LoopKind, Node, Pass, Sides, Stmt, StmtKind, UnaryOp,
};
pub use consts::Const;
pub use module::{
    Binding, Entry, Function, Global, GlobalKind, LateRule, Method, Module, Param, Role, RootSignature, RootSignatureOf, Subobject,
    SubobjectKind, SystemValue,
};
pub use stage::{ClipPlanes, PatchConstants, StageInterface, StageNode};
pub use types::{
    Enum, Field, FnType, Norm, Paq, PaqSpans, PaqStages, Record, Resource, Scalar, StagePlace, SubobjectType, Ty, TyKind, Types, UNNAMED,
};

rtc_base::entity! {
    /// A function or one instance of a function template.
    pub struct FuncId = "func";
    /// A variable outside functions, or a `static` one inside.
    pub struct GlobalId = "global";
    /// A structure type.
    pub struct RecordId = "record";
    /// An enumeration type.
    pub struct EnumId = "enum";
    /// A type made of an instruction of SPIR-V.
    pub struct SpirvTypeId = "spirv";
    /// A type of functions.
    pub struct FnTypeId = "fntype";
    /// A parameter or variable of a function.
    pub struct LocalId = "local";
    /// An expression of a body.
    pub struct ExprId = "expr";
    /// A statement of a body.
    pub struct StmtId = "stmt";
}
