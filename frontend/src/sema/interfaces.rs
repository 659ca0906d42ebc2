//! Methods of interfaces: a class that inherits from an interface has objects only if it declares each of them.

use rtc_base::Span;

use super::context::Sema;
use super::errors::types as err;
use super::scope::{Binding, Overload};
use crate::hir::{FuncId, Module, RecordId};

impl Sema<'_> {
    /// The methods that a record itself declares. Templates are none.
    pub fn methods_of(&self, record: RecordId) -> Vec<FuncId> {
        let sets = self.records[record].names.values().filter_map(|(b, _)| if let Binding::Functions(set) = b { Some(*set) } else { None });
        let functions = sets.flat_map(|set| self.scopes[set].iter());
        let mut methods: Vec<FuncId> = functions.filter_map(|o| if let Overload::Func(f) = o { Some(*f) } else { None }).collect();
        methods.sort();
        methods
    }

    /// Those of the methods `wanted` that a record does not declare with the same parameters.
    pub fn not_declared(&self, record: RecordId, mut wanted: Vec<FuncId>) -> Vec<FuncId> {
        if !wanted.is_empty() {
            let own = self.methods_of(record);
            wanted.retain(|&w| !own.iter().any(|&f| self.m.same_method(f, w)));
        }
        wanted
    }

    /// Whether a record has objects; reports the first method that it does not declare.
    pub fn check_methods(&mut self, record: RecordId, ty: &str, span: Span) -> bool {
        let Some(&first) = self.records[record].missing.first() else { return true };
        let method = &self.m.funcs[first];
        let (name, at) = (method.qualified.clone(), method.span);
        self.report(err::abstract_class(span, ty, &name, at));
        false
    }
}

impl Module {
    fn same_method(&self, f: FuncId, g: FuncId) -> bool {
        let (f, g) = (&self.funcs[f], &self.funcs[g]);
        let same = |(a, b): (&crate::hir::Param, &crate::hir::Param)| a.ty == b.ty && a.pass == b.pass;
        f.name == g.name && f.params.len() == g.params.len() && f.params.iter().zip(&g.params).all(same)
    }
}
