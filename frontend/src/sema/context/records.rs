//! Facts about structures and enumerations besides their members: where they are declared, and which the language has itself.

use std::ops::{Index, IndexMut};

use rtc_base::{SecondaryMap, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::{EnumId, GlobalId, RecordId, Ty};
use crate::sema::scope::{CtxId, RecordInfo};
use crate::syntax::ast::DeclId;

/// An array of no elements ([`crate::sema::empty_arrays`]).
#[derive(Clone, Copy)]
pub struct EmptyArray {
    pub elem: Ty,
    pub ty: Ty,
    /// What is read and written where an element is named.
    pub element: Option<GlobalId>,
}

/// Structures and enumerations.
#[derive(Clone, Default)]
pub struct Records {
    /// Names and state of each structure.
    infos: SecondaryMap<RecordId, RecordInfo>,
    /// Types declared within other declarations, by declaration and context.
    inline: FxHashMap<(DeclId, CtxId), Ty>,
    /// The contexts where enumerations are declared.
    enum_scopes: FxHashMap<EnumId, CtxId>,
    /// The structures of the language by name.
    built_in: FxHashMap<Symbol, Ty>,
    /// Arrays of no elements, whose types are structures.
    empty_arrays: Vec<EmptyArray>,
    /// The names of aliases of constant types, where they are declared: `typedef const float F;`. Types themselves have no `const`.
    const_aliases: FxHashSet<Span>,
}

impl Index<RecordId> for Records {
    type Output = RecordInfo;

    fn index(&self, r: RecordId) -> &RecordInfo {
        &self.infos[r]
    }
}

impl IndexMut<RecordId> for Records {
    fn index_mut(&mut self, r: RecordId) -> &mut RecordInfo {
        &mut self.infos[r]
    }
}

impl Records {
    /// Remembers the name of an alias of a constant type.
    pub fn add_const_alias(&mut self, at: Span) {
        self.const_aliases.insert(at);
    }

    /// Whether an alias that is declared there is of a constant type.
    pub fn is_const_alias(&self, at: Span) -> bool {
        self.const_aliases.contains(&at)
    }

    /// Whether there are aliases of constant types.
    pub fn has_const_aliases(&self) -> bool {
        !self.const_aliases.is_empty()
    }

    /// The type that `decl`, within another declaration, made in `ctx`.
    pub fn inline(&self, decl: DeclId, ctx: CtxId) -> Option<Ty> {
        self.inline.get(&(decl, ctx)).copied()
    }

    /// Remembers the type that `decl` made in `ctx`.
    pub fn set_inline(&mut self, decl: DeclId, ctx: CtxId, ty: Ty) {
        self.inline.insert((decl, ctx), ty);
    }

    /// Where an enumeration is declared.
    pub fn enum_scope(&self, e: EnumId) -> Option<CtxId> {
        self.enum_scopes.get(&e).copied()
    }

    /// Remembers where an enumeration is declared.
    pub fn set_enum_scope(&mut self, e: EnumId, ctx: CtxId) {
        self.enum_scopes.insert(e, ctx);
    }

    /// The structure of the language of this name, if it is made already.
    pub fn built_in(&self, name: Symbol) -> Option<Ty> {
        self.built_in.get(&name).copied()
    }

    /// Remembers a structure of the language.
    pub fn set_built_in(&mut self, name: Symbol, ty: Ty) {
        self.built_in.insert(name, ty);
    }

    /// The type of an array of no `elem`, if it is made already.
    pub fn empty_array_of(&self, elem: Ty) -> Option<Ty> {
        self.empty_arrays.iter().find(|a| a.elem == elem).map(|a| a.ty)
    }

    /// Remembers the type of an array of no `elem`.
    pub fn add_empty_array(&mut self, elem: Ty, ty: Ty) {
        self.empty_arrays.push(EmptyArray { elem, ty, element: None });
    }

    /// The array of no elements that is of type `ty`.
    pub fn empty_array(&self, ty: Ty) -> Option<EmptyArray> {
        self.empty_arrays.iter().copied().find(|a| a.ty == ty)
    }

    /// Remembers what stands for an element of an array of no elements.
    pub fn set_element_of_none(&mut self, ty: Ty, element: GlobalId) {
        self.empty_arrays.iter_mut().filter(|a| a.ty == ty).for_each(|a| a.element = Some(element));
    }
}
