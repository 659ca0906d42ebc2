//! Scopes: the names of blocks, records and namespaces, and what they are bound to.
//!
//! Names of blocks are in one stack with marks. They are enclosed by a chain of *contexts*, which persist after their source is
//! processed: records, namespaces, and sets of names such as template parameters with their arguments. The body of a method or an instance
//! of a template is checked by entering its context again.

use std::ops::{Index, IndexMut};

use rtc_base::{EntityRef as _, Interner, PrimaryMap, Span, Symbol};
use rtc_tables::intrinsics::Scope as RowScope;
use rustc_hash::FxHashMap;

use super::block_names::BlockNames;
use crate::hir::{FuncId, GlobalId, LocalId, RecordId, Ty};

rtc_base::entity! {
    /// A context.
    pub struct CtxId = "ctx";
    /// A namespace.
    pub struct NsId = "ns";
    /// Functions of one name in one scope.
    pub struct SetId = "set";
    /// A template.
    pub struct TemplateId = "template";
    /// A member of an anonymous structure, as a member of a structure around it.
    pub struct InnerId = "inner";
}

/// The entity that a name is bound to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Binding {
    /// An error that is already reported.
    Error,
    /// A parameter or variable of the function.
    Local(LocalId),
    /// A variable outside functions.
    Global(GlobalId),
    /// A member of a cbuffer, visible like a global.
    Constant(GlobalId, u32),
    /// A constant: enumerator, template argument.
    Value(Ty, u64),
    /// A member variable of the record whose names these are.
    Field(u32),
    /// A member variable of an anonymous structure in the record whose names these are.
    Inner(InnerId),
    /// Functions.
    Functions(SetId),
    /// A type.
    Type(Ty),
    /// A template of a record, an alias or a variable.
    Template(TemplateId),
    /// A namespace.
    Namespace(NsId),
    /// A subobject.
    Subobject(Ty),
    /// `ResourceDescriptorHeap` (false), `SamplerDescriptorHeap` (true).
    Heap(bool),
}

/// What a name is the name of, by its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A value: a variable, a constant.
    Value,
    /// What can be called: a function, or a type that is constructed.
    Callee,
    /// A type.
    Type,
    /// What `::` follows: a namespace or a type.
    Scope,
}

impl Wanted {
    /// Whether a name with this binding fits there.
    pub fn takes(self, binding: &Binding) -> bool {
        match binding {
            // Not an undeclared name itself.
            Binding::Error => false,
            Binding::Local(_)
            | Binding::Global(_)
            | Binding::Constant(..)
            | Binding::Value(..)
            | Binding::Field(_)
            | Binding::Inner(_)
            | Binding::Subobject(_)
            | Binding::Heap(_) => self == Wanted::Value,
            Binding::Functions(_) => self == Wanted::Callee,
            Binding::Type(_) => self != Wanted::Value,
            // A template of a variable is a value, too.
            Binding::Template(_) => true,
            Binding::Namespace(_) => matches!(self, Wanted::Scope | Wanted::Type),
        }
    }
}

/// What the numbers of a variable are: the contents of a constant buffer, and the members and elements that lead to them.
#[derive(Clone, Debug)]
pub struct NumbersPath {
    /// The buffer.
    pub block: GlobalId,
    /// Numbers of members and elements.
    pub steps: Vec<u32>,
}

impl NumbersPath {
    /// Those of its member or element `n`.
    pub fn step(&self, n: u32) -> NumbersPath {
        let mut steps = self.steps.clone();
        steps.push(n);
        NumbersPath { block: self.block, steps }
    }
}

/// A member or element of a variable that holds resources.
#[derive(Clone, Debug)]
pub enum Part {
    /// A resource, an array of resources, or a constant that has such parts itself.
    Global(GlobalId),
    /// It holds no resource.
    Numbers(NumbersPath),
}

