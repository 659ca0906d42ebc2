//! Suggestions for undeclared names.
//!
//! In this order: the same name in a namespace or enumeration; the HLSL equivalent of a name of another language
//! (`rtc_tables::foreign`); the visible name with the least edit distance of the kind that fits: a function where something is called, a value
//! where a value is.

use rtc_base::similar::{Nearest, nearest};
use rtc_base::{Diagnostic, Symbol};
use rtc_tables::foreign;
use rtc_tables::intrinsics::{self, Scope as RowScope};

use super::context::Sema;
use super::errors::names as err;
use super::scope::{CtxKind, GLOBAL, Qualifier, Wanted};
use crate::hir::TyKind;
use crate::syntax::ast;

impl Sema<'_> {
    /// The suggestion for `name`.
    pub fn similar(&mut self, name: Symbol, wanted: Wanted) -> Option<String> {
        if !self.reports.may_guess() {
            return None;
        }
        if let Some(qualifier) = self.elsewhere(name) {
            return Some(qualifier);
        }
        let object = |r: &&rtc_tables::types::ObjectRow| !r.namespace.is_empty() && r.name == self.str(name);
        if let Some(r) = rtc_tables::types::OBJECTS.iter().find(object) {
            return Some(format!("{}::{}", r.namespace, r.name));
        }
        if let Some(ours) = foreign::hlsl_of(self.str(name)) {
            return Some(ours.to_string());
        }
        let mut near = Nearest::new(self.str(name));
        for (s, b, _) in self.scopes.stack.from(self.scopes.base) {
            if wanted.takes(b) {
                near.consider(self.str(*s));
            }
        }
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            match &self.scopes.ctxs[id].kind {
                CtxKind::Names(map) => map.iter().filter(|n| wanted.takes(n.1)).for_each(|n| near.consider(self.str(*n.0))),
                CtxKind::Record(r) => {
                    let mut at = Some(*r);
                    while let Some(r) = at {
                        self.records[r].names.iter().filter(|n| wanted.takes(&n.1.0)).for_each(|n| near.consider(self.str(*n.0)));
                        at = self.m.types.records[r].base;
                    }
                }
                CtxKind::Namespace(ns) => {
                    let names = &self.scopes.namespaces[*ns].names;
                    names.iter().filter(|n| wanted.takes(&n.1.0)).for_each(|n| near.consider(self.str(*n.0)));
                }
            }
            at = self.scopes.ctxs[id].parent;
        }
        if wanted == Wanted::Callee {
            intrinsics::all().filter(|row| row.scope == RowScope::Free).for_each(|row| near.consider(row.name));
        }
        if wanted == Wanted::Value {
            rtc_tables::types::ENUMS.iter().flat_map(|e| e.items).for_each(|i| near.consider(i.0));
        } else {
            rtc_tables::types::STRUCTS.iter().for_each(|s| near.consider(s.name));
            rtc_tables::types::OBJECTS.iter().for_each(|o| near.consider(o.name));
            rtc_tables::types::SCALARS.iter().for_each(|s| near.consider(s.name));
        }
        near.found()
    }

    /// The qualified name, when a namespace or an enumeration that is not visible here has `name`.
    fn elsewhere(&self, name: Symbol) -> Option<String> {
        let text = self.str(name);
        let spaces = self.scopes.namespaces.values();
        let mut found: Vec<String> =
            spaces.filter(|n| n.names.contains_key(&name)).filter_map(|n| Some(format!("{}::{text}", self.str(n.name?)))).collect();
        let enums = self.m.types.enums.values();
        let with = enums.filter(|e| e.items.iter().any(|i| i.0 == name));
        found.extend(with.map(|e| format!("{}::{text}", self.str(e.name))));
        found.sort();
        found.into_iter().next()
    }

    /// The diagnostic that `qualifier` has no `name`.
    pub fn not_inside(&mut self, qualifier: Qualifier, name: ast::Name) -> Diagnostic {
        let text = self.str(name.sym).to_string();
        match qualifier {
            Qualifier::Type(t) => {
                let near = match self.kind(t) {
                    TyKind::Record(r) => self.similar_member(r, &text),
                    TyKind::Enum(e) => {
                        let items = &self.m.types.enums[e].items;
                        nearest(&text, items.iter().map(|i| self.str(i.0)))
                    }
                    _ => None,
                };
                err::no_member(name.span, &text, &self.show(t), near)
            }
            Qualifier::Namespace(ns) => {
                let n = &self.scopes.namespaces[ns];
                let near = nearest(&text, n.names.keys().map(|s| self.str(*s)));
                let ns = (ns != GLOBAL).then_some(n.name).flatten();
                let ns = ns.map(|n| self.str(n).to_string());
                err::not_in_namespace(name.span, &text, ns.as_deref(), near)
            }
        }
    }
}
