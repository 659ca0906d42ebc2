//! Namespaces that are associated with types: a call without qualification finds the functions there, too (C++, [basic.lookup.argdep]).
//!
//! A structure or enumeration has the namespace that encloses it. With it come those of its bases, and of the types among its template
//! arguments; a resource has those of its elements, and the global one, as vectors and matrices have. Arrays have what their elements have.

use super::context::Sema;
use super::instance::ArgValue;
use super::scope::{CtxId, CtxKind, GLOBAL, NsId, Scopes};
use crate::hir::{Ty, TyKind};

impl Sema<'_> {
    /// The namespaces that are associated with one of `types`, each once, in the order of the types.
    pub fn associated_namespaces(&self, types: &[Ty]) -> Vec<NsId> {
        let mut found = Vec::new();
        let mut todo: Vec<Ty> = types.iter().rev().copied().collect();
        let mut seen: Vec<Ty> = Vec::new();
        while let Some(ty) = todo.pop() {
            let ty = self.m.types.strip_arrays(ty).0;
            let scope = match self.kind(ty) {
                TyKind::Record(r) if !seen.contains(&ty) => {
                    let args = self.templates.instance_of(r).into_iter().flat_map(|i| &i.values);
                    todo.extend(args.filter_map(|v| match *v {
                        ArgValue::Type(t) => Some(t),
                        ArgValue::Value(..) | ArgValue::Template(_) => None,
                    }));
                    todo.extend(self.m.types.records[r].base.and_then(|b| self.m.types.find(TyKind::Record(b))));
                    self.records[r].ctx
                }
                TyKind::Enum(e) => self.records.enum_scope(e),
                TyKind::Resource(r) => {
                    todo.extend(r.elem);
                    None
                }
                TyKind::Stream(_, elem) | TyKind::BufferPointer(elem, _) => {
                    todo.push(elem);
                    None
                }
                _ => None,
            };
            // Vectors, matrices and resources are templates of the global namespace.
            let of_global = matches!(
                self.kind(ty),
                TyKind::Vector(..) | TyKind::Matrix { .. } | TyKind::Resource(_) | TyKind::Stream(..) | TyKind::BufferPointer(..)
            );
            seen.push(ty);
            if let Some(ns) = scope.map(|ctx| self.scopes.namespace_around(ctx)).or(of_global.then_some(GLOBAL))
                && !found.contains(&ns)
            {
                found.push(ns);
            }
        }
        found
    }
}

impl Scopes {
    /// The innermost namespace around a context.
    fn namespace_around(&self, ctx: CtxId) -> NsId {
        let mut at = ctx;
        loop {
            match (&self.ctxs[at].kind, self.ctxs[at].parent) {
                (CtxKind::Namespace(ns), _) => return *ns,
                (_, Some(parent)) => at = parent,
                (_, None) => return GLOBAL,
            }
        }
    }
}
