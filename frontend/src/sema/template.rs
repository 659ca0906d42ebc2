//! Template instantiation: an instance is the template's syntax tree, checked in a context that binds the parameters to the
//! arguments.
//!
//! Instances are cached by their arguments. A class declares its members when it is first named; the bodies of its methods and of
//! functions are checked at the end of the file if they are called ([`super::late`]). Partial specialisations and deduction share one
//! procedure, [`super::deduction`].

use rtc_base::{Span, Symbol};
use rustc_hash::FxHashMap;

use super::context::{Pending, Sema};
use super::errors::{names as err_names, types as err};
use super::function::Signature;
use super::instance::{ArgValue, Instance, InstanceOf, Specialisation, Template, TemplateKind};
use super::scope::{Binding, CtxId, CtxKind, Horizon, Overload, Scopes, TemplateId};
use crate::hir::mangle::{self, TemplateArg as MangledArg};
use crate::hir::{Const, ExprId, FuncId, RecordId, Scalar, Ty, TyKind};
use crate::syntax::Ast;
use crate::syntax::ast::{self, DeclKind, Specs, TemplateArg, TemplateParamKind};

/// The limit of recursive instantiation.
pub const MAX_DEPTH: u32 = 64;
/// The limit of instances of one template.
const MAX_INSTANCES: u32 = 4096;

/// The bindings of template parameters so far.
#[derive(Default)]
pub struct Bindings {
    /// By name.
    pub values: FxHashMap<Symbol, ArgValue>,
    /// Explicit arguments: deductions may differ from them.
    pub fixed: Vec<Symbol>,
    /// A specialisation matches: no conversion is considered, such as that of a scalar to `vector<T, 1>`.
    pub exact: bool,
}

impl Bindings {
    /// The parameters of a template with their values.
    pub(super) fn of(params: &[ast::TemplateParam], values: &[ArgValue]) -> Bindings {
        let values = params.iter().zip(values).filter_map(|(p, v)| p.name.map(|n| (n.sym, *v))).collect();
        Bindings { values, fixed: Vec::new(), exact: false }
    }
}

