//! What waits of instances of class templates: the data of [`super::late`].

use rtc_base::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::steps::Steps;
use super::instance::OutOfLine;
use super::scope::{CtxId, TemplateId};
use crate::hir::{FuncId, GlobalId, RecordId, Ty};
use crate::syntax::ast;

/// A part of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The body of a method, which waits with those of function templates.
    Body(FuncId),
    /// The members of a class, or the constants of an enumeration.
    Type(Ty),
    /// The value of a variable.
    Variable(GlobalId),
}

/// The state in which a part is defined.
#[derive(Clone)]
pub struct Site {
    pub ctx: CtxId,
    pub steps: Steps,
}

/// A class or enumeration that is not defined yet.
#[derive(Clone)]
pub struct LateType {
    pub decl: ast::DeclId,
    pub site: Site,
    /// Definitions of its members outside of it.
    pub outside: Vec<OutOfLine>,
}

/// A variable whose value is not known yet.
#[derive(Clone)]
pub struct LateVariable {
    pub var: ast::Var,
    pub name: ast::Name,
    pub site: Site,
}

/// What waits.
#[derive(Clone, Default)]
pub struct Late {
    pub types: FxHashMap<Ty, LateType>,
    pub variables: FxHashMap<GlobalId, LateVariable>,
    /// Variables that are members of instances, and whether they were used.
    pub members: FxHashMap<GlobalId, bool>,
    /// All parts in the order of their declarations.
    pub order: Vec<Part>,
    /// Where the types are declared that were defined.
    pub defined: FxHashSet<Span>,
    /// Parts without a use are being checked: they use nothing themselves.
    pub at_end: bool,
    /// Parts that are found now are checked at the end, too.
    pub closed: bool,
    /// The general instances; `None` where there is none.
    pub general: FxHashMap<(TemplateId, Option<usize>), Option<RecordId>>,
}
