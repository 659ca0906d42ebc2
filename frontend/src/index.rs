//! The index of names: for each name that is written in the source, the entity that it denotes and where that is declared. For editors.
//!
//! Semantic analysis fills it while it resolves names, if [`SemaOptions::index`](crate::sema::SemaOptions::index) is set; otherwise there is
//! none and nothing is recorded. Names in bodies of templates are recorded for each instance, and once in the result.
//!
//! A *probe* is a name that an editor inserts where it requests what could be written. Analysis records what is visible at its first occurrence
//! ([`Visible`]), and the probe itself is an undeclared name like any other.

use rtc_base::{Span, Symbol};
use rtc_tables::intrinsics::{Intrinsic, Scope};
use rustc_hash::FxHashSet;

use crate::hir::{FuncId, GlobalId, RecordId, Ty};

/// What a name denotes.
#[derive(Clone, Copy, Debug)]
pub enum Entity {
    /// A parameter or variable of a function.
    Local {
        /// Its type.
        ty: Ty,
        /// Whether it is a parameter.
        parameter: bool,
    },
    /// A variable outside functions, or a `static` one inside.
    Global(GlobalId),
    /// A member of a constant buffer, which is visible like a global variable: the buffer and the number of the member.
    BlockMember(GlobalId, u32),
    /// A member variable.
    Field(RecordId, u32),
    /// A function or method.
    Function(FuncId),
    /// A function or method of the language.
    Intrinsic(&'static Intrinsic),
    /// A type.
    Type(Ty),
    /// A template of a function, a structure or an alias.
    Template,
    /// An enumerator, or another constant that a name stands for: type and bits.
    Constant(Ty, u64),
    /// A namespace.
    Namespace,
    /// A subobject of a state object.
    Subobject(Ty),
    /// `ResourceDescriptorHeap`, `SamplerDescriptorHeap`.
    Heap,
}

/// Why a name is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// It declares the entity. It may be declared again, or defined.
    Declaration,
    /// It declares and defines the entity.
    Definition,
    /// It uses the entity.
    Reference,
}

/// An occurrence of a name.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence {
    /// The name alone, without qualification.
    pub span: Span,
    /// The name.
    pub name: Symbol,
    /// What it denotes.
    pub entity: Entity,
    /// The name in the declaration, which identifies the entity; [`Span::NONE`] for names of the language.
    pub declared: Span,
    /// Why it is written.
    pub role: Role,
}

/// A name that is visible at the probe.
#[derive(Clone, Copy, Debug)]
pub struct VisibleName {
    /// The name.
    pub name: Symbol,
    /// What it denotes; of functions with several overloads, the first.
    pub entity: Entity,
    /// Where it is declared.
    pub declared: Span,
    /// How far away it is declared: 0 is the innermost scope.
    pub distance: u32,
}

/// What could be written in place of the probe.
#[derive(Clone, Debug)]
pub struct Visible {
    /// Names of the program.
    pub names: Vec<VisibleName>,
    /// The type of what is before the dot; `None` after anything else.
    pub member_of: Option<Ty>,
    /// The scopes of the intrinsics that can be named.
    pub intrinsics: Vec<Scope>,
    /// The function.
    pub function: Option<FuncId>,
    /// Whether the name follows `::`.
    pub qualified: bool,
}

/// The names of a source.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// All occurrences, in order of analysis.
    pub occurrences: Vec<Occurrence>,
    /// What is visible at the probe, if analysis came there.
    pub visible: Option<Visible>,
    pub(crate) probe: Option<Symbol>,
    seen: FxHashSet<(Span, Span)>,
}

impl Index {
    /// Records an occurrence, unless it is known already.
    pub(crate) fn add(&mut self, o: Occurrence) {
        if !o.span.is_none() && self.seen.insert((o.span, o.declared)) {
            self.occurrences.push(o);
        }
    }
}
