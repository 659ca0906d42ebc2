//! Facts about functions besides their bodies, and the bodies that wait: for the end of a class, for a call, for their turn.

use std::ops::{Index, IndexMut};

use rtc_base::{SecondaryMap, Span};
use rtc_tables::intrinsics::Intrinsic;
use rustc_hash::FxHashMap;

use super::Step;
use crate::hir::{FnTypeId, FuncId, GlobalId, RecordId, Ty};
use crate::sema::scope::CtxId;
use crate::syntax::ast;

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
    pub instance_of: Vec<Step>,
}

/// The functions.
#[derive(Clone, Default)]
pub struct Functions {
    infos: SecondaryMap<FuncId, FuncInfo>,
    /// Bodies to check.
    pending: Vec<Pending>,
    /// Bodies of instances of function templates, and of methods of instances, that no call has selected yet.
    waiting: FxHashMap<FuncId, Pending>,
    /// Bodies of methods that wait for the end of their class.
    deferred: Vec<Pending>,
    /// The parameters of types of functions, as one of them is written.
    written_params: FxHashMap<FnTypeId, ast::List<ast::Param>>,
}

impl Index<FuncId> for Functions {
    type Output = FuncInfo;

    fn index(&self, f: FuncId) -> &FuncInfo {
        &self.infos[f]
    }
}

impl IndexMut<FuncId> for Functions {
    fn index_mut(&mut self, f: FuncId) -> &mut FuncInfo {
        &mut self.infos[f]
    }
}

impl Functions {
    // Bodies to check ---------------------------------------------------------------------------

    /// Adds a body to check.
    pub fn check_soon(&mut self, p: Pending) {
        self.pending.push(p);
    }

    /// The next body to check: the last one that was added.
    pub fn next_to_check(&mut self) -> Option<Pending> {
        self.pending.pop()
    }

    /// Adds the body of a method, which waits for the end of its class.
    pub fn defer(&mut self, p: Pending) {
        self.deferred.push(p);
    }

    /// The bodies that wait for the end of a class, which is reached.
    pub fn take_deferred(&mut self) -> Vec<Pending> {
        std::mem::take(&mut self.deferred)
    }

    // Bodies that wait for a call ---------------------------------------------------------------

    /// Adds a body that waits for a call.
    pub fn wait_for_call(&mut self, p: Pending) {
        self.waiting.insert(p.func, p);
    }

    /// Whether a function's body waits for a call.
    pub fn is_waiting(&self, f: FuncId) -> bool {
        self.waiting.contains_key(&f)
    }

    /// The body of a function that waits for a call.
    pub fn waiting(&self, f: FuncId) -> Option<&Pending> {
        self.waiting.get(&f)
    }

    /// The body of a function that waits for a call, to change it.
    pub fn waiting_mut(&mut self, f: FuncId) -> Option<&mut Pending> {
        self.waiting.get_mut(&f)
    }

    /// All that wait for a call.
    pub fn all_waiting(&self) -> impl Iterator<Item = &Pending> {
        self.waiting.values()
    }

    /// The body of a function that waits for a call no longer.
    pub fn take_waiting(&mut self, f: FuncId) -> Option<Pending> {
        self.waiting.remove(&f)
    }

    /// Whether a function's body is there and not checked yet.
    pub fn is_unchecked(&self, f: FuncId) -> bool {
        self.is_waiting(f) || self.pending.iter().any(|p| p.func == f)
    }

    /// Forgets a body that is not checked yet: another one replaces it.
    pub fn forget_unchecked(&mut self, f: FuncId) {
        self.pending.retain(|p| p.func != f);
        self.waiting.remove(&f);
    }

    // Types of functions ------------------------------------------------------------------------

    /// Remembers how the parameters of a type of functions are written.
    pub fn note_params(&mut self, ty: FnTypeId, params: ast::List<ast::Param>) {
        self.written_params.entry(ty).or_insert(params);
    }

    /// The parameters of a type of functions, as one of them is written.
    pub fn params_of(&self, ty: FnTypeId) -> ast::List<ast::Param> {
        self.written_params.get(&ty).copied().unwrap_or(ast::List::EMPTY)
    }
}