impl Sema<'_> {
    // Declaring ---------------------------------------------------------------------------------

    fn check_template_version(&mut self, span: Span) {
        if self.opts.hlsl_version < 2021 {
            self.report(err::template_version(span));
        }
    }

    pub(super) fn new_template(
        &mut self,
        name: Symbol,
        span: Span,
        params: ast::List<ast::TemplateParam>,
        kind: TemplateKind,
        params_len: usize,
    ) -> TemplateId {
        self.check_template_version(span);
        if !matches!(kind, TemplateKind::Function(_)) {
            self.check_template_defaults(params);
        }
        self.check_template_parameters(params);
        let ctx = self.scopes.ctx;
        let mut path = vec![self.str(name).to_string()];
        path.extend(self.scope_path());
        let horizon = self.horizon_here(1);
        self.templates.push(Template {
            horizon,
            name,
            path,
            span,
            params,
            kind,
            ctx,
            params_len,
            special: Vec::new(),
            outside: Vec::new(),
            declared: None,
            count: 0,
        })
    }

    /// `template <typename T> struct S { … };`
    pub fn record_template(&mut self, id: ast::DeclId, r: &ast::Record, params: ast::List<ast::TemplateParam>) {
        let Some(name) = r.name.and_then(|n| self.ast.last_name(n)) else {
            return;
        };
        self.check_hidden_parameters(params, &[name]);
        self.check_members_of_template(r, params);
        if let Some((Binding::Template(t), at)) = self.declared_here(name.sym) {
            // Declared before, defined now.
            let known = match self.templates[t].kind {
                TemplateKind::Record(d) => match self.ast.decls[d].kind {
                    DeclKind::Record(q) => q.defined,
                    _ => true,
                },
                _ => true,
            };
            if known && r.defined {
                let text = self.str(name.sym).to_string();
                self.report(err_names::redefined(name.span, &text, at));
                return;
            }
            self.check_defaults_again(self.templates[t].params, params);
            if r.defined {
                let horizon = self.horizon_here(0);
                let old = &mut self.templates[t];
                if let TemplateKind::Record(d) = old.kind {
                    old.declared.get_or_insert((d, old.params));
                }
                (old.kind, old.params, old.horizon) = (TemplateKind::Record(id), params, horizon);
                self.complete_instances(t);
            }
            return;
        }
        let t = self.new_template(name.sym, name.span, params, TemplateKind::Record(id), 0);
        self.declare(name, Binding::Template(t));
    }

    /// Reports template parameters to which two declarations give default arguments.
    fn check_defaults_again(&mut self, first: ast::List<ast::TemplateParam>, again: ast::List<ast::TemplateParam>) {
        use TemplateParamKind as K;
        for (p, q) in self.ast.list(first).to_vec().iter().zip(self.ast.list(again).to_vec()) {
            if let (K::Type(Some(_)), K::Type(Some(_)))
            | (K::Value(_, Some(_)), K::Value(_, Some(_)))
            | (K::Template(_, Some(_)), K::Template(_, Some(_))) = (p.kind, q.kind)
            {
                self.report(err::default_again(q.span, p.span));
            }
        }
    }

    /// Reports a parameter of a class or alias template without a default after one that has one.
    fn check_template_defaults(&mut self, params: ast::List<ast::TemplateParam>) {
        let mut seen = false;
        for p in self.ast.list(params).to_vec() {
            let has = match p.kind {
                TemplateParamKind::Type(d) | TemplateParamKind::Template(_, d) => d.is_some(),
                TemplateParamKind::Value(_, d) => d.is_some(),
            };
            if seen && !has {
                return self.report(err::missing_default(p.span));
            }
            seen |= has;
        }
    }

    /// `template <> struct S<int> { … };`, also partial.
    pub fn record_specialisation(&mut self, id: ast::DeclId, r: &ast::Record, params: ast::List<ast::TemplateParam>) {
        let Some(path) = r.name else {
            return;
        };
        let Some(&last) = self.ast.list(self.ast.paths[path].segments).last() else {
            return;
        };
        let ctx = self.scopes.ctx;
        match self.lookup(last.name.sym).map(|f| f.binding) {
            Some(Binding::Template(t)) => {
                let args = last.args.unwrap_or(ast::List::EMPTY);
                if self.ast.specialises_nothing(args, params) {
                    let text = self.str(last.name.sym).to_string();
                    self.report(err::specialises_nothing(last.name.span, &text));
                    return;
                }
                self.check_specialised_arguments(args, params);
                let new = Specialisation { params, args, decl: id, ctx, outside: Vec::new() };
                match self.same_specialisation(t, args, params) {
                    None => self.templates[t].special.push(new),
                    // Declared before, defined now.
                    Some(_) if !r.defined => {}
                    Some(i) => match self.ast.decls[self.templates[t].special[i].decl] {
                        ast::Decl { kind: DeclKind::Record(old), span, .. } if old.defined => {
                            let text = self.str(last.name.sym).to_string();
                            return self.report(err_names::redefined(last.name.span, &text, span));
                        }
                        _ => self.templates[t].special[i].decl = id,
                    },
                }
                self.complete_instances(t);
            }
            Some(Binding::Error) => {}
            _ => {
                let text = self.str(last.name.sym).to_string();
                self.report(err::no_template(last.name.span, &text));
            }
        }
    }

    /// `template <typename T> using A = …;`
    pub fn alias_template(&mut self, name: ast::Name, ty: ast::TypeId, params: ast::List<ast::TemplateParam>) {
        let t = self.new_template(name.sym, name.span, params, TemplateKind::Alias(ty), 0);
        self.note_alias(name, ty);
        self.declare(name, Binding::Template(t));
    }

    /// `template <typename T> T f(T x) { … }`; `outside` says that the definition is not in the class that declares it.
    pub fn function_template(&mut self, id: ast::DeclId, f: &ast::Function, params: ast::List<ast::TemplateParam>, outside: bool) {
        let span = f.name.span();
        let name = self.function_name(&f.name);
        let Some(set) = self.overload_set(name, span) else {
            return;
        };
        self.check_early_names(f, params);
        self.check_indirect_signature(f);
        if let Some(first) = self.defined_before(set, f, params) {
            let text = self.str(name).to_string();
            return self.report(err_names::redefined(span, &text, first));
        }
        // A declaration and its definition are one template.
        if let Some(t) = self.declared_template(set, f, params, outside) {
            let defined = self.signature_of(t).is_some_and(|(old, _)| old.body.is_some());
            if defined {
                return self.note_template(name, span);
            }
            if let Some((old, own)) = self.signature_of(t) {
                self.check_defaults_again(own, params);
                for (p, q) in self.ast.list(old.params).to_vec().iter().zip(self.ast.list(f.params).to_vec()) {
                    if let (Some(first), Some(again)) = (p.default, q.default) {
                        self.report(err::default_again(self.ast.exprs[again].span, self.ast.exprs[first].span));
                    }
                }
            }
            let horizon = self.horizon_here(0);
            let old = &mut self.templates[t];
            old.horizon = horizon;
            if let TemplateKind::Function(d) = old.kind {
                old.declared.get_or_insert((d, old.params));
            }
            (old.kind, old.params) = (TemplateKind::Function(id), params);
            self.note_template(name, span);
            self.define_instances(t, f);
            return;
        }
        let t = self.new_template(name, span, params, TemplateKind::Function(id), f.params.len());
        self.scopes[set].push(Overload::Template(t));
        self.note_template(name, span);
    }

    /// What is declared up to here, and so many templates more.
    fn horizon_here(&self, more: usize) -> Horizon {
        Horizon {
            functions: self.m.funcs.len(),
            templates: self.templates.len() + more,
            globals: self.m.globals.len(),
            records: self.m.types.records.len(),
            enums: self.m.types.enums.len(),
        }
    }

    /// Gives the body of a definition to the instances that calls made of its declaration.
    fn define_instances(&mut self, t: TemplateId, f: &ast::Function) {
        if f.body.is_none() {
            return;
        }
        let mut open = self.templates.functions_of(t);
        open.retain(|o| self.funcs.is_waiting(o.0));
        let params = self.template_params(t);
        for (func, values) in open {
            let ctx = self.scopes.param_ctx(self.templates[t].ctx, &params, &Bindings::of(&params, &values));
            self.scopes.ctxs[ctx].of = Some(t);
            if let Some(p) = self.funcs.waiting_mut(func) {
                (p.ast, p.ctx) = (*f, ctx);
            }
            self.funcs[func].decl = Some((*f, ctx));
            self.m.funcs[func].span = f.name.span();
            if std::mem::take(&mut self.funcs[func].requested) {
                self.request_body(func);
            }
        }
    }

    /// The parameters of a template, with the default arguments of its first declaration.
    pub fn template_params(&self, t: TemplateId) -> Vec<ast::TemplateParam> {
        let mut params = self.ast.list(self.templates[t].params).to_vec();
        if let Some((_, first)) = self.templates[t].declared {
            for (p, q) in params.iter_mut().zip(self.ast.list(first)) {
                match (&mut p.kind, q.kind) {
                    (TemplateParamKind::Type(d), TemplateParamKind::Type(e)) => *d = d.or(e),
                    (TemplateParamKind::Value(_, d), TemplateParamKind::Value(_, e)) => *d = d.or(e),
                    (TemplateParamKind::Template(_, d), TemplateParamKind::Template(_, e)) => *d = d.or(e),
                    _ => {}
                }
            }
        }
        params
    }

    /// `template <> float f<float>(float x) { … }`
    pub fn function_specialisation(&mut self, f: &ast::Function) {
        let span = f.name.span();
        let name = self.function_name(&f.name);
        let found = self.lookup(name).map(|f| f.binding);
        let Some(Binding::Functions(set)) = found else {
            let text = self.str(name).to_string();
            self.report(err::no_template(span, &text));
            return;
        };
        let sig = self.signature(f);
        if sig.broken {
            return;
        }
        let templates: Vec<TemplateId> = self.scopes[set]
            .iter()
            .filter_map(|o| match o {
                Overload::Template(t) => Some(*t),
                Overload::Func(_) => None,
            })
            .collect();
        for t in templates {
            let types: Vec<Ty> = sig.params.iter().map(|p| p.0).collect();
            let Some(values) = self.deduce(t, f.args, &types, Some(sig.ret)) else {
                continue;
            };
            if !self.is_signature_of(t, &values, &sig) {
                continue;
            }
            let ctx = self.scopes.ctx;
            let known = match self.templates.instance(&(t, values.clone())) {
                Some(Instance::Func(g)) => Some(g),
                _ => None,
            };
            let again = known.filter(|&g| self.funcs[g].specialised && self.funcs[g].defined && f.body.is_some());
            if let Some(g) = again {
                let text = self.str(name).to_string();
                let at = self.m.funcs[g].span;
                return self.report(err_names::redefined(span, &text, at));
            }
            if let Some(g) = known.filter(|&g| !self.funcs[g].specialised && (self.funcs[g].defined || self.funcs[g].requested)) {
                let text = self.m.funcs[g].qualified.clone();
                return self.report(err::specialised_after_use(span, &text));
            }
            let func = match known {
                // A call may have considered it, or it was declared before.
                Some(g) => {
                    self.funcs.forget_unchecked(g);
                    g
                }
                None => {
                    let record = match self.scopes.ctxs[ctx].kind {
                        CtxKind::Record(r) => Some(r),
                        _ => None,
                    };
                    let g = self.new_function(f, name, &sig, record);
                    self.make_static_as_declared(g, t);
                    self.rename_instance(g, t, &values);
                    g
                }
            };
            self.funcs[func].specialised = true;
            self.funcs[func].decl = Some((*f, ctx));
            self.templates.set_instance((t, values), Instance::Func(func));
            if f.body.is_some() {
                self.funcs[func].defined = true;
                self.m.funcs[func].span = span;
                let p = Pending { func, ast: *f, ctx, depth: self.steps.depth, instance_of: Vec::new() };
                self.check_body(p);
            }
            return;
        }
        let text = self.str(name).to_string();
        self.report(err::no_template_of_type(span, &text));
    }

    /// Whether the instance for these arguments has the signature `sig`.
    fn is_signature_of(&mut self, t: TemplateId, values: &[ArgValue], sig: &Signature) -> bool {
        let TemplateKind::Function(id) = self.templates[t].kind else {
            return false;
        };
        let DeclKind::Function(f) = self.ast.decls[id].kind else {
            return false;
        };
        let params = self.template_params(t);
        let ctx = self.scopes.param_ctx(self.templates[t].ctx, &params, &Bindings::of(&params, values));
        let own = self.tried_signature(&f, ctx);
        let same = own.params.iter().zip(&sig.params).all(|(a, b)| self.same_value(a.0, b.0) && a.1 == b.1);
        !own.broken && own.params.len() == sig.params.len() && same && self.same_value(own.ret, sig.ret)
    }

    /// The signature of `f` in `ctx`, where the parameters of its template have values, without reports.
    fn tried_signature(&mut self, f: &ast::Function, ctx: CtxId) -> Signature {
        let state = std::mem::take(&mut self.f);
        let sig = self.muted(|s| s.in_ctx(ctx, |s| s.signature(f)));
        self.f = state;
        sig
    }

    // Arguments ---------------------------------------------------------------------------------

    /// The value of one argument for a parameter of this kind.
    pub fn arg_value(&mut self, p: &ast::TemplateParam, a: TemplateArg) -> Option<ArgValue> {
        match p.kind {
            TemplateParamKind::Type(_) => match self.type_arg(a)? {
                Ty::ERROR => None,
                t => Some(ArgValue::Type(self.m.types.value_ty(t))),
            },
            TemplateParamKind::Template(own, _) => self.template_arg(own, a),
            TemplateParamKind::Value(ty, _) => {
                let to = self.type_of(ty);
                let e = match a {
                    TemplateArg::Expr(e) => e,
                    TemplateArg::Type(t) => {
                        let n = self.number_arg(a)?;
                        let _ = t;
                        let s = self.m.types.elem(to)?;
                        return Some(ArgValue::Value(to, Const::int(s, n).bits));
                    }
                };
                let v = self.constant_as(e, to)?;
                match v[..] {
                    [c] => Some(ArgValue::Value(to, c.bits)),
                    _ => None,
                }
            }
        }
    }

    /// The template that an argument names, for a parameter with the parameters `own`.
    fn template_arg(&mut self, own: ast::List<ast::TemplateParam>, a: TemplateArg) -> Option<ArgValue> {
        let (path, span) = match a {
            TemplateArg::Type(t) => match self.ast.types[t].kind {
                ast::TypeKind::Named(p) => (Some(p), self.ast.types[t].span),
                _ => (None, self.ast.types[t].span),
            },
            TemplateArg::Expr(e) => match self.ast.exprs[e].kind {
                ast::ExprKind::Path(p) => (Some(p), self.ast.exprs[e].span),
                _ => (None, self.ast.exprs[e].span),
            },
        };
        let plain = |s: &Self, p: ast::PathId| s.ast.list(s.ast.paths[p].segments).last().is_some_and(|l| l.args.is_none());
        let found = match path {
            Some(p) if plain(self, p) => Some(self.resolve_path(p)?.binding),
            _ => None,
        };
        let Some(Binding::Template(t)) = found.filter(|b| !matches!(b, Binding::Template(t) if !self.templates[*t].kind.is_type())) else {
            self.report(err::not_a_template(span));
            return None;
        };
        if !self.ast.same_parameters(own, self.templates[t].params) {
            let text = self.str(self.templates[t].name).to_string();
            self.report(err::other_parameters(span, &text));
            return None;
        }
        Some(ArgValue::Template(t))
    }

    /// Values for all parameters: explicit ones, then those of `bound`, then defaults.
    pub(super) fn complete_args(
        &mut self,
        t: TemplateId,
        given: &[TemplateArg],
        mut bound: Bindings,
        span: Option<Span>,
    ) -> Option<Vec<ArgValue>> {
        let params = self.template_params(t);
        let parent = self.templates[t].ctx;
        if given.len() > params.len() {
            if let Some(span) = span {
                let name = self.str(self.templates[t].name).to_string();
                self.report(err::argument_count(span, &name, 0, params.len(), given.len()));
            }
            return None;
        }
        let mut out = Vec::with_capacity(params.len());
        for (i, p) in params.iter().enumerate() {
            let name = p.name.map(|n| n.sym);
            let value = if let Some(&a) = given.get(i) {
                // The type of a value parameter may name parameters before it.
                match p.kind {
                    TemplateParamKind::Value(ty, _) => {
                        let ctx = self.scopes.param_ctx(parent, &params[..i], &bound);
                        let to = self.in_ctx(ctx, |s| s.type_of(ty));
                        self.value_in_type(a, to)?
                    }
                    TemplateParamKind::Type(_) | TemplateParamKind::Template(..) => self.arg_value(p, a)?,
                }
            } else if let Some(&v) = name.and_then(|n| bound.values.get(&n)) {
                v
            } else {
                let ctx = self.scopes.param_ctx(parent, &params[..i], &bound);
                let v = match p.kind {
                    TemplateParamKind::Type(Some(ty)) => match self.in_ctx(ctx, |s| s.type_of(ty)) {
                        Ty::ERROR => None,
                        t => Some(ArgValue::Type(t)),
                    },
                    TemplateParamKind::Value(_, Some(e)) => self.in_ctx(ctx, |s| s.arg_value(p, TemplateArg::Expr(e))),
                    TemplateParamKind::Template(_, Some(ty)) => self.in_ctx(ctx, |s| s.arg_value(p, TemplateArg::Type(ty))),
                    _ => {
                        if let Some(span) = span {
                            let name = self.str(self.templates[t].name).to_string();
                            self.report(err::argument_count(span, &name, i + 1, params.len(), given.len()));
                        }
                        None
                    }
                };
                v?
            };
            if let Some(n) = name {
                bound.values.insert(n, value);
            }
            out.push(value);
        }
        Some(out)
    }

    fn value_in_type(&mut self, a: TemplateArg, to: Ty) -> Option<ArgValue> {
        match a {
            TemplateArg::Expr(e) => match self.constant_as(e, to)?[..] {
                [c] => Some(ArgValue::Value(to, c.bits)),
                _ => None,
            },
            TemplateArg::Type(_) => {
                let n = self.number_arg(a)?;
                let s = self.m.types.elem(to)?;
                Some(ArgValue::Value(to, Const::int(s, n).bits))
            }
        }
    }

    pub(super) fn show_args_of(&self, values: &[ArgValue]) -> String {
        let parts: Vec<String> = values
            .iter()
            .map(|v| match *v {
                ArgValue::Type(t) => self.show(t),
                ArgValue::Template(t) => self.str(self.templates[t].name).to_string(),
                ArgValue::Value(t, bits) => self.show_value(t, bits),
            })
            .collect();
        parts.join(", ")
    }

    /// A constant as it is written: by name, if it has one.
    fn show_value(&self, t: Ty, bits: u64) -> String {
        let c = Const { scalar: self.m.types.elem(t).unwrap_or(Scalar::Int), bits };
        if let TyKind::Enum(e) = self.kind(t) {
            let e = &self.m.types.enums[e];
            if let Some((name, _)) = e.items.iter().find(|(_, n)| c.as_int() == Some((*n).into())) {
                return format!("{}::{}", e.qualified, self.str(*name));
            }
        }
        match c.as_int() {
            _ if c.scalar == Scalar::Bool => c.is_true().to_string(),
            Some(n) => n.to_string(),
            None => c.as_f64().to_string(),
        }
    }

    pub(super) fn mangled_args(&self, values: &[ArgValue]) -> Vec<MangledArg<'_>> {
        values
            .iter()
            .map(|v| match *v {
                ArgValue::Type(t) => MangledArg::Type(t),
                ArgValue::Value(_, bits) => MangledArg::Int(bits),
                ArgValue::Template(t) => MangledArg::Class(&self.templates[t].path),
            })
            .collect()
    }

    // Classes and aliases -----------------------------------------------------------------------

    /// Inside a class template its bare name denotes the current instance.
    pub fn injected_instance(&self, t: TemplateId) -> Option<Ty> {
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            let c = &self.scopes.ctxs[id];
            if let CtxKind::Record(r) = c.kind
                && self.templates.instance_of(r).is_some_and(|i| i.template == t)
            {
                return self.templates.type_of(r);
            }
            at = c.parent;
        }
        None
    }

    /// Counts a new instance of a template; reports one beyond the limits.
    pub(super) fn may_instantiate(&mut self, t: TemplateId, span: Span) -> bool {
        self.templates[t].count += 1;
        let name = self.str(self.templates[t].name).to_string();
        if self.steps.depth >= MAX_DEPTH {
            self.report(err::template_depth(span, &name));
            return false;
        }
        let many = self.templates[t].count > MAX_INSTANCES;
        // Once for each template.
        if many && !self.reports.is_muted() && self.reports.is_first(("instances", self.templates[t].span)) {
            self.report(err::too_many_instances(span, &name, MAX_INSTANCES));
        }
        !many
    }

    /// `Name<args>`; reports what is wrong.
    pub fn instantiate_type(&mut self, t: TemplateId, args: ast::List<TemplateArg>, span: Span) -> Option<Ty> {
        if let TemplateKind::Variable(_) = self.templates[t].kind {
            let text = self.str(self.templates[t].name).to_string();
            self.report(err_names::not_a_type(span, &text));
            return None;
        }
        let given = self.ast.list(args).to_vec();
        let values = self.complete_args(t, &given, Bindings::default(), Some(span))?;
        let key = (t, values);
        if let Some(i) = self.templates.instance(&key) {
            return match i {
                Instance::Type(ty) => Some(ty),
                Instance::Func(_) | Instance::Global(_) | Instance::Failed => None,
            };
        }
        if !self.may_instantiate(t, span) {
            self.templates.set_instance(key, Instance::Failed);
            return None;
        }
        let values = key.1;
        let params = self.template_params(t);
        let bound = Bindings::of(&params, &values);
        let parent = self.templates[t].ctx;
        match self.templates[t].kind {
            TemplateKind::Function(_) | TemplateKind::Variable(_) => None,
            TemplateKind::Alias(ty) => {
                let ctx = self.scopes.param_ctx(parent, &params, &bound);
                self.steps.depth += 1;
                let ty = self.in_ctx(ctx, |s| s.type_of(ty));
                self.steps.depth -= 1;
                self.templates.set_instance((t, values), Instance::Type(ty));
                Some(ty)
            }
            TemplateKind::Record(_) => {
                let (id, ctx, of) = self.pattern_of(t, values)?;
                self.instantiate_record(of, id, ctx, span)
            }
        }
    }

    /// Makes a record that is an instance, in `ctx`, where the parameters have their values.
    pub fn instantiate_record(&mut self, of: InstanceOf, id: ast::DeclId, ctx: CtxId, span: Span) -> Option<Ty> {
        let ty = self.declare_instance(of, id, ctx);
        let record = self.m.types.as_record(ty)?;
        self.define_instance(record, id, span);
        Some(ty)
    }

    /// The declaration that an instance of class template `t` is made of, the context of its parameters, and what the instance is of.
    fn pattern_of(&mut self, t: TemplateId, values: Vec<ArgValue>) -> Option<(ast::DeclId, CtxId, InstanceOf)> {
        let TemplateKind::Record(general) = self.templates[t].kind else {
            return None;
        };
        let (id, ctx, special, own) = match self.find_special(t, &values) {
            Some((i, own)) => {
                let s = self.templates[t].special[i].clone();
                let params = self.ast.list(s.params).to_vec();
                let ctx = self.scopes.param_ctx(s.ctx, &params, &Bindings::of(&params, &own));
                (s.decl, ctx, Some(i), own)
            }
            None => {
                let params = self.template_params(t);
                let ctx = self.scopes.param_ctx(self.templates[t].ctx, &params, &Bindings::of(&params, &values));
                self.scopes.ctxs[ctx].of = Some(t);
                (general, ctx, None, values.clone())
            }
        };
        Some((id, ctx, InstanceOf { template: t, values, special, own }))
    }

    /// Instances that were named before there was a definition for them get it.
    fn complete_instances(&mut self, t: TemplateId) {
        for (record, values) in self.templates.undefined_classes_of(t) {
            let (Some((id, ctx, of)), Some(own)) = (self.pattern_of(t, values), self.records[record].ctx) else {
                continue;
            };
            self.templates.set_instance_of(record, of);
            self.scopes.ctxs[own].parent = Some(ctx);
            self.define_instance(record, id, self.ast.decls[id].span);
        }
    }

    /// An instance of a class template without its members.
    fn declare_instance(&mut self, of: InstanceOf, id: ast::DeclId, ctx: CtxId) -> Ty {
        let (t, values) = (of.template, &of.values);
        let is_class = matches!(self.ast.decls[id].kind, DeclKind::Record(r) if r.kind == ast::RecordKind::Class);
        let name = self.templates[t].name;
        let text = self.str(name).to_string();
        let shown = format!("{text}<{}>", self.show_args_of(values));
        let component = mangle::template_name(&self.m.types, &text, &self.mangled_args(values));
        let at = self.templates[t].span;
        // Named in the template's own context, members looked up in the one with the arguments.
        let old = std::mem::replace(&mut self.scopes.ctx, ctx);
        let record = self.new_record(name, is_class, at);
        self.scopes.ctx = old;
        let q = &mut self.m.types.records[record];
        if let Some(first) = q.path.first_mut() {
            *first = component;
        }
        q.qualified = match q.qualified.rfind("::") {
            Some(i) => format!("{}::{shown}", &q.qualified[..i]),
            None => shown.clone(),
        };
        let ty = self.m.types.record(record);
        self.templates.declare_class(record, of, ty);
        ty
    }

    /// The members of an instance that is declared, if its template is defined so far.
    fn define_instance(&mut self, record: RecordId, id: ast::DeclId, span: Span) {
        let decl = self.ast.decls[id];
        let DeclKind::Record(r) = decl.kind else { return };
        if !r.defined {
            return;
        }
        self.templates.define_class(record);
        let shown = &self.m.types.records[record].qualified;
        let outer = self.steps.enter(format!("`{shown}`"), span);
        let old_class = self.nesting.enter_class();
        self.without_parts(|s| s.define_record(record, &r, decl.attrs));
        self.nesting.classes = old_class;
        self.steps.leave(outer);
        self.attach_all(record);
    }

    /// The most specialised matching specialisation, and its arguments. Of those that have no order, the one with the fewest parameters.
    pub(super) fn find_special(&mut self, t: TemplateId, values: &[ArgValue]) -> Option<(usize, Vec<ArgValue>)> {
        let mut best: Option<(usize, Vec<ArgValue>)> = None;
        for i in 0..self.templates[t].special.len() {
            let s = &self.templates[t].special[i];
            let ctx = s.ctx;
            let params = self.ast.list(s.params).to_vec();
            let args = self.ast.list(s.args).to_vec();
            if args.len() != values.len() {
                continue;
            }
            let mut bound = Bindings { exact: true, ..Bindings::default() };
            let fits = self.muted(|s| {
                s.in_ctx(ctx, |s| args.iter().zip(values).all(|(a, v)| s.unify_arg(*a, *v, &params, &mut bound)))
                    && s.computed_args_agree(ctx, &args, values, &params, &bound)
            });
            let own: Option<Vec<ArgValue>> = params.iter().map(|p| p.name.and_then(|n| bound.values.get(&n.sym).copied())).collect();
            let better = |b: &(usize, Vec<ArgValue>)| {
                self.is_more_special_class(t, i, b.0) || params.len() < b.1.len() && !self.is_more_special_class(t, b.0, i)
            };
            if let (true, Some(own)) = (fits, own)
                && best.as_ref().is_none_or(better)
            {
                best = Some((i, own));
            }
        }
        best
    }

    /// Whether arguments of a specialisation that are computed from its parameters have these values; a type that does not exist has none.
    fn computed_args_agree(
        &mut self,
        ctx: CtxId,
        args: &[TemplateArg],
        values: &[ArgValue],
        params: &[ast::TemplateParam],
        bound: &Bindings,
    ) -> bool {
        let computed: Vec<_> = args.iter().zip(values).filter(|(a, _)| self.ast.is_computed(**a, params)).collect();
        if computed.is_empty() {
            return true;
        }
        let ctx = self.scopes.param_ctx(ctx, params, bound);
        self.in_ctx(ctx, |s| computed.iter().all(|(a, v)| s.unify_arg(**a, **v, &[], &mut Bindings::default())))
    }

    // Functions ---------------------------------------------------------------------------------

    /// The instance for a call with these arguments; `None` if deduction fails. Reports nothing.
    pub fn instantiate_function(
        &mut self,
        t: TemplateId,
        explicit: Option<ast::List<TemplateArg>>,
        args: &[ExprId],
        span: Span,
    ) -> Option<FuncId> {
        let types: Vec<Ty> = args.iter().map(|&e| self.deducible(e)).collect();
        let values = self.deduce(t, explicit, &types, None)?;
        let key = (t, values);
        if let Some(i) = self.templates.instance(&key) {
            return match i {
                Instance::Func(f) => Some(f),
                Instance::Type(_) | Instance::Global(_) | Instance::Failed => None,
            };
        }
        let TemplateKind::Function(id) = self.templates[t].kind else {
            return None;
        };
        let DeclKind::Function(f) = self.ast.decls[id].kind else {
            return None;
        };
        if !self.may_instantiate(t, self.templates[t].span) {
            self.templates.set_instance(key, Instance::Failed);
            return None;
        }
        let values = key.1;
        let params = self.template_params(t);
        let bound = Bindings::of(&params, &values);
        let parent = self.templates[t].ctx;
        let ctx = self.scopes.param_ctx(parent, &params, &bound);
        self.scopes.ctxs[ctx].of = Some(t);
        let record = match self.scopes.ctxs[parent].kind {
            CtxKind::Record(r) => Some(r),
            _ => None,
        };
        // An instance with an invalid signature is no candidate (SFINAE).
        let sig = self.tried_signature(&f, ctx);
        if sig.broken {
            self.templates.set_instance((t, values), Instance::Failed);
            return None;
        }
        let name = self.templates[t].name;
        let func = self.in_ctx(ctx, |s| s.new_function(&f, name, &sig, record));
        self.make_static_as_declared(func, t);
        self.rename_instance(func, t, &values);
        let first = match self.templates[t].declared.map(|d| self.ast.decls[d.0].kind) {
            Some(DeclKind::Function(first)) => self.ast.list(first.params),
            _ => &[],
        };
        let default = |(i, p): (usize, &ast::Param)| p.default.or_else(|| first.get(i)?.default).map(|e| (e, ctx));
        let defaults = self.ast.list(f.params).iter().enumerate().map(default).collect();
        let info = &mut self.funcs[func];
        info.decl = Some((f, ctx));
        info.defaults = defaults;
        let attrs = self.ast.list(self.ast.decls[id].attrs).to_vec();
        self.in_ctx(ctx, |s| s.inline_function(func, &f, &attrs));
        let shown = self.m.funcs[func].qualified.clone();
        self.templates.set_instance((t, values), Instance::Func(func));
        let p = Pending { func, ast: f, ctx, depth: self.steps.depth + 1, instance_of: self.steps.with(format!("`{shown}`"), span) };
        self.funcs.wait_for_call(p);
        Some(func)
    }

    /// The type of an argument as template arguments are deduced from it.
    pub fn deducible(&mut self, e: ExprId) -> Ty {
        let ty = self.default_type(e);
        self.m.types.value_ty(ty)
    }

    /// A function of a template is static if the template's declaration in the class says so: the definition does not repeat it.
    fn make_static_as_declared(&mut self, func: FuncId, t: TemplateId) {
        let template = &self.templates[t];
        let first = match (template.declared, template.kind) {
            (Some((first, _)), _) | (None, TemplateKind::Function(first)) => first,
            _ => return,
        };
        if let DeclKind::Function(first) = self.ast.decls[first].kind
            && self.ast.types[first.ret].specs.contains(Specs::STATIC)
            && let Some(method) = &mut self.m.funcs[func].method
        {
            method.is_static = true;
        }
    }

    /// Adds the template arguments to the names of an instance.
    fn rename_instance(&mut self, func: FuncId, t: TemplateId, values: &[ArgValue]) {
        let text = self.str(self.templates[t].name).to_string();
        let shown = self.show_args_of(values);
        let component = mangle::template_name(&self.m.types, &text, &self.mangled_args(values));
        let old = std::mem::replace(&mut self.scopes.ctx, self.templates[t].ctx);
        let mut path = vec![component];
        path.extend(self.scope_path());
        let qualified = self.qualify(&text);
        self.scopes.ctx = old;
        let f = &self.m.funcs[func];
        let params: Vec<_> = f.params.iter().map(|p| (p.ty, p.pass)).collect();
        let method = f.method.map(|m| (m.is_static, m.is_const));
        let symbol = mangle::function(&self.m.types, &path, method, f.ret, &params);
        self.funcs[func].instance = true;
        let f = &mut self.m.funcs[func];
        f.symbol = symbol;
        f.qualified = format!("{qualified}<{shown}>");
    }

    /// Template arguments from explicit ones and the types of a call's arguments; of a specialisation, from the type of its result too.
    fn deduce(&mut self, t: TemplateId, explicit: Option<ast::List<TemplateArg>>, types: &[Ty], ret: Option<Ty>) -> Option<Vec<ArgValue>> {
        let TemplateKind::Function(id) = self.templates[t].kind else {
            return None;
        };
        let DeclKind::Function(f) = self.ast.decls[id].kind else {
            return None;
        };
        let params = self.template_params(t);
        let given = explicit.map_or(Vec::new(), |l| self.ast.list(l).to_vec());
        let fparams = self.ast.list(f.params).to_vec();
        if types.len() > fparams.len() {
            return None;
        }
        let mut bound = Bindings::default();
        self.reports.mute();
        let mut fits = given.len() <= params.len();
        bound.fixed = params.iter().take(given.len()).filter_map(|p| p.name.map(|n| n.sym)).collect();
        let ctx = self.templates[t].ctx;
        fits = fits
            && self.in_ctx(ctx, |s| {
                fparams.iter().zip(types).all(|(p, &ty)| {
                    let mut ty = ty;
                    for d in s.ast.list(p.dims).to_vec() {
                        let TyKind::Array(e, n) = s.kind(ty) else {
                            return true;
                        };
                        if let (Some(size), Some(n)) = (d.size, n) {
                            s.unify_value(size, n as i128, &params, &mut bound);
                        }
                        ty = e;
                    }
                    s.unify(p.ty, ty, &params, &mut bound)
                }) && ret.is_none_or(|ty| s.unify(f.ret, ty, &params, &mut bound))
            });
        let values = if fits { self.complete_args(t, &given, bound, None) } else { None };
        self.reports.unmute();
        values
    }
}

