//! The state of semantic analysis, by the question that each part answers, and shared helpers.
//!
//! What a method needs is its receiver where that is natural: [`Reports`] knows what is reported, [`Steps`] the instantiations around,
//! [`Nesting`] the constructs around, [`Scopes`] names, [`Records`], [`Functions`], [`Globals`] and [`Templates`] what is declared besides the
//! module, [`Stages`] what waits for a shader, [`FnState`] and [`Body`] the function at hand. [`Sema`] is all of them: expressions and
//! declarations need most.

mod function;
mod functions;
mod globals;
mod nesting;
mod records;
mod reports;
mod stages;
pub(super) mod steps;
mod templates;

use rtc_base::{Diagnostic, Interner, SourceMap, Span, Symbol};

use super::SemaOptions;
use super::parts::Late;
use super::scope::{Binding, CtxId, CtxKind, Namespace, NsId, Scopes};
use crate::hir::{self, Body, Category, Const, Expr, ExprId, ExprKind, List, Module, Node, StmtId, StmtKind, Ty, TyKind};
use crate::index::Index;
use crate::preprocess::headers::is_inside;
use crate::syntax::ast::{self, Ast};

pub use function::FnState;
pub use functions::{Functions, Pending, Use};
pub use globals::Globals;
pub use nesting::Nesting;
pub use records::{EmptyArray, Records};
pub use reports::Reports;
pub use stages::Stages;
pub use steps::{Step, Steps};
pub use templates::Templates;

/// The state of the analysis between two declarations.
#[derive(Clone)]
pub struct State {
    m: Module,
    reports: Reports,
    steps: Steps,
    nesting: Nesting,
    scopes: Scopes,
    records: Records,
    funcs: Functions,
    globals: Globals,
    templates: Templates,
    late: Late,
    stages: Stages,
    f: FnState,
    body: Body,
    index: Option<Box<Index>>,
}

/// See the module's documentation. What the analysis borrows, and the fields of [`State`].
pub struct Sema<'a> {
    /// The tree.
    pub ast: &'a Ast,
    /// The source map.
    pub sources: &'a SourceMap,
    /// The texts of names.
    pub names: &'a mut Interner,
    /// Options.
    pub opts: &'a SemaOptions,
    /// The module under construction.
    pub m: Module,
    /// What is reported.
    pub reports: Reports,
    /// The instantiations around the current position.
    pub steps: Steps,
    /// The constructs around the current position.
    pub nesting: Nesting,
    /// Names and what they are bound to.
    pub scopes: Scopes,
    /// Structures and enumerations.
    pub records: Records,
    /// Functions, and bodies that wait.
    pub funcs: Functions,
    /// Variables outside of functions.
    pub globals: Globals,
    /// Templates and their instances.
    pub templates: Templates,
    /// Parts of instances of class templates that wait for their use.
    pub late: Late,
    /// What is reported where a shader uses it.
    pub stages: Stages,
    /// The function at hand.
    pub f: FnState,
    /// Its body.
    pub body: Body,
    /// The index of names, if it is requested.
    pub index: Option<Box<Index>>,
}

impl State {
    /// The state at the start of a file.
    pub fn new(names: &mut Interner, opts: &SemaOptions) -> Self {
        let scopes = Scopes::new(names);
        let mut m = Module::default();
        m.types.default_row_major = opts.row_major;
        m.types.minimum_precision_rows = !opts.spirv && !opts.native_16bit;
        m.types.dxil_blocks = !opts.spirv;
        State {
            m,
            reports: Reports::default(),
            steps: Steps::default(),
            nesting: Nesting::default(),
            scopes,
            records: Records::default(),
            funcs: Functions::default(),
            globals: Globals::default(),
            templates: Templates::default(),
            late: Late::default(),
            stages: Stages::default(),
            f: FnState::default(),
            body: Body::default(),
            index: opts.index.then(Box::default),
        }
    }
}

impl<'a> Sema<'a> {
    /// Goes on from `state`.
    pub fn resume(ast: &'a Ast, sources: &'a SourceMap, names: &'a mut Interner, opts: &'a SemaOptions, state: State) -> Self {
        let State { m, reports, steps, nesting, scopes, records, funcs, globals, templates, late, stages, f, body, index } = state;
        Sema {
            ast,
            sources,
            names,
            opts,
            m,
            reports,
            steps,
            nesting,
            scopes,
            records,
            funcs,
            globals,
            templates,
            late,
            stages,
            f,
            body,
            index,
        }
    }

    /// The state.
    pub fn suspend(self) -> State {
        let Sema { m, reports, steps, nesting, scopes, records, funcs, globals, templates, late, stages, f, body, index, .. } = self;
        State { m, reports, steps, nesting, scopes, records, funcs, globals, templates, late, stages, f, body, index }
    }
}

