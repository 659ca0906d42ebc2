//! Facts about variables outside of functions besides their types and values.

use rtc_base::{Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::{FuncId, GlobalId, RecordId, Ty};
use crate::sema::scope::Part;

/// Variables outside of functions.
#[derive(Clone, Default)]
pub struct Globals {
    /// The `$Globals` buffer, if it exists.
    pub loose: Option<(GlobalId, RecordId)>,
    /// The attribute of the first push constants.
    push_constants: Option<Span>,
    /// Group-shared variables that are declared `const`.
    const_groupshared: FxHashSet<GlobalId>,
    /// The functions that initialisers of static variables call, with the spans of the calls.
    static_calls: Vec<(GlobalId, Vec<(FuncId, Span)>)>,
    /// Static members of types that are defined later, with the place of their names.
    incomplete_statics: Vec<(GlobalId, Span)>,
    /// The members of constant buffers that the program writes.
    written_constants: FxHashSet<(GlobalId, u32)>,
    /// The variables that hold resources, with their members or elements.
    divided: FxHashMap<GlobalId, Vec<Part>>,
    /// The types of such variables, and what is left of them without resources.
    without_resources: FxHashMap<RecordId, Option<Ty>>,
    /// The arrays of characters of string literals that are indexed.
    characters: FxHashMap<Symbol, GlobalId>,
}

impl Globals {
    /// The first push constants, if those at `span` are not.
    pub fn push_constants(&mut self, span: Span) -> Result<(), Span> {
        match self.push_constants {
            Some(first) => Err(first),
            None => {
                self.push_constants = Some(span);
                Ok(())
            }
        }
    }

    /// Remembers a group-shared variable that is declared `const`.
    pub fn add_const_groupshared(&mut self, g: GlobalId) {
        self.const_groupshared.insert(g);
    }

    /// Whether a group-shared variable is declared `const`.
    pub fn is_const_groupshared(&self, g: GlobalId) -> bool {
        self.const_groupshared.contains(&g)
    }

    // Static variables --------------------------------------------------------------------------

    /// Remembers the functions that the initialiser of a static variable calls.
    pub fn add_static_calls(&mut self, g: GlobalId, calls: Vec<(FuncId, Span)>) {
        self.static_calls.push((g, calls));
    }

    /// The functions that initialisers of static variables call.
    pub fn static_calls(&self) -> &[(GlobalId, Vec<(FuncId, Span)>)] {
        &self.static_calls
    }

    /// Remembers a static member of a type that is defined later.
    pub fn add_incomplete(&mut self, g: GlobalId, span: Span) {
        self.incomplete_statics.push((g, span));
    }

    /// The static members of types that were to be defined later.
    pub fn take_incomplete(&mut self) -> Vec<(GlobalId, Span)> {
        std::mem::take(&mut self.incomplete_statics)
    }

    // Constants that are written ----------------------------------------------------------------

    /// Remembers that the program writes member `n` of a constant buffer.
    pub fn note_write(&mut self, block: GlobalId, n: u32) {
        self.written_constants.insert((block, n));
    }

    /// The members of constant buffers that the program writes, in the order of their declarations.
    pub fn take_written(&mut self) -> Vec<(GlobalId, u32)> {
        let mut written: Vec<(GlobalId, u32)> = self.written_constants.drain().collect();
        written.sort();
        written
    }

    // Variables that hold resources -------------------------------------------------------------

    /// Remembers what a variable that holds resources is divided into.
    pub fn divide(&mut self, g: GlobalId, parts: Vec<Part>) {
        self.divided.insert(g, parts);
    }

    /// What a variable that holds resources is divided into.
    pub fn parts_of(&self, g: GlobalId) -> Option<&[Part]> {
        self.divided.get(&g).map(Vec::as_slice)
    }

    /// What is left of a structure without resources, if that is known: `None` inside if nothing is.
    pub fn rest_of(&self, r: RecordId) -> Option<Option<Ty>> {
        self.without_resources.get(&r).copied()
    }

    /// Remembers what is left of a structure without resources.
    pub fn set_rest(&mut self, r: RecordId, rest: Option<Ty>) {
        self.without_resources.insert(r, rest);
    }

    // Texts -------------------------------------------------------------------------------------

    /// The array of the characters of a text, if it is made already.
    pub fn characters(&self, text: Symbol) -> Option<GlobalId> {
        self.characters.get(&text).copied()
    }

    /// Remembers the array of the characters of a text.
    pub fn set_characters(&mut self, text: Symbol, g: GlobalId) {
        self.characters.insert(text, g);
    }
}
