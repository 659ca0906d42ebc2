//! The state of a check: the module that grows, the place where we are, and the helpers that every file uses.

use rtc_base::{Diagnostic, Interner, PrimaryMap, SecondaryMap, SourceMap, Span, Symbol};
use rtc_tables::intrinsics::Intrinsic;
use rustc_hash::FxHashMap;

use super::SemaOptions;
use super::scope::{Binding, CtxId, CtxKind, Namespace, NsId, RecordInfo, Scopes, SetId};
use super::template::{Instance, Template, TemplateId};
use crate::hir::{
    self, Body, Category, Const, Expr, ExprId, ExprKind, FuncId, GlobalId, List, LocalId, Module, Node, RecordId, Stmt, StmtId, StmtKind,
    Ty, TyKind,
};
use crate::syntax::ast::{self, Ast};

/// A use that the walk over the call graph looks at.
#[derive(Clone, Copy)]
pub enum Use {
    /// A call of a function of the program.
    Call(FuncId, Span),
    /// A call of an intrinsic that not every stage has.
    Intrinsic(&'static Intrinsic, Span),
    /// A variable with a hit object in it.
    HitObject(Span),
    /// A `discard`.
    Discard(Span),
    /// A use of a global variable.
    Global(GlobalId),
}

/// What is known of a function beside its typed form.
#[derive(Clone, Default)]
pub struct FuncInfo {
    /// Where to find default arguments: the parameters as written.
    pub decl: Option<(ast::Function, CtxId)>,
    /// Default arguments by parameter.
    pub defaults: Vec<Option<(ast::ExprId, CtxId)>>,
    /// What its body uses.
    pub uses: Vec<Use>,
    /// Whether the body was seen.
    pub defined: bool,
    /// `static` at file scope.
    pub internal: bool,
    /// An instance of a function template.
    pub instance: bool,
    /// `export`
    pub export: bool,
    /// Attributes of the declaration.
    pub attrs: Vec<ast::Attr>,
}

/// A body to check once everything around it is declared.
#[derive(Clone)]
pub struct Pending {
    /// Which function.
    pub func: FuncId,
    /// As written.
    pub ast: ast::Function,
    /// Where its names are looked up.
    pub ctx: CtxId,
    /// How many instantiations led to it.
    pub depth: u32,
    /// The instantiations that led to it, outermost first; empty if it is no instance.
    pub instance_of: Vec<(String, Span)>,
}

/// The state inside one function.
#[derive(Default)]
pub struct FnState {
    /// Which; `None` in initialisers of globals.
    pub func: Option<FuncId>,
    /// What it returns.
    pub ret: Option<Ty>,
    /// Where `this` is available: the record and whether it is `const`.
    pub this: Option<(RecordId, bool)>,
    /// Loops and switches around.
    pub loops: u32,
    /// Switches around, innermost last: cases collected.
    pub breakable: u32,
    /// What it uses.
    pub uses: Vec<Use>,
    /// Part of the text could not be parsed, so declarations may be missing.
    pub broken: bool,
    /// Values of constant locals.
    pub consts: FxHashMap<LocalId, Vec<Const>>,
}

/// See the module's documentation.
pub struct Sema<'a> {
    /// The tree.
    pub ast: &'a Ast,
    /// Where it comes from.
    pub sources: &'a SourceMap,
    /// Names.
    pub names: &'a mut Interner,
    /// Options.
    pub opts: &'a SemaOptions,
    /// What is made.
    pub m: Module,
    /// What was found wrong.
    pub diags: Vec<Diagnostic>,
    /// Where expressions and statements go.
    pub body: Body,
    /// The function we are in.
    pub f: FnState,
    /// Names.
    pub scopes: Scopes,
    /// Members of records.
    pub records: SecondaryMap<RecordId, RecordInfo>,
    /// Overload sets.
    pub sets: PrimaryMap<SetId, Vec<super::scope::Overload>>,
    /// Functions.
    pub funcs: SecondaryMap<FuncId, FuncInfo>,
    /// Templates.
    pub templates: PrimaryMap<TemplateId, Template>,
    /// Their instances.
    pub instances: FxHashMap<(TemplateId, Vec<super::template::ArgValue>), Instance>,
    /// The templates that records are instances of.
    pub instance_args: super::template::InstanceArgs,
    /// Depth of instantiation that we are in.
    pub depth: u32,
    /// Instantiations around, for notes: what and where.
    pub trace: Vec<(String, Span)>,
    /// Bodies to check.
    pub pending: Vec<Pending>,
    /// Bodies of instances of function templates that no call has chosen yet.
    pub waiting: FxHashMap<FuncId, Pending>,
    /// Structures whose names variables of the same scope took.
    pub hidden_types: FxHashMap<Symbol, Ty>,
    /// The `$Globals` buffer once there is one.
    pub loose: Option<(GlobalId, RecordId)>,
    /// How deep expressions and types are nested at present.
    pub nesting: u32,
    /// The enumeration inside whose braces the checker is: its constants are numbers there.
    pub open_enum: Option<hir::EnumId>,
    /// The records of the language: by name.
    pub builtin_records: FxHashMap<Symbol, Ty>,
    /// A counter for names of things without name.
    pub anonymous: u32,
    /// What was reported where.
    pub reported: rustc_hash::FxHashSet<(&'static str, Span)>,
    /// Names that stood where a type belongs and are none: not reported again as values.
    pub unknown_types: rustc_hash::FxHashSet<Symbol>,
    /// How many more unknown names are compared with all others: a file of thousands of them gets no help by hints.
    pub guesses: std::cell::Cell<u32>,
    /// Reports are dropped while this is not 0.
    pub muted: u32,
    /// Types that were declared where a type stands, by declaration and context.
    pub inline_types: FxHashMap<(ast::DeclId, CtxId), Ty>,
    /// Classes that we are inside of.
    pub class_nesting: u32,
    /// Bodies of methods that wait for the end of their class.
    pub deferred: Vec<Pending>,
    /// The instance of a class template whose members are being declared, and who asked for it.
    pub instance: Option<(String, Span)>,
}

/// At most this many instantiations are named in a report.
pub const LONGEST_TRACE: usize = 8;

impl<'a> Sema<'a> {
    /// The state at the start of a file.
    pub fn new(ast: &'a Ast, sources: &'a SourceMap, names: &'a mut Interner, opts: &'a SemaOptions) -> Self {
        let scopes = Scopes::new(names);
        Sema {
            ast,
            sources,
            names,
            opts,
            m: Module::default(),
            diags: Vec::new(),
            body: Body::default(),
            f: FnState::default(),
            scopes,
            records: SecondaryMap::new(),
            sets: PrimaryMap::new(),
            funcs: SecondaryMap::new(),
            templates: PrimaryMap::new(),
            instances: FxHashMap::default(),
            instance_args: FxHashMap::default(),
            depth: 0,
            trace: Vec::new(),
            pending: Vec::new(),
            waiting: FxHashMap::default(),
            hidden_types: FxHashMap::default(),
            loose: None,
            nesting: 0,
            open_enum: None,
            builtin_records: FxHashMap::default(),
            anonymous: 0,
            reported: rustc_hash::FxHashSet::default(),
            unknown_types: rustc_hash::FxHashSet::default(),
            guesses: std::cell::Cell::new(super::suggest::MAX_GUESSES),
            muted: 0,
            inline_types: FxHashMap::default(),
            class_nesting: 0,
            deferred: Vec::new(),
            instance: None,
        }
    }

