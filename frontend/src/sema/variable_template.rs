//! Variable templates: `template <typename T> static const T pi = T(3.14);`, with explicit and partial specialisations.
//!
//! An instance is a static variable like any other: it is made where it is first named, and its initialiser is checked in the context that
//! binds the parameters to the arguments. All that is named alike is one variable, so `g<float> = 1` is seen wherever `g<float>` is read.
//!
//! Not here: variables that the host sets, and memory of a group. The reference compiler crashes for most of them.

use rtc_base::Span;

use super::context::Sema;
use super::errors::{names as err_names, types as err};
use super::instance::{ArgValue, Instance, Specialisation, TemplateKind};
use super::scope::{Binding, CtxId, LookupResult, TemplateId};
use super::template::Bindings;
use crate::hir::{GlobalId, Ty, mangle};
use crate::syntax::ast::{self, DeclKind, Specs};

impl Sema<'_> {
    /// A variable after `template <…>`, in the current namespace or class.
    pub fn variable_template(&mut self, id: ast::DeclId, v: &ast::Var, params: ast::List<ast::TemplateParam>) {
        let Some(name) = v.name else { return };
        if !self.check_headers(id, name.span) {
            return;
        }
        if !self.ast.types[v.ty].specs.intersects(Specs::STATIC | Specs::CONSTEXPR) {
            self.declare(name, Binding::Error);
            return self.report(err::variable_template_not_static(name.span));
        }
        if let Some(args) = v.args {
            return self.variable_specialisation(id, name, args, params);
        }
        if params.is_empty() {
            let text = self.str(name.sym).to_string();
            return self.report(err::no_template(name.span, &text));
        }
        if let Some(init) = v.init {
            self.check_early_value(init, params);
        }
        let t = self.new_template(name.sym, name.span, params, TemplateKind::Variable(id), 0);
        self.declare(name, Binding::Template(t));
    }

    /// `template <> static const int pi<int> = 3;`, also partial.
    fn variable_specialisation(
        &mut self,
        id: ast::DeclId,
        name: ast::Name,
        args: ast::List<ast::TemplateArg>,
        params: ast::List<ast::TemplateParam>,
    ) {
        let text = self.str(name.sym).to_string();
        let t = match self.lookup(name.sym).map(|f| f.binding) {
            Some(Binding::Template(t)) if matches!(self.templates[t].kind, TemplateKind::Variable(_)) => t,
            Some(Binding::Error) => return,
            _ => return self.report(err::no_template(name.span, &text)),
        };
        if self.ast.specialises_nothing(args, params) {
            return self.report(err::specialises_nothing(name.span, &text));
        }
        if params.is_empty() {
            let given = self.ast.list(args).to_vec();
            let Some(values) = self.complete_args(t, &given, Bindings::default(), Some(name.span)) else {
                return;
            };
            if self.templates.instance(&(t, values.clone())).is_some() {
                return self.report(err::specialised_after_use(name.span, &text));
            }
            let same = self.find_special(t, &values).map(|s| &self.templates[t].special[s.0]).filter(|s| s.params.is_empty());
            if let Some(at) = same.map(|s| self.ast.decls[s.decl].span) {
                return self.report(err_names::redefined(name.span, &text, at));
            }
        }
        let ctx = self.scopes.ctx;
        self.templates[t].special.push(Specialisation { params, args, decl: id, ctx, outside: Vec::new() });
    }

    /// What a path means where a variable template stands for the variable that its arguments choose.
    pub fn chosen_variable(&mut self, found: LookupResult, path: ast::PathId) -> Option<LookupResult> {
        let Binding::Template(t) = found.binding else {
            return Some(found);
        };
        if !matches!(self.templates[t].kind, TemplateKind::Variable(_)) {
            return Some(found);
        }
        let last = *self.ast.list(self.ast.paths[path].segments).last()?;
        let Some(args) = last.args else {
            let text = self.str(last.name.sym).to_string();
            self.report(err::variable_without_arguments(last.name.span, &text));
            return None;
        };
        let g = self.instantiate_variable(t, args, last.name.span)?;
        Some(LookupResult { binding: Binding::Global(g), record: None })
    }

    /// The variable `name<args>`; reports what is wrong.
    fn instantiate_variable(&mut self, t: TemplateId, args: ast::List<ast::TemplateArg>, span: Span) -> Option<GlobalId> {
        let given = self.ast.list(args).to_vec();
        let values = self.complete_args(t, &given, Bindings::default(), Some(span))?;
        let key = (t, values);
        if let Some(known) = self.templates.instance(&key) {
            return if let Instance::Global(g) = known { Some(g) } else { None };
        }
        let fits = self.may_instantiate(t, span);
        self.templates.set_instance(key.clone(), Instance::Failed);
        if !fits {
            return None;
        }
        let (decl, ctx) = self.variable_pattern(t, &key.1)?;
        let DeclKind::Var(v) = self.ast.decls[decl].kind else {
            return None;
        };
        let shown = format!("`{}<{}>`", self.str(self.templates[t].name), self.show_args_of(&key.1));
        let outer = self.steps.enter(shown, span);
        let attrs = self.ast.decls[decl].attrs;
        let made = self.without_parts(|s| s.in_ctx(ctx, |s| s.define_variable(&v, attrs, key)));
        self.steps.leave(outer);
        made
    }

    /// The declaration that an instance is made of, and the context of its parameters.
    fn variable_pattern(&mut self, t: TemplateId, values: &[ArgValue]) -> Option<(ast::DeclId, CtxId)> {
        let TemplateKind::Variable(general) = self.templates[t].kind else {
            return None;
        };
        Some(match self.find_special(t, values) {
            Some((i, own)) => {
                let s = self.templates[t].special[i].clone();
                let params = self.ast.list(s.params).to_vec();
                (s.decl, self.scopes.param_ctx(s.ctx, &params, &Bindings::of(&params, &own)))
            }
            None => {
                let params = self.template_params(t);
                let ctx = self.scopes.param_ctx(self.templates[t].ctx, &params, &Bindings::of(&params, values));
                self.scopes.ctxs[ctx].of = Some(t);
                (general, ctx)
            }
        })
    }

    /// Makes the variable of `(t, values)` as `v` declares it, in the context of its parameters.
    fn define_variable(&mut self, v: &ast::Var, attrs: ast::List<ast::Attr>, (t, values): (TemplateId, Vec<ArgValue>)) -> Option<GlobalId> {
        let name = v.name?;
        self.unknown_attrs(attrs, &[]);
        let elem = if self.ast.is_auto(v) { self.outside_functions(|s| s.deduced_type(v)) } else { self.type_of(v.ty) };
        let ty = self.array_of(elem, v.dims, v.init.is_some(), name.span);
        if ty == Ty::ERROR || !self.check_variable_type(ty, name.span) {
            return None;
        }
        let g = self.new_static(v, name, ty);
        // It may name itself.
        self.templates.set_instance((t, values.clone()), Instance::Global(g));
        self.init_static(g, v, name);
        let text = self.str(self.templates[t].name).to_string();
        let shown = self.show_args_of(&values);
        let mut path = vec![mangle::template_name(&self.m.types, &text, &self.mangled_args(&values))];
        let old = std::mem::replace(&mut self.scopes.ctx, self.templates[t].ctx);
        path.extend(self.scope_path());
        let qualified = self.qualify(&text);
        self.scopes.ctx = old;
        let is_const = self.ast.types[v.ty].specs.intersects(Specs::CONST | Specs::CONSTEXPR);
        let ty = self.m.globals[g].ty;
        self.m.globals[g].symbol = mangle::variable(&self.m.types, &path, ty, is_const);
        self.m.globals[g].qualified = format!("{qualified}<{shown}>");
        Some(g)
    }
}
