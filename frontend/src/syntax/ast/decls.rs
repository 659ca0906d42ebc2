//! Syntax tree: declarations, annotations and attributes.

use rtc_base::{Span, Symbol};

use super::{ArrayDim, BinaryOp, DeclId, ExprId, List, Name, PathId, Spec, StmtId, TemplateArg, TypeId, UnaryOp};

/// A declaration.
#[derive(Clone, Copy, Debug)]
pub struct Decl {
    /// What is declared.
    pub kind: DeclKind,
    /// Attributes: `[shader("miss")]`, `[[vk::binding(1, 2)]]`, `[numthreads(8, 8, 1)]`, `struct [raypayload] P`.
    pub attrs: List<Attr>,
    /// The preceding `template <…>`; `Some` of an empty list for an explicit specialisation (`template <>`).
    pub template: Option<List<TemplateParam>>,
    /// Lists of template parameters before that one, outermost first: those of the enclosing class templates, where a member template
    /// is defined outside of them.
    pub outer: List<List<TemplateParam>>,
    /// The whole span.
    pub span: Span,
}

/// The kind of a [`Decl`]. Large variants are in pools of their own.
#[derive(Clone, Copy, Debug)]
pub enum DeclKind {
    /// Could not be parsed; already reported.
    Error,
    /// A variable, constant, resource, field, or subobject (`GlobalRootSignature g = { "…" };`).
    Var(Var),
    /// A function or method: definition, or declaration without a body.
    Function(Function),
    /// `struct`, `class`, `interface`, `union`.
    Record(Record),
    /// `enum`, `enum class`.
    Enum(Enum),
    /// `typedef T Name[dims];` and `using Name = T;`.
    Alias {
        /// The new name.
        name: Name,
        /// The type.
        ty: TypeId,
    },
    /// `cbuffer`, `tbuffer`.
    Buffer(Buffer),
    /// `namespace a { … }`; `namespace a::b { … }` gives two. No name: anonymous.
    Namespace(Option<Name>, List<DeclId>),
    /// `using namespace a::b;`
    UsingNamespace(PathId),
    /// `using a::b;`
    Using(PathId),
    /// `_Static_assert(cond, "message");`
    StaticAssert(ExprId, Option<Symbol>),
}

impl DeclKind {
    /// Whether it gives a record or an enumeration its members.
    pub fn defines_a_type(&self) -> bool {
        match self {
            DeclKind::Record(r) => r.defined,
            DeclKind::Enum(e) => e.defined,
            _ => false,
        }
    }
}

/// A variable, one for each declarator. See [`DeclKind::Var`].
#[derive(Clone, Copy, Debug)]
pub struct Var {
    /// Its name; `None` for an unnamed bit-field.
    pub name: Option<Name>,
    /// The class before `::` when a static member is defined out of its struct.
    pub scope: Option<PathId>,
    /// Template arguments after the name: a specialisation `pi<int> = 3`.
    pub args: Option<List<TemplateArg>>,
    /// Type without the dimensions, with the specifiers.
    pub ty: TypeId,
    /// Array dimensions, outermost first.
    pub dims: List<ArrayDim>,
    /// Width of a bit-field.
    pub bits: Option<ExprId>,
    /// Semantic, register, packoffset, payload access qualifiers, in source order.
    pub annotations: List<Annotation>,
    /// After `=`; an `InitList` for `= { … }`.
    pub init: Option<ExprId>,
}

/// A function. See [`DeclKind::Function`].
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Return type with the declaration's specifiers.
    pub ret: TypeId,
    /// The class or namespace before `::` when a method is defined out of its struct.
    pub scope: Option<PathId>,
    /// Its name.
    pub name: FnName,
    /// Template arguments after the name: an explicit specialisation `f<int>(…)`.
    pub args: Option<List<TemplateArg>>,
    /// Parameters; `(void)` gives none.
    pub params: List<Param>,
    /// `const` after the parameter list.
    pub is_const: bool,
    /// Semantics of the result.
    pub annotations: List<Annotation>,
    /// The body, a block; `None` for a declaration.
    pub body: Option<StmtId>,
}

/// The name of a function.
#[derive(Clone, Copy, Debug)]
pub enum FnName {
    /// An identifier.
    Ident(Name),
    /// `operator+` and its like.
    Operator(OverloadOp, Span),
    /// `operator float4`; the type is also the return type.
    Conversion(TypeId, Span),
}

impl FnName {
    /// Its span.
    pub fn span(&self) -> Span {
        match *self {
            FnName::Ident(n) => n.span,
            FnName::Operator(_, s) | FnName::Conversion(_, s) => s,
        }
    }
}