impl Ast {
    /// Whether the arguments are the parameters, in their order: `template <typename T> struct S<T> { … }`.
    pub(super) fn specialises_nothing(&self, args: ast::List<TemplateArg>, params: ast::List<ast::TemplateParam>) -> bool {
        let (args, params) = (self.list(args), self.list(params));
        let same = |(&a, p): (&TemplateArg, &ast::TemplateParam)| {
            let name = self.path_of(a).and_then(|path| self.simple_name(path));
            name.zip(p.name).is_some_and(|(a, b)| a.sym == b.sym)
        };
        !params.is_empty() && args.len() == params.len() && args.iter().zip(params).all(same)
    }

    /// Whether a template with the parameters `have` is an argument where `wanted` are those of the parameter. Those with defaults may be
    /// missing.
    fn same_parameters(&self, wanted: ast::List<ast::TemplateParam>, have: ast::List<ast::TemplateParam>) -> bool {
        use TemplateParamKind as K;
        let (wanted, have) = (self.list(wanted), self.list(have));
        let same = wanted.iter().zip(have).all(|(a, b)| match (a.kind, b.kind) {
            (K::Type(_), K::Type(_)) | (K::Value(..), K::Value(..)) => true,
            (K::Template(a, _), K::Template(b, _)) => self.same_parameters(a, b),
            _ => false,
        });
        let rest = have.get(wanted.len()..);
        same && rest.is_some_and(|r| r.iter().all(|p| matches!(p.kind, K::Type(Some(_)) | K::Value(_, Some(_)) | K::Template(_, Some(_)))))
    }
}

impl Scopes {
    /// A context where the parameters of `params` have the values of `bound`, inside `parent`.
    pub(super) fn param_ctx(&mut self, parent: CtxId, params: &[ast::TemplateParam], bound: &Bindings) -> CtxId {
        let mut names = FxHashMap::default();
        for p in params {
            if let Some(n) = p.name
                && let Some(v) = bound.values.get(&n.sym)
            {
                names.insert(n.sym, v.binding());
            }
        }
        let old = std::mem::replace(&mut self.ctx, parent);
        let ctx = self.add_ctx(CtxKind::Names(names));
        self.ctxs[ctx].params = true;
        self.ctx = old;
        ctx
    }
}
