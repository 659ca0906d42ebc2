//! Arrays of no elements: `float a[0];`, which templates have where a number is 0.
//!
//! Their type is a structure without members, one for each type of elements, so that neither target needs to know arrays of no elements.
//! Code that is never executed may still name an element: a variable of its own is read and written in its place.

use rtc_base::Span;

use super::context::{EmptyArray, Sema};
use super::scope::{Binding, GLOBAL_CTX, LookupResult};
use crate::hir::{ExprId, GlobalKind, Ty};
use crate::syntax::ast;

impl Sema<'_> {
    /// The type of an array of no `elem`, which has no objects.
    pub fn empty_array(&mut self, elem: Ty, span: Span) -> Ty {
        if let Some(known) = self.records.empty_array_of(elem) {
            return known;
        }
        let text = format!("{}[0]", self.show(elem));
        let name = self.names.intern(&text);
        let old = std::mem::replace(&mut self.scopes.ctx, GLOBAL_CTX);
        let record = self.new_record(name, false, span);
        self.scopes.ctx = old;
        self.records[record].complete = true;
        let ty = self.m.types.record(record);
        self.records.add_empty_array(elem, ty);
        ty
    }

    /// An element of a value of type `ty`, if that is an array of no elements.
    pub fn element_of_none(&mut self, ty: Ty, span: Span) -> Option<ExprId> {
        let EmptyArray { elem, element, .. } = self.records.empty_array(ty)?;
        let g = match element {
            Some(g) => g,
            None => {
                let sym = self.anonymous_name("element of no array");
                let old = std::mem::replace(&mut self.scopes.ctx, GLOBAL_CTX);
                let kind = GlobalKind::Static { is_const: false, init: None, value: None };
                let g = self.new_global(ast::Name { sym, span }, elem, kind, false);
                self.scopes.ctx = old;
                self.records.set_element_of_none(ty, g);
                g
            }
        };
        Some(self.binding_expr(LookupResult { binding: Binding::Global(g), record: None }, span))
    }
}