    /// The result.
    pub fn finish(self) -> (Module, Vec<Diagnostic>) {
        (self.m, self.diags)
    }

    /// Reports `d`, with the instantiations that led here.
    pub fn report(&mut self, mut d: Diagnostic) {
        if self.muted > 0 {
            return;
        }
        // Text that is checked again (a type shared by declarators, another instance) is not complained of again.
        let span = d.span();
        if !span.is_none() && !self.reported.insert((d.code.id, span)) {
            return;
        }
        for (what, at) in self.trace.iter().rev().take(LONGEST_TRACE) {
            d = d.label(*at, format!("in {what}, needed here"));
        }
        self.diags.push(d);
    }

    /// The text of a symbol.
    pub fn str(&self, s: Symbol) -> &str {
        self.names.str(s)
    }

    // Building ----------------------------------------------------------------------------------

    /// A new expression.
    pub fn push(&mut self, kind: ExprKind, ty: Ty, category: Category, span: Span) -> ExprId {
        self.body.exprs.push(Expr { kind, ty, category, span })
    }
    /// A new value.
    pub fn value(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.push(kind, ty, Category::Rvalue, span)
    }
    /// The expression that stands for something wrong.
    pub fn error_expr(&mut self, span: Span) -> ExprId {
        self.push(ExprKind::Error, Ty::ERROR, Category::Lvalue, span)
    }
    /// A scalar constant.
    pub fn constant(&mut self, c: Const, span: Span) -> ExprId {
        self.value(ExprKind::Const(c.bits), Ty::scalar(c.scalar), span)
    }
    /// A new statement.
    pub fn stmt_node(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.body.stmts.push(Stmt { kind, span })
    }
    /// A list of the body.
    pub fn list<T: Node>(&mut self, items: &[T]) -> List<T> {
        self.body.make_list(items)
    }

