//! The state of semantic analysis: the module under construction, the current function and scope, and shared helpers.

use rtc_base::{Diagnostic, Interner, PrimaryMap, SecondaryMap, SourceMap, Span, Symbol};
use rtc_tables::intrinsics::Intrinsic;
use rustc_hash::{FxHashMap, FxHashSet};

use super::SemaOptions;
use super::instance::{ArgValue, Instance, InstanceArgs, Template};
use super::scope::{Binding, CtxId, CtxKind, Namespace, NsId, Overload, RecordInfo, Scopes, SetId, TemplateId};
use crate::hir::{
    self, Body, Category, Const, Expr, ExprId, ExprKind, FnTypeId, FuncId, GlobalId, List, LocalId, Module, Node, RecordId, Stmt, StmtId,
    StmtKind, Ty, TyKind,
};
use crate::preprocess::headers::is_inside;
use crate::syntax::ast::{self, Ast};

/// What has names of its own outside of functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    /// A namespace.
    Namespace(NsId),
    /// A class.
    Record(RecordId),
}

/// An array of no elements ([`super::empty_arrays`]).
#[derive(Clone, Copy)]
pub struct EmptyArray {
    pub elem: Ty,
    pub ty: Ty,
    /// What is read and written where an element is named.
    pub element: Option<GlobalId>,
}