/// Operators that a struct can define.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum OverloadOp {
    /// A binary operator; `operator-` and `operator+` without parameters are the unary ones.
    Binary(BinaryOp),
    /// `operator=`
    Assign,
    /// `operator+=` and its like.
    AssignOp(BinaryOp),
    /// `operator!`, `operator~`
    Unary(UnaryOp),
    /// `operator++`
    Inc,
    /// `operator--`
    Dec,
    /// `operator()`
    Call,
    /// `operator[]`
    Index,
    /// `operator,`
    Comma,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Preceding attributes.
    pub attrs: List<Attr>,
    /// Type with its specifiers (`in`, `out`, interpolation…).
    pub ty: TypeId,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Array dimensions.
    pub dims: List<ArrayDim>,
    /// Semantic and the like.
    pub annotations: List<Annotation>,
    /// Default argument.
    pub default: Option<ExprId>,
    /// The whole span.
    pub span: Span,
}

/// Which keyword introduced a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `class`
    Class,
    /// `interface`
    Interface,
    /// `union`: not in HLSL; sema reports it.
    Union,
}

/// A record type. See [`DeclKind::Record`].
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Keyword.
    pub kind: RecordKind,
    /// Its name; template arguments on it make a specialisation.
    pub name: Option<PathId>,
    /// Whether it has a body: `struct S;` has none.
    pub defined: bool,
    /// No variable, function or typedef is declared with it.
    pub alone: bool,
    /// Its bases.
    pub bases: List<TypeId>,
    /// Fields (`Var`), methods (`Function`), nested types and aliases.
    pub members: List<DeclId>,
}

/// An enumeration. See [`DeclKind::Enum`].
#[derive(Clone, Copy, Debug)]
pub struct Enum {
    /// Its name.
    pub name: Option<Name>,
    /// `enum class`: enumerators are qualified by the enum's name.
    pub scoped: bool,
    /// After the colon.
    pub underlying: Option<TypeId>,
    /// Whether it has a body.
    pub defined: bool,
    /// Its enumerators.
    pub items: List<Enumerator>,
}

/// A constant of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Name,
    /// After `=`.
    pub value: Option<ExprId>,
}

/// A constant buffer block. See [`DeclKind::Buffer`].
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    /// `tbuffer` instead of `cbuffer`.
    pub texture: bool,
    /// A specifier before it that it cannot have.
    pub misplaced: Option<Spec>,
    /// Its name.
    pub name: Option<Name>,
    /// Its register.
    pub annotations: List<Annotation>,
    /// Its members, visible outside.
    pub members: List<DeclId>,
}

/// A parameter of a template.
#[derive(Clone, Copy, Debug)]
pub struct TemplateParam {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Type or value.
    pub kind: TemplateParamKind,
    /// The whole span.
    pub span: Span,
}

/// The kind of a [`TemplateParam`].
#[derive(Clone, Copy, Debug)]
pub enum TemplateParamKind {
    /// `typename T = Default`.
    Type(Option<TypeId>),
    /// `uint N = 4`: type, default.
    Value(TypeId, Option<ExprId>),
    /// `template <typename> class C = Default`: its own parameters, and the default, which names a template.
    Template(List<TemplateParam>, Option<TypeId>),
}

/// What follows a declarator's colon.
#[derive(Clone, Copy, Debug)]
pub struct Annotation {
    /// Its kind.
    pub kind: AnnotationKind,
    /// Without the colon.
    pub span: Span,
}

/// The kind of an [`Annotation`].
#[derive(Clone, Copy, Debug)]
pub enum AnnotationKind {
    /// `: SV_Position`
    Semantic(Symbol),
    /// `: register(t3, space1)`
    Register(Register),
    /// `: packoffset(c2.y)`: constant register and component (0 to 3), in words of 4 bytes from the start of the buffer `reg * 4 + component`.
    PackOffset {
        /// Constant register.
        reg: u32,
        /// First component.
        component: u8,
        /// Whether a component was written.
        explicit: bool,
    },
    /// `: read(caller, anyhit)` or `: write(…)`: a payload access qualifier.
    Access {
        /// `write` instead of `read`.
        write: bool,
        /// The stages as written, unchecked.
        stages: List<Name>,
    },
}

/// A `register(…)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// Register class and number: `('t', 3)`; the class is lower case and any letter, unchecked. `None` for `register(space2)`.
    pub slot: Option<(char, u32)>,
    /// The space, if written.
    pub space: Option<u32>,
    /// The shader profile it is meant for, if written: `register(ps_5_0, s1)`.
    pub profile: Option<Symbol>,
}

/// An attribute: `[unroll(4)]`, `[[vk::binding(0, 1)]]`.
#[derive(Clone, Copy, Debug)]
pub struct Attr {
    /// Before the `::`.
    pub scope: Option<Name>,
    /// Its name.
    pub name: Name,
    /// Arguments.
    pub args: List<ExprId>,
    /// Whether it has parentheses at all.
    pub parens: bool,
    /// Name and arguments.
    pub span: Span,
}
