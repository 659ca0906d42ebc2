//! The abstract syntax tree of HLSL: flat arenas, no boxes.
//!
//! Every node is a 32-bit entity ([`ExprId`], [`StmtId`], [`DeclId`], [`TypeId`], [`PathId`]) and the nodes
//! are in the arenas of one [`Ast`]; a sequence of children is a [`List`], a range of
//! a pool. So a tree of any size is dropped and cloned without recursion, a node costs a few words, and
//! later facts about a node are in a `SecondaryMap` keyed by its id.
//!
//! The tree represents what is *written*: names are not resolved, types and specifiers are not checked.
//! Two things are decided here already, because the grammar needs them: which identifiers name types
//! (the classifier's work, see `crate::classify`), and where template arguments open and close. Both are
//! guesses in an invalid program, so semantic analysis must accept `Call` of a path that is a type like
//! `Construct`, and [`TemplateArg::Expr`] of a path that is a type like `TemplateArg::Type`.
//!
//! `Error` kinds mark positions where the parser recovered: they are already reported, so later stages do not
//! report them.

mod decls;
mod exprs;
mod stmts;
mod types;

pub use decls::*;
pub use exprs::*;
pub use stmts::*;
pub use types::*;

pub use rtc_base::List;
use rtc_base::{PrimaryMap, Span, Symbol};
use rustc_hash::FxHashMap;

rtc_base::entity! {
    /// An expression.
    pub struct ExprId = "expr";
    /// A statement.
    pub struct StmtId = "stmt";
    /// A declaration: of a variable, a function, a type, a namespace…
    pub struct DeclId = "decl";
    /// One occurrence of a type in the source.
    pub struct TypeId = "type";
    /// A possibly qualified name with its template arguments.
    pub struct PathId = "path";
}

/// One occurrence of an identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// Its spelling.
    pub sym: Symbol,
    /// Its span.
    pub span: Span,
}

/// `a`, `ns::b`, `::c`, `Texture2D<float4>`, `outer<int>::inner`.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// Whether it starts with `::`.
    pub global: bool,
    /// The names between the `::`, at least one.
    pub segments: List<Segment>,
    /// The whole span.
    pub span: Span,
}

/// One name of a [`Path`].
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The name.
    pub name: Name,
    /// Template arguments; `Some` of an empty list for `f<>`.
    pub args: Option<List<TemplateArg>>,
}

/// An argument between `<` and `>`.
#[derive(Clone, Copy, Debug)]
pub enum TemplateArg {
    /// A type.
    Type(TypeId),
    /// A value, or a name that the classifier did not classify as a type.
    Expr(ExprId),
}

/// Element types of a [`List`].
pub trait Pooled: Sized {
    /// The pool.
    fn pool(ast: &Ast) -> &Vec<Self>;
    /// The pool, to add to.
    fn pool_mut(ast: &mut Ast) -> &mut Vec<Self>;
}

macro_rules! pools {
    ($($field:ident: $ty:ty,)*) => {
        #[derive(Clone, Default)]
        struct Pools { $($field: Vec<$ty>,)* }
        $(impl Pooled for $ty {
            fn pool(ast: &Ast) -> &Vec<Self> { &ast.pools.$field }
            fn pool_mut(ast: &mut Ast) -> &mut Vec<Self> { &mut ast.pools.$field }
        })*
    };
}

pools! {
    exprs: ExprId,
    stmts: StmtId,
    decls: DeclId,
    types: TypeId,
    segments: Segment,
    template_args: TemplateArg,
    template_params: TemplateParam,
    template_headers: List<TemplateParam>,
    dims: ArrayDim,
    specs: Spec,
    params: Param,
    enumerators: Enumerator,
    annotations: Annotation,
    names: Name,
    attrs: Attr,
}

/// The tree of one translation unit.
#[derive(Clone, Default)]
pub struct Ast {
    /// All expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// All statements.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// All declarations.
    pub decls: PrimaryMap<DeclId, Decl>,
    /// All types.
    pub types: PrimaryMap<TypeId, Type>,
    /// All names.
    pub paths: PrimaryMap<PathId, Path>,
    /// The declarations at file scope, in order.
    pub items: List<DeclId>,
    /// By the span of a string: the literals that it is concatenated of, with their offsets in the text.
    pub literals: FxHashMap<Span, Vec<(u32, Span)>>,
    pools: Pools,
}

impl Ast {
    /// A tree without nodes.
    pub fn new() -> Self {
        Self::default()
    }

    /// The elements of `list`.
    pub fn list<T: Pooled>(&self, list: List<T>) -> &[T] {
        list.of(T::pool(self))
    }

    /// Makes a list of `items`.
    pub fn make_list<T: Pooled>(&mut self, items: impl IntoIterator<Item = T>) -> List<T> {
        List::put(T::pool_mut(self), items)
    }

    /// The name of `path` when it is a single unqualified one without template arguments.
    pub fn simple_name(&self, path: PathId) -> Option<Name> {
        let p = &self.paths[path];
        match self.list(p.segments) {
            [Segment { name, args: None }] if !p.global => Some(*name),
            _ => None,
        }
    }

    /// The last name of `path`.
    pub fn last_name(&self, path: PathId) -> Option<Name> {
        self.list(self.paths[path].segments).last().map(|s| s.name)
    }
}

const _: () = assert!(std::mem::size_of::<Expr>() <= 32);
const _: () = assert!(std::mem::size_of::<Stmt>() <= 48);
