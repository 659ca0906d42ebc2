//! Out-of-line definitions of members of class templates.
//!
//! Such a definition is stored with the template. Each instance defines the member in its own context, where the
//! parameters of the definition are the instance's arguments.

use rtc_base::Span;
use rtc_base::Symbol;
use rustc_hash::FxHashMap;

use super::context::Sema;
use super::errors::{names as err_names, types as err};
use super::instance::{ArgValue, OutOfLine};
use super::scope::{Binding, CtxKind, Overload, Qualifier, TemplateId};
use crate::hir::{RecordId, Ty, TyKind};
use crate::syntax::ast;

impl Sema<'_> {
    /// `template <typename T> void S<T>::f() { … }`, or a member template of a class that is not a template.
    pub fn outside_of_template(&mut self, id: ast::DeclId, f: &ast::Function, scope: ast::PathId, params: ast::List<ast::TemplateParam>) {
        let args = self.ast.list(self.ast.paths[scope].segments).last().and_then(|s| s.args);
        let Some(found) = self.resolve_path(scope) else {
            return;
        };
        let within = ast::Function { scope: None, ..*f };
        match (found.binding, args) {
            (Binding::Template(t), Some(_)) => {
                let outside = OutOfLine { function: within, params, attrs: self.ast.decls[id].attrs };
                if self.ast.list(params).len() != self.ast.list(self.templates[t].params).len() {
                    self.report(err::template_outside(f.name.span()));
                    return;
                }
                self.templates[t].outside.push(outside);
                let known: Vec<(RecordId, Vec<ArgValue>)> =
                    self.instance_args.iter().filter(|(_, (u, _))| *u == t).map(|(r, (_, values))| (*r, values.clone())).collect();
                for (record, values) in known {
                    self.attach(record, &values, outside, f.name.span());
                }
            }
            (Binding::Type(ty), None) if let TyKind::Record(r) = self.kind(ty) => {
                if let Some(ctx) = self.records[r].ctx {
                    self.in_ctx(ctx, |s| s.function_template(id, &within, params));
                }
            }
            (Binding::Namespace(ns), _) => {
                if let Some(ctx) = self.namespace_ctx(ns) {
                    self.in_ctx(ctx, |s| s.function_template(id, &within, params));
                }
            }
            _ => self.report(err::template_outside(f.name.span())),
        }
    }

    /// Adds the out-of-line definitions to a new instance of `t`.
    pub fn attach_all(&mut self, record: RecordId, t: TemplateId, values: &[ArgValue]) {
        // The instance may be named in a function first.
        let f = std::mem::take(&mut self.f);
        for i in 0..self.templates[t].outside.len() {
            let o = self.templates[t].outside[i];
            self.attach(record, values, o, o.function.name.span());
        }
        self.f = f;
    }

    fn attach(&mut self, record: RecordId, values: &[ArgValue], o: OutOfLine, span: Span) {
        let Some(ctx) = self.records[record].ctx else {
            return;
        };
        let name = self.function_name(&o.function.name);
        if !self.in_ctx(ctx, |s| s.declared_here(name).is_some()) {
            let text = self.str(name).to_string();
            self.report(err_names::not_declared_inside(span, &text));
            return;
        }
        // Its parameter names are in a context between the class and the enclosing one.
        let mut names: FxHashMap<Symbol, Binding> = FxHashMap::default();
        for (p, v) in self.ast.list(o.params).iter().zip(values) {
            if let Some(n) = p.name {
                let b = match *v {
                    ArgValue::Type(t) => Binding::Type(t),
                    ArgValue::Value(t, bits) => Binding::Value(t, bits),
                };
                names.insert(n.sym, b);
            }
        }
        let around = self.scopes.add_ctx(CtxKind::Names(names));
        self.scopes.ctxs[around].parent = self.scopes.ctxs[ctx].parent;
        self.scopes.ctxs[ctx].parent = Some(around);
        let shown = format!("`{}`", self.m.types.records[record].qualified);
        let old = self.instance.replace((shown, span));
        self.in_ctx(ctx, |s| s.declare_function(&o.function, o.attrs));
        self.instance = old;
    }

    /// `template <> int S<int>::f() { … }`: the member of this one instance.
    pub fn specialised_member(&mut self, f: &ast::Function, scope: ast::PathId) {
        let Some(Qualifier::Type(ty)) = self.place_of(scope) else {
            return;
        };
        let ctx = match self.kind(ty) {
            TyKind::Record(r) => self.records[r].ctx,
            _ => None,
        };
        let (Some(ctx), false) = (ctx, ty == Ty::ERROR) else {
            return;
        };
        let within = ast::Function { scope: None, ..*f };
        let name = self.function_name(&f.name);
        self.in_ctx(ctx, |s| {
            let Some((Binding::Functions(set), _)) = s.declared_here(name) else {
                let text = s.str(name).to_string();
                s.report(err_names::not_declared_inside(f.name.span(), &text));
                return;
            };
            // It replaces a general definition whose body is not checked yet.
            for i in 0..s.sets[set].len() {
                if let Overload::Func(g) = s.sets[set][i]
                    && s.pending.iter().any(|p| p.func == g)
                    && s.m.funcs[g].params.len() == f.params.len()
                {
                    s.pending.retain(|p| p.func != g);
                    s.funcs[g].defined = false;
                }
            }
            s.declare_function(&within, ast::List::EMPTY);
        });
    }
}
