//! The verifier: checks all invariants that a pass or a back end may rely on.
//!
//! Phases: *structure* (references are valid, regions form a tree, terminators are last) → *types*
//! (operand and result rules of the instruction table, access paths, terminators) → *scope* (definitions dominate
//! uses) → *ray tracing* (stages, slots) → *properties* (what the module claims). The later phases run only if the structure
//! is valid, and may then index without checks. Errors are collected; each names the entity it is about.

mod control;
mod inst;
mod props;
mod raytracing;
mod scope;
mod structure;
mod types;

use crate::text::{Note, Notes};
use crate::{Func, Inst, Module};

/// How deep regions may nest. Deeper nesting is an error, so that a pass may recurse over regions.
pub const MAX_REGION_DEPTH: u32 = 1000;
/// How many scalars a type may have (and empty structures, which count as one).
pub const MAX_TYPE_WEIGHT: u64 = 1 << 26;
/// How deep structures and arrays may nest.
pub const MAX_TYPE_DEPTH: u32 = 64;
/// After so many errors the verifier stops collecting.
const MAX_ERRORS: usize = 1000;

/// A violated invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// What it is about.
    pub at: Note,
    /// The entity as text, with the function it is in.
    pub context: String,
    /// The error.
    pub message: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.context, self.message)
    }
}

/// Checks `m`.
///
/// # Errors
/// All violated invariants, in the order in which they are found.
pub fn verify(m: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Errors { m, list: Vec::new(), sizes: Vec::new() };
    structure::check(&mut errors);
    if errors.list.is_empty() {
        types::check(&mut errors);
        scope::check(&mut errors);
        raytracing::check(&mut errors);
        props::check(&mut errors);
    }
    match errors.list.is_empty() {
        true => Ok(()),
        false => Err(errors.list),
    }
}

/// The text of `m` with each error at the end of the line that it is about.
pub fn print_with_errors(m: &Module, errors: &[VerifyError]) -> String {
    let mut notes = Notes::default();
    for e in errors {
        let texts = notes.entry(e.at).or_default();
        if !texts.contains(&e.message) {
            texts.push(e.message.clone());
        }
    }
    crate::text::print_with(m, Some(&notes))
}

/// The errors found so far.
struct Errors<'a> {
    m: &'a Module,
    list: Vec<VerifyError>,
    /// The size of each structure; all are computed once the structures are checked.
    sizes: Vec<Option<structure::Size>>,
}

impl Errors<'_> {
    fn add(&mut self, at: Note, message: impl Into<String>) {
        if self.list.len() >= MAX_ERRORS {
            return;
        }
        let context = context(self.m, at);
        self.list.push(VerifyError { at, context, message: message.into() });
    }
    fn inst(&mut self, func: Func, i: Inst, message: impl Into<String>) {
        self.add(Note::Inst(func, i), message);
    }
}

fn context(m: &Module, at: Note) -> String {
    let func = |f: Func, what: String| format!("in `{}`, {what}", m.funcs[f].name);
    match at {
        Note::Module => "module".into(),
        Note::Struct(s) => format!("struct {s}"),
        Note::Global(g) => format!("global {g}"),
        Note::Subobject(n) => format!("subobject `{}`", m.subobjects[n].name),
        Note::Func(f) => format!("function `{}`", m.funcs[f].name),
        Note::Local(f, l) => func(f, format!("local {l}")),
        Note::Slot(f, s) => func(f, format!("slot {s}")),
        Note::Value(f, v) => func(f, format!("value {v}")),
        Note::Region(f, r) => func(f, format!("region {r}")),
        Note::Inst(f, i) => func(f, format!("`{}`", crate::text::print_inst(m, &m.funcs[f], i))),
    }
}