/// A member of an overload set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Overload {
    /// A function.
    Func(FuncId),
    /// A function template.
    Template(TemplateId),
}

/// A context.
#[derive(Clone)]
pub struct Ctx {
    /// Its kind.
    pub kind: CtxKind,
    /// The enclosing context; `None` for the global namespace.
    pub parent: Option<CtxId>,
    /// The template whose arguments these names are, in an instance of it.
    pub of: Option<TemplateId>,
    /// The names are template parameters, of whichever template or specialisation.
    pub params: bool,
}

/// How many functions, templates, variables and types are declared where a template is defined. Its instances find no later ones, but functions by their arguments
/// (C++, [temp.nondep], [temp.dep.candidate]).
#[derive(Clone, Copy)]
pub struct Horizon {
    /// Functions.
    pub functions: usize,
    /// Templates.
    pub templates: usize,
    /// Variables outside functions.
    pub globals: usize,
    /// Structures.
    pub records: usize,
    /// Enumerations.
    pub enums: usize,
}

impl Horizon {
    /// Whether a function is declared later.
    pub fn hides(self, o: Overload) -> bool {
        match o {
            Overload::Func(f) => f.index() >= self.functions,
            Overload::Template(t) => t.index() >= self.templates,
        }
    }
}

/// What has names of its own outside of functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    /// A namespace.
    Namespace(NsId),
    /// A class.
    Record(RecordId),
}

/// The kind of a context.
#[derive(Clone)]
pub enum CtxKind {
    /// Inside a namespace.
    Namespace(NsId),
    /// Inside a record.
    Record(RecordId),
    /// Some names: template parameters, or the names of a function that a local class may use.
    Names(FxHashMap<Symbol, Binding>),
}

/// A namespace.
#[derive(Clone, Default)]
pub struct Namespace {
    /// Its name; `None` for the global and anonymous ones.
    pub name: Option<Symbol>,
    /// Its names with the spans of their declarations.
    pub names: FxHashMap<Symbol, (Binding, Span)>,
    /// Namespaces whose names are visible here.
    pub usings: Vec<NsId>,
    /// The scope of this namespace's intrinsics in the table.
    pub rows: Option<RowScope>,
}

/// Facts about a record other than its fields.
#[derive(Clone, Default)]
pub struct RecordInfo {
    /// Names of its own members, inherited ones not included.
    pub names: FxHashMap<Symbol, (Binding, Span)>,
    /// The context of name lookup in its methods.
    pub ctx: Option<CtxId>,
    /// Whether its body was seen.
    pub complete: bool,
    /// Declared with `interface`.
    pub is_interface: bool,
    /// Its base depends on template parameters: a name without qualification is not looked up there (C++, [temp.dep]).
    pub dependent_base: bool,
    /// Methods of its interfaces, and of its base's, that it does not declare: it has no objects.
    pub missing: Vec<FuncId>,
    /// Its members so far, with those inside of them.
    pub size: RecordSize,
}

/// The size of a record, which is limited so that its members can be walked recursively.
#[derive(Clone, Copy, Default)]
pub struct RecordSize {
    /// The nesting depth of structures and arrays in it, as the IR counts.
    pub depth: u32,
    /// The number of all members, nested ones included; arrays count once.
    pub members: u32,
}