    // Reading -----------------------------------------------------------------------------------

    /// The expression.
    pub fn e(&self, id: ExprId) -> Expr {
        self.body.exprs[id]
    }
    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> Ty {
        self.body.exprs[id].ty
    }
    /// The place of an expression in the source.
    pub fn span(&self, id: ExprId) -> Span {
        self.body.exprs[id].span
    }
    /// What a type is.
    pub fn kind(&self, t: Ty) -> TyKind {
        self.m.types.kind(t)
    }
    /// Whether an expression is wrong.
    pub fn is_error(&self, id: ExprId) -> bool {
        self.ty(id) == Ty::ERROR
    }
    /// The type as in diagnostics.
    pub fn show(&self, t: Ty) -> String {
        super::types::show(&self.m.types, t)
    }
    /// The constant that an expression is, if it is a scalar one.
    pub fn as_const(&self, id: ExprId) -> Option<Const> {
        let e = self.body.exprs[id];
        match e.kind {
            ExprKind::Const(bits) => Some(Const { scalar: self.m.types.elem(e.ty)?, bits }),
            _ => None,
        }
    }

    // Contexts ----------------------------------------------------------------------------------

    /// Runs `f` with names looked up in `ctx`, without the local variables of where we are.
    pub fn in_ctx<R>(&mut self, ctx: CtxId, f: impl FnOnce(&mut Self) -> R) -> R {
        let old = self.scopes.enter(ctx);
        let r = f(self);
        self.scopes.leave(old);
        r
    }

    /// The namespace that we are in.
    pub fn namespace(&self) -> NsId {
        self.scopes.namespace()
    }
    /// The names around the current context, innermost first, for mangling.
    pub fn scope_path(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            let c = &self.scopes.ctxs[id];
            match c.kind {
                CtxKind::Record(r) => {
                    out.extend(self.m.types.records[r].path.iter().cloned());
                    return out;
                }
                CtxKind::Namespace(ns) => {
                    let Namespace { name, .. } = &self.scopes.namespaces[ns];
                    if let Some(name) = name {
                        out.push(self.names.str(*name).to_string());
                    }
                }
                CtxKind::Names(_) => {}
            }
            at = c.parent;
        }
        out
    }
    /// `a::b::name` for a name declared in the current context.
    pub fn qualify(&self, name: &str) -> String {
        let mut out = name.to_string();
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            let c = &self.scopes.ctxs[id];
            match c.kind {
                CtxKind::Record(r) => {
                    return format!("{}::{out}", self.m.types.records[r].qualified);
                }
                CtxKind::Namespace(ns) => {
                    if let Some(n) = self.scopes.namespaces[ns].name {
                        out = format!("{}::{out}", self.names.str(n));
                    }
                }
                CtxKind::Names(_) => {}
            }
            at = c.parent;
        }
        out
    }
    /// Declares `name` in the innermost scope, or reports what it clashes with.
    pub fn declare(&mut self, name: ast::Name, b: Binding) {
        self.declare_at(name.sym, name.span, b);
    }

    /// A symbol for a type without name.
    pub fn anonymous_name(&mut self, what: &str) -> Symbol {
        self.anonymous += 1;
        let text = format!("<{what} {}>", self.anonymous);
        self.names.intern(&text)
    }

    /// Records a use by the current function.
    pub fn used(&mut self, u: Use) {
        self.f.uses.push(u);
    }

    /// Whether 16-bit types exist.
    pub fn scalar_of(&self, s: rtc_tables::types::Scalar) -> hir::Scalar {
        use hir::Scalar as H;
        use rtc_tables::types::Scalar as T;
        let native = self.opts.native_16bit;
        match s {
            T::Bool => H::Bool,
            T::Int8x4Packed => H::Int8x4,
            T::Uint8x4Packed => H::Uint8x4,
            T::Min12Int | T::Min16Int if native => H::Int16,
            T::Min16Uint if native => H::Uint16,
            T::Min10Float | T::Min16Float | T::Half if native => H::Float16,
            T::Min12Int => H::Min12Int,
            T::Min16Int => H::Min16Int,
            T::Min16Uint => H::Min16Uint,
            T::Min10Float => H::Min10Float,
            T::Min16Float => H::Min16Float,
            T::Half => H::Half,
            T::Int16 => H::Int16,
            T::Uint16 => H::Uint16,
            T::Int => H::Int,
            T::Uint => H::Uint,
            T::Int64 => H::Int64,
            T::Uint64 => H::Uint64,
            T::Float16 => H::Float16,
            T::Float => H::Float,
            T::Double => H::Double,
        }
    }
}