impl Sema<'_> {
    /// The result.
    pub fn finish(mut self) -> (Module, Vec<Diagnostic>) {
        if self.reports.has_errors() {
            // What would be left is never found out.
            let late: Vec<Diagnostic> = self.m.late.drain(..).map(|rule| rule.broken).collect();
            late.into_iter().for_each(|d| self.report(d));
        }
        let headers = self.sources.files().map(|f| f.1).filter(|f| is_inside(&f.name));
        self.m.built_in = headers.map(|f| (f.start, f.start.offset(f.text.len() as u32))).collect();
        (self.m, self.reports.finish())
    }

    /// Reports `d`, with the enclosing instantiations.
    pub fn report(&mut self, d: Diagnostic) {
        self.reports.add(d, self.sources, &self.steps);
    }

    /// Runs `f`, whose reports are dropped.
    pub fn muted<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.reports.mute();
        let r = f(self);
        self.reports.unmute();
        r
    }

    /// Whether something is in a header that the compiler has inside.
    pub fn is_built_in(&self, span: Span) -> bool {
        reports::is_built_in(self.sources, span)
    }

    /// `d`, if it is in a header that the compiler has inside, at the first of `steps` that is in the program.
    pub fn at_the_program(&self, d: Diagnostic, steps: &[Span]) -> Diagnostic {
        reports::at_the_program(d, self.sources, steps)
    }

    /// `d` with the enclosing instantiations.
    pub fn traced(&self, d: Diagnostic) -> Diagnostic {
        self.steps.label(d, self.sources)
    }

    /// The text of a symbol.
    pub fn str(&self, s: Symbol) -> &str {
        self.names.str(s)
    }

    // Short names of what the body does ---------------------------------------------------------

    /// A new expression.
    pub fn push(&mut self, kind: ExprKind, ty: Ty, category: Category, span: Span) -> ExprId {
        self.body.push(kind, ty, category, span)
    }
    /// A new value.
    pub fn value(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.body.value(kind, ty, span)
    }
    /// The error expression.
    pub fn error_expr(&mut self, span: Span) -> ExprId {
        self.body.error(span)
    }
    /// A scalar constant.
    pub fn constant(&mut self, c: Const, span: Span) -> ExprId {
        self.body.constant(c, span)
    }
    /// A new statement.
    pub fn stmt_node(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.body.stmt(kind, span)
    }
    /// A list of the body.
    pub fn list<T: Node>(&mut self, items: &[T]) -> List<T> {
        self.body.make_list(items)
    }

    // Queries -----------------------------------------------------------------------------------

    /// The expression.
    pub fn e(&self, id: ExprId) -> Expr {
        self.body.exprs[id]
    }
    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> Ty {
        self.body.exprs[id].ty
    }
    /// The span of an expression.
    pub fn span(&self, id: ExprId) -> Span {
        self.body.exprs[id].span
    }
    /// The kind of a type.
    pub fn kind(&self, t: Ty) -> TyKind {
        self.m.types.kind(t)
    }
    /// Whether an expression is an error.
    pub fn is_error(&self, id: ExprId) -> bool {
        self.ty(id) == Ty::ERROR
    }
    /// The type as in diagnostics.
    pub fn show(&self, t: Ty) -> String {
        self.m.types.show(t)
    }
    /// The constant that an expression is, if it is a scalar one.
    pub fn as_const(&self, id: ExprId) -> Option<Const> {
        self.body.scalar_const(id, &self.m.types)
    }

    // Scopes ------------------------------------------------------------------------------------

    /// Runs `f` with names looked up in `ctx`, without the local variables of the current function.
    pub fn in_ctx<R>(&mut self, ctx: CtxId, f: impl FnOnce(&mut Self) -> R) -> R {
        let old = self.scopes.enter(ctx);
        let r = f(self);
        self.scopes.leave(old);
        r
    }

    /// The current namespace.
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
    /// Declares `name` in the innermost scope, or reports a redeclaration.
    pub fn declare(&mut self, name: ast::Name, b: Binding) {
        self.declare_at(name.sym, name.span, b);
    }

    /// A symbol for a type without name.
    pub fn anonymous_name(&mut self, what: &str) -> Symbol {
        let text = self.scopes.anonymous(what);
        self.names.intern(&text)
    }

    /// Records a use by the current function.
    pub fn used(&mut self, u: Use) {
        self.f.used(u);
    }

    /// The type of numbers that a row names: 16 bits have one of their own if an option says so.
    pub fn scalar_of(&self, s: rtc_tables::types::Scalar) -> hir::Scalar {
        use hir::Scalar as H;
        use rtc_tables::types::Scalar as T;
        let native = self.opts.native_16bit;
        let least = |s: H| if native { s.promoted() } else { s };
        match s {
            T::Bool => H::Bool,
            T::Int8x4Packed => H::Int8x4,
            T::Uint8x4Packed => H::Uint8x4,
            T::Half if native => H::Float16,
            T::Min12Int => least(H::Min12Int),
            T::Min16Int => least(H::Min16Int),
            T::Min16Uint => least(H::Min16Uint),
            T::Min10Float => least(H::Min10Float),
            T::Min16Float => least(H::Min16Float),
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