/// The scopes of the current position.
#[derive(Clone)]
pub struct Scopes {
    /// All contexts.
    pub ctxs: PrimaryMap<CtxId, Ctx>,
    /// The innermost one.
    pub ctx: CtxId,
    /// All namespaces.
    pub namespaces: PrimaryMap<NsId, Namespace>,
    /// Names of blocks with the spans of their declarations, innermost last.
    pub stack: BlockNames<Binding>,
    /// Where the names of the innermost block begin in `stack`.
    pub mark: usize,
    /// Where the names of the innermost function begin in `stack`.
    pub base: usize,
    /// Namespaces opened inside functions, with the depth of the block.
    pub usings: Vec<(usize, NsId)>,
    /// Whether there was a `using namespace`, so that names can be ambiguous.
    pub uses_namespaces: bool,
    /// How many blocks and functions are open.
    pub depth: usize,
    /// Names of the language, looked up once.
    pub builtins: FxHashMap<Symbol, Option<Binding>>,
    /// Namespace `dx`.
    pub dx: NsId,
    /// The numbers of the fields that lead to each member of an anonymous structure.
    pub inner: PrimaryMap<InnerId, Vec<u32>>,
    /// The functions of each name.
    sets: PrimaryMap<SetId, Vec<Overload>>,
    /// Structures and enumerations whose names are hidden by variables or functions of the same namespace or class.
    hidden_types: FxHashMap<(Holder, Symbol), Ty>,
    /// A counter for names of anonymous entities.
    anonymous: u32,
}

/// The scopes that [`Scopes::enter`] hides.
pub struct SavedScope {
    ctx: CtxId,
    base: usize,
    mark: usize,
}

/// The global namespace.
pub const GLOBAL: NsId = NsId::number(0);
/// The context of the global namespace.
pub const GLOBAL_CTX: CtxId = CtxId::number(0);

/// The result of a lookup.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LookupResult {
    /// What it is.
    pub binding: Binding,
    /// The record whose member it is.
    pub record: Option<RecordId>,
}

impl Scopes {
    /// The global namespace with the built-in namespaces.
    pub fn new(names: &mut Interner) -> Scopes {
        let mut namespaces: PrimaryMap<NsId, Namespace> = PrimaryMap::new();
        let global = namespaces.push(Namespace { rows: Some(RowScope::Free), ..Namespace::default() });
        let mut ctxs = PrimaryMap::new();
        let ctx = ctxs.push(Ctx { kind: CtxKind::Namespace(global), parent: None, of: None, params: false });
        let mut builtin = |name: &str, rows| {
            let sym = names.intern(name);
            let id = namespaces.push(Namespace { name: Some(sym), rows: Some(rows), ..Namespace::default() });
            namespaces[global].names.insert(sym, (Binding::Namespace(id), Span::NONE));
            id
        };
        let dx = builtin("dx", RowScope::Dx);
        let vk = builtin("vk", RowScope::Vk);
        for (name, value) in rtc_tables::types::VK_SCOPES.items {
            let sym = names.intern(name);
            let constant = Binding::Value(Ty::UINT, (*value).into());
            namespaces[vk].names.insert(sym, (constant, Span::NONE));
        }
        Scopes {
            ctxs,
            ctx,
            namespaces,
            stack: BlockNames::default(),
            mark: 0,
            base: 0,
            usings: Vec::new(),
            uses_namespaces: false,
            depth: 0,
            builtins: FxHashMap::default(),
            dx,
            inner: PrimaryMap::new(),
            sets: PrimaryMap::new(),
            hidden_types: FxHashMap::default(),
            anonymous: 0,
        }
    }