/// A use, for the checks over the call graph.
#[derive(Clone, Copy)]
pub enum Use {
    /// A call of a function of the program.
    Call(FuncId, Span),
    /// A call of an intrinsic that is not available in every stage.
    Intrinsic(&'static Intrinsic, Span),
    /// A variable with a hit object in it.
    HitObject(Span),
    /// A `discard`.
    Discard(Span),
    /// A use of a global variable.
    Global(GlobalId),
    /// A payload of mesh shaders that is too large.
    LargePayload(Ty, Span),
    /// A structure that is traced or invoked with as a payload.
    Payload(RecordId, Span),
    /// An atomic operation, with its name, on memory that is not shared.
    PrivateMemory(&'static str, Span),
}

/// Facts about a function that the typed tree does not have.
#[derive(Clone, Default)]
pub struct FuncInfo {
    /// The parameters in the syntax tree, for default arguments.
    pub decl: Option<(ast::Function, CtxId)>,
    /// Default arguments by parameter.
    pub defaults: Vec<Option<(ast::ExprId, CtxId)>>,
    /// What its body uses.
    pub uses: Vec<Use>,
    /// Whether the body was seen.
    pub defined: bool,
    /// A call needs the body, which is not there yet.
    pub requested: bool,
    /// An explicit specialisation of a function template.
    pub specialised: bool,
    /// `static` at file scope.
    pub internal: bool,
    /// An instance of a function template.
    pub instance: bool,
    /// `export`
    pub export: bool,
    /// Attributes of the declaration.
    pub attrs: Vec<ast::Attr>,
}

/// A body to check once its context is declared.
#[derive(Clone)]
pub struct Pending {
    /// Which function.
    pub func: FuncId,
    /// The syntax tree.
    pub ast: ast::Function,
    /// The context of name lookup.
    pub ctx: CtxId,
    /// How many instantiations led to it.
    pub depth: u32,
    /// The instantiations that led to it, outermost first; empty if it is no instance.
    pub instance_of: Vec<(String, Span)>,
}

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
    pub uses: Vec<Use>,
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

/// Declares [`Sema`] and [`State`], which have the same fields but for what analysis borrows.
macro_rules! state {
    ($($(#[$doc:meta])* $name:ident: $ty:ty,)*) => {
        /// See the module's documentation.
        pub struct Sema<'a> {
            /// The tree.
            pub ast: &'a Ast,
            /// The source map.
            pub sources: &'a SourceMap,
            /// Names.
            pub names: &'a mut Interner,
            /// Options.
            pub opts: &'a SemaOptions,
            $($(#[$doc])* pub $name: $ty,)*
        }

        /// The state of the analysis between two declarations.
        #[derive(Clone)]
        pub struct State {
            $($name: $ty,)*
        }

        impl<'a> Sema<'a> {
            /// Goes on from `state`.
            pub fn resume(ast: &'a Ast, sources: &'a SourceMap, names: &'a mut Interner, opts: &'a SemaOptions, state: State) -> Self {
                Sema { ast, sources, names, opts, $($name: state.$name,)* }
            }

            /// The state.
            pub fn suspend(self) -> State {
                State { $($name: self.$name,)* }
            }
        }
    };
}

state! {
    /// The module under construction.
    m: Module,
    /// The diagnostics.
    diags: Vec<Diagnostic>,
    /// The names of aliases of constant types, where they are declared: `typedef const float F;`. Types themselves have no `const`.
    const_aliases: FxHashSet<Span>,
    /// Group-shared variables that are declared `const`.
    const_groupshared: FxHashSet<GlobalId>,
    /// What becomes of types of other stages if the compute shader uses one.
    of_other_stages: Vec<Diagnostic>,
    /// The functions that initialisers of static variables call, with the spans of the calls.
    static_calls: Vec<(GlobalId, Vec<(FuncId, Span)>)>,
    /// The attribute of the first push constants.
    push_constants: Option<Span>,
    /// The partitioning of the hull shader whose calls are checked.
    partitioning: Option<rtc_tables::pipeline::Partitioning>,
    /// The body under construction.
    body: Body,
    /// The current function.
    f: FnState,
    /// Names.
    scopes: Scopes,
    /// Members of records.
    records: SecondaryMap<RecordId, RecordInfo>,
    /// The parameters of types of functions, as one of them is written.
    written_params: FxHashMap<FnTypeId, ast::List<ast::Param>>,
    /// Overload sets.
    sets: PrimaryMap<SetId, Vec<Overload>>,
    /// Functions.
    funcs: SecondaryMap<FuncId, FuncInfo>,
    /// Templates.
    templates: PrimaryMap<TemplateId, Template>,
    /// Their instances.
    instances: FxHashMap<(TemplateId, Vec<ArgValue>), Instance>,
    /// The templates that records are instances of.
    instance_args: InstanceArgs,
    /// Arrays of no elements.
    empty_arrays: Vec<EmptyArray>,
    /// Static members of types that are defined later, with the place of their names.
    incomplete_statics: Vec<(GlobalId, Span)>,
    /// Instances of class templates that are declared and not defined yet.
    declared_instances: FxHashSet<RecordId>,
    /// The current depth of instantiation.
    depth: u32,
    /// Enclosing instantiations, for notes: name and span.
    trace: Vec<(String, Span)>,
    /// Bodies to check.
    pending: Vec<Pending>,
    /// Bodies of instances of function templates, and of methods of instances, that no call has selected yet.
    waiting: FxHashMap<FuncId, Pending>,
    /// Parts of instances of class templates that wait for their use.
    late: super::parts::Late,
    /// Structures and enumerations whose names are hidden by variables or functions of the same namespace or class.
    hidden_types: FxHashMap<(Holder, Symbol), Ty>,
    /// The `$Globals` buffer, if it exists.
    loose: Option<(GlobalId, RecordId)>,
    /// The members of constant buffers that the program writes.
    written_constants: FxHashSet<(GlobalId, u32)>,
    /// The variables that hold resources, with their members or elements.
    divided: FxHashMap<GlobalId, Vec<super::scope::Part>>,
    /// The types of such variables, and what is left of them without resources.
    without_resources: FxHashMap<RecordId, Option<Ty>>,
    /// The current nesting depth of expressions and types.
    nesting: u32,
    /// The enumeration whose enumerators are being checked: its constants are numbers there.
    open_enum: Option<hir::EnumId>,
    /// What becomes of fields without access qualifiers if their structure is used as a payload.
    unqualified: FxHashMap<RecordId, Vec<Diagnostic>>,
    /// The contexts where enumerations are declared.
    enum_scopes: FxHashMap<hir::EnumId, CtxId>,
    /// The built-in records by name.
    builtin_records: FxHashMap<Symbol, Ty>,
    /// A counter for names of anonymous entities.
    anonymous: u32,
    /// Codes and spans that are reported already.
    reported: rustc_hash::FxHashSet<(&'static str, Span)>,
    /// The members of a cbuffer are being declared.
    in_block: bool,
    /// The arguments of `uint2(…)` are being converted, which names the type that they become.
    in_constructor: bool,
    /// The arrays of characters of string literals that are indexed.
    characters: FxHashMap<Symbol, GlobalId>,
    /// Names that are reported as unknown types: not reported again as values.
    unknown_types: rustc_hash::FxHashSet<Symbol>,
    /// How many more unknown names get a spelling suggestion: files with thousands of them would take too long.
    guesses: u32,
    /// Reports are dropped while this is not 0.
    muted: u32,
    /// Types declared within other declarations, by declaration and context.
    inline_types: FxHashMap<(ast::DeclId, CtxId), Ty>,
    /// The enclosing classes.
    class_nesting: u32,
    /// Bodies of methods that wait for the end of their class.
    deferred: Vec<Pending>,
    /// The instance of a class template whose members are being declared, and the span that requires it.
    instance: Option<(String, Span)>,
    /// The index of names, if it is requested.
    index: Option<Box<crate::index::Index>>,
}

/// The number of instantiations that a diagnostic lists.
pub const LONGEST_TRACE: usize = 8;

/// The nesting limit of statements, expressions, types and initialisers together; the parser's limit for each is lower.
pub const MAX_NESTING: u32 = 600;

/// How many undeclared names of a file get a suggestion. Each search is linear in the number of names.
pub const MAX_GUESSES: u32 = 100;

impl State {
    /// The state at the start of a file.
    pub fn new(names: &mut Interner, opts: &SemaOptions) -> Self {
        let scopes = Scopes::new(names);
        let mut m = Module::default();
        m.types.default_row_major = opts.row_major;
        m.types.minimum_precision_rows = !opts.spirv && !opts.native_16bit;
        m.types.dxil_blocks = !opts.spirv;
        State {
            const_aliases: FxHashSet::default(),
            m,
            diags: Vec::new(),
            const_groupshared: FxHashSet::default(),
            of_other_stages: Vec::new(),
            static_calls: Vec::new(),
            push_constants: None,
            partitioning: None,
            body: Body::default(),
            f: FnState::default(),
            scopes,
            records: SecondaryMap::new(),
            written_params: FxHashMap::default(),
            sets: PrimaryMap::new(),
            funcs: SecondaryMap::new(),
            templates: PrimaryMap::new(),
            instances: FxHashMap::default(),
            instance_args: FxHashMap::default(),
            empty_arrays: Vec::new(),
            incomplete_statics: Vec::new(),
            declared_instances: FxHashSet::default(),
            depth: 0,
            trace: Vec::new(),
            pending: Vec::new(),
            waiting: FxHashMap::default(),
            late: super::parts::Late::default(),
            hidden_types: FxHashMap::default(),
            loose: None,
            written_constants: FxHashSet::default(),
            divided: FxHashMap::default(),
            without_resources: FxHashMap::default(),
            nesting: 0,
            open_enum: None,
            unqualified: FxHashMap::default(),
            enum_scopes: FxHashMap::default(),
            builtin_records: FxHashMap::default(),
            anonymous: 0,
            reported: rustc_hash::FxHashSet::default(),
            in_block: false,
            in_constructor: false,
            characters: FxHashMap::default(),
            unknown_types: rustc_hash::FxHashSet::default(),
            guesses: MAX_GUESSES,
            muted: 0,
            inline_types: FxHashMap::default(),
            class_nesting: 0,
            deferred: Vec::new(),
            instance: None,
            index: opts.index.then(Box::default),
        }
    }
}

impl Sema<'_> {
    /// The result.
    pub fn finish(mut self) -> (Module, Vec<Diagnostic>) {
        if self.diags.iter().any(Diagnostic::is_error) {
            // What would be left is never found out.
            let late: Vec<Diagnostic> = self.m.late.drain(..).map(|rule| rule.broken).collect();
            late.into_iter().for_each(|d| self.report(d));
        }
        let headers = self.sources.files().map(|f| f.1).filter(|f| is_inside(&f.name));
        self.m.built_in = headers.map(|f| (f.start, f.start.offset(f.text.len() as u32))).collect();
        (self.m, self.diags)
    }

    /// Whether something is in a header that the compiler has inside.
    pub fn is_built_in(&self, span: Span) -> bool {
        let file = self.sources.find(self.sources.file_span(span).lo);
        file.is_some_and(|f| is_inside(&self.sources.file(f).name))
    }

    /// `d`, which is in a header that the compiler has inside, at the first of `steps` that is in the program.
    pub fn at_the_program(&self, mut d: Diagnostic, steps: &[Span]) -> Diagnostic {
        if !self.is_built_in(d.span()) {
            return d;
        }
        let Some(&at) = steps.iter().find(|&&s| !s.is_none() && !self.is_built_in(s)) else { return d };
        if let Some(primary) = d.labels.first_mut() {
            primary.span = at;
        }
        let mut first = true;
        d.labels.retain(|l| std::mem::take(&mut first) || l.span != at && !self.is_built_in(l.span));
        d
    }

    /// Reports `d`, with the enclosing instantiations.
    pub fn report(&mut self, d: Diagnostic) {
        if self.muted > 0 {
            return;
        }
        let steps: Vec<Span> = self.trace.iter().rev().map(|t| t.1).collect();
        // What is only suspicious in such a header is no matter of the program's.
        let moved = self.is_built_in(d.span());
        if moved && !d.is_error() {
            return;
        }
        let d = self.at_the_program(d, &steps);
        // Source that is checked again (a type shared by declarators, another instance) is not reported again.
        let span = d.span();
        if !span.is_none() && !self.reported.insert((d.code.id, span)) {
            return;
        }
        let mut d = self.traced(d);
        if moved {
            // The step that it is at says nothing more.
            let mut first = true;
            d.labels.retain(|l| std::mem::take(&mut first) || l.span != span);
        }
        self.diags.push(d);
    }

    /// `d` with the enclosing instantiations.
    pub fn traced(&self, d: Diagnostic) -> Diagnostic {
        let steps = self.trace.iter().rev().take(LONGEST_TRACE).filter(|s| !self.is_built_in(s.1));
        steps.fold(d, |d, (what, at)| d.label(*at, format!("in {what}, needed here")))
    }

    /// The text of a symbol.
    pub fn str(&self, s: Symbol) -> &str {
        self.names.str(s)
    }

    // Construction ----------------------------------------------------------------------------------

    /// A new expression.
    pub fn push(&mut self, kind: ExprKind, ty: Ty, category: Category, span: Span) -> ExprId {
        self.body.exprs.push(Expr { kind, ty, category, span })
    }
    /// A new value.
    pub fn value(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.push(kind, ty, Category::Rvalue, span)
    }
    /// The error expression.
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
        let e = self.body.exprs[id];
        match e.kind {
            ExprKind::Const(bits) => Some(Const { scalar: self.m.types.elem(e.ty)?, bits }),
            _ => None,
        }
    }

    // Contexts ----------------------------------------------------------------------------------

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
