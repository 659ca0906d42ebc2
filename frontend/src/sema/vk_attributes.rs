//! Attributes `[[vk::name]]` on what they have no meaning for. DXIL has none of them, so declarations for it may have all.

use rtc_tables::vk_attributes::{On, resource_on, vk_attribute};

use super::context::Sema;
use super::errors::stmts as err;
use crate::hir::{Ty, TyKind, Types};
use crate::syntax::ast;

impl Sema<'_> {
    /// Reports attributes of Vulkan that do not apply to what they are written `on`, and those that do not exist.
    pub fn check_vk_attrs(&mut self, attrs: &[ast::Attr], on: On) {
        for a in attrs {
            let Some(scope) = a.scope else { continue };
            let name = self.str(a.name.sym);
            match vk_attribute(name).filter(|_| self.str(scope.sym) == "vk") {
                None => self.unknown_attr(a),
                Some(row) if row.on.has(on) => {}
                Some(row) if self.opts.spirv || on == On::STATEMENT => self.report(err::misplaced_attribute(a.span, row.name, row.what)),
                Some(_) => {}
            }
        }
    }

    /// The same for a variable outside of functions.
    pub fn check_vk_attrs_of_variable(&mut self, attrs: &[ast::Attr], ty: Ty) {
        if ty != Ty::ERROR {
            self.check_vk_attrs(attrs, self.m.types.variable_on(ty));
        }
    }
}

impl Types {
    fn variable_on(&self, ty: Ty) -> On {
        match self.kind(self.strip_arrays(ty).0) {
            TyKind::Scalar(_) | TyKind::Enum(_) if !matches!(self.kind(ty), TyKind::Array(..)) => On::SCALAR,
            // A pointer that is pushed alone is refused with the remedy.
            TyKind::Record(_) | TyKind::BufferPointer(..) => On::STRUCTURE,
            TyKind::Resource(r) => resource_on(r.class, r.kind),
            _ => On::OTHER,
        }
    }
}