    /// Enters `ctx`, hiding the names of the enclosing blocks.
    pub fn enter(&mut self, ctx: CtxId) -> SavedScope {
        let saved = SavedScope { ctx: self.ctx, base: self.base, mark: self.mark };
        self.ctx = ctx;
        self.base = self.stack.len();
        self.mark = self.stack.len();
        self.depth += 1;
        saved
    }
    /// Returns to the scopes before [`Scopes::enter`].
    pub fn leave(&mut self, saved: SavedScope) {
        self.stack.truncate(self.base);
        self.forget_usings();
        self.ctx = saved.ctx;
        self.base = saved.base;
        self.mark = saved.mark;
    }
    /// Opens a block; give the result to [`Scopes::close`].
    pub fn open(&mut self) -> usize {
        self.depth += 1;
        std::mem::replace(&mut self.mark, self.stack.len())
    }
    /// Closes a block.
    pub fn close(&mut self, outer: usize) {
        self.stack.truncate(self.mark);
        self.forget_usings();
        self.mark = outer;
    }
    /// Ends the innermost block with its `using` directives.
    fn forget_usings(&mut self) {
        let depth = self.depth;
        self.usings.retain(|u| u.0 < depth);
        self.depth -= 1;
    }
    /// What the current block has declared so far.
    pub fn own(&self) -> Vec<(Symbol, Binding, Span)> {
        self.stack.from(self.mark).to_vec()
    }
    /// Before HLSL 2021 the variables of a `for` stay visible after it, until the next declaration of their name. Such
    /// names can be redeclared.
    pub fn leak(&mut self, names: Vec<(Symbol, Binding, Span)>) {
        for (name, binding, _) in names {
            self.stack.push((name, binding, Span::NONE));
        }
    }
    /// A new context inside the current one.
    pub fn add_ctx(&mut self, kind: CtxKind) -> CtxId {
        let parent = Some(self.ctx);
        self.ctxs.push(Ctx { kind, parent, of: None, params: false })
    }
    /// The innermost namespace.
    pub fn namespace(&self) -> NsId {
        match self.ctxs[self.namespace_ctx()].kind {
            CtxKind::Namespace(ns) => ns,
            _ => GLOBAL,
        }
    }
    /// The context of the innermost namespace.
    pub fn namespace_ctx(&self) -> CtxId {
        let mut at = self.ctx;
        loop {
            match (&self.ctxs[at].kind, self.ctxs[at].parent) {
                (CtxKind::Namespace(_), _) => return at,
                (_, Some(p)) => at = p,
                (_, None) => return GLOBAL_CTX,
            }
        }
    }

    // Functions, hidden types, names ------------------------------------------------------------

    /// A new overload set.
    pub fn add_set(&mut self, functions: Vec<Overload>) -> SetId {
        self.sets.push(functions)
    }

    /// What holds the names of a context, if it is a namespace or class.
    pub fn holder(&self, ctx: CtxId) -> Option<Holder> {
        match self.ctxs[ctx].kind {
            CtxKind::Namespace(ns) => Some(Holder::Namespace(ns)),
            CtxKind::Record(r) => Some(Holder::Record(r)),
            CtxKind::Names(_) => None,
        }
    }

    /// Remembers a type that something of its name hides in the current context.
    pub fn hide_type(&mut self, name: Symbol, ty: Ty) {
        let holder = self.holder(self.ctx).unwrap_or(Holder::Namespace(self.namespace()));
        self.hidden_types.insert((holder, name), ty);
    }

    /// Whether names of types are hidden anywhere.
    pub fn hides_types(&self) -> bool {
        !self.hidden_types.is_empty()
    }

    /// The type that something of its name hides in `holder`.
    pub fn hidden_in(&self, holder: Holder, name: Symbol) -> Option<Ty> {
        self.hidden_types.get(&(holder, name)).copied()
    }

    /// The type that something of its name hides in `ctx` itself.
    pub fn hidden_at(&self, ctx: CtxId, name: Symbol) -> Option<Ty> {
        self.holder(ctx).and_then(|h| self.hidden_in(h, name))
    }

    /// A name that no program can write, for something without a name.
    pub fn anonymous(&mut self, what: &str) -> String {
        self.anonymous += 1;
        format!("<{what} {}>", self.anonymous)
    }
}

impl Index<SetId> for Scopes {
    type Output = Vec<Overload>;

    fn index(&self, set: SetId) -> &Vec<Overload> {
        &self.sets[set]
    }
}

impl IndexMut<SetId> for Scopes {
    fn index_mut(&mut self, set: SetId) -> &mut Vec<Overload> {
        &mut self.sets[set]
    }
}

/// The scope on the left of `::`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Qualifier {
    /// A namespace.
    Namespace(NsId),
    /// A type.
    Type(Ty),
}
