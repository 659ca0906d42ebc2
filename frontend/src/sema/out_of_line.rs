//! Definitions of members outside of their class: `void S::f() { … }`, `template <typename T> T S<T>::zero = 0;`.
//!
//! The scopes before the name are walked from the outside in. A class takes the definition at once. A class template stores it, and each
//! instance takes it in its own context, where the parameters of the definition are the instance's arguments.

use rtc_base::{Span, Symbol};
use rustc_hash::FxHashMap;

use super::context::Sema;
use super::errors::{names as err_names, types as err};
use super::instance::{ArgValue, OutOfLine, TemplateKind};
use super::scope::{Binding, CtxId, CtxKind, GLOBAL, Overload, Qualifier, SetId, TemplateId, Wanted};
use crate::hir::{RecordId, TyKind};
use crate::syntax::Ast;
use crate::syntax::ast::{self, DeclKind, TemplateArg, TemplateParamKind};

impl Sema<'_> {
    /// Reports a declaration with more lists of template parameters than its name has templates.
    pub fn check_headers(&mut self, id: ast::DeclId, span: Span) -> bool {
        let fits = self.ast.decls[id].outer.is_empty();
        if !fits {
            self.report(err::template_headers(span));
        }
        fits
    }

    /// A definition whose name has scopes before it.
    pub fn outside_decl(&mut self, id: ast::DeclId) {
        let ctx = self.scopes.ctx;
        self.walk_scopes(OutOfLine { decl: id, scopes: 0, headers: 0 }, ctx, false);
    }

    /// Defines the member in `ctx`, which is the scope that the walk has reached; `explicit` says that it is for one instance.
    pub fn walk_scopes(&mut self, o: OutOfLine, mut ctx: CtxId, mut explicit: bool) {
        let d = self.ast.decls[o.decl];
        let Some((path, count)) = self.ast.scopes_before(d.kind) else {
            return;
        };
        let headers = self.ast.headers(o.decl);
        let mut used = o.headers;
        let segments = self.ast.list(self.ast.paths[path].segments).to_vec();
        for (i, s) in segments.iter().enumerate().take(count).skip(o.scopes) {
            let qualifier = match i {
                0 => self.ast.paths[path].global.then_some(Qualifier::Namespace(GLOBAL)),
                _ => self.qualifier_of(ctx),
            };
            let found = self.lookup_scope(qualifier, s.name.sym);
            found.into_iter().for_each(|f| self.note_use(s.name, f));
            let found = found.map(|f| f.binding);
            let ty = match (found, s.args) {
                (Some(Binding::Namespace(ns)), _) => {
                    ctx = self.scopes.ctx_of(ns);
                    continue;
                }
                (Some(Binding::Type(t)), None) => t,
                (Some(Binding::Template(t)), Some(args)) => match headers.get(used) {
                    Some(header) if !header.is_empty() => {
                        let own = OutOfLine { decl: o.decl, scopes: i + 1, headers: used + 1 };
                        return self.add_to_template(t, own, *header, args, s.name.span);
                    }
                    header => {
                        used += usize::from(header.is_some());
                        explicit = true;
                        match self.instantiate_type(t, args, s.name.span) {
                            Some(ty) => ty,
                            None => return,
                        }
                    }
                },
                (Some(Binding::Template(_)), None) => return self.report(err::template_outside(s.name.span)),
                (Some(Binding::Error), _) => return,
                (None, _) => {
                    let report = match qualifier {
                        None => return self.report_undeclared(s.name, Wanted::Scope),
                        Some(q) => self.not_inside(q, s.name),
                    };
                    return self.report(report);
                }
                _ => {
                    let text = self.str(s.name.sym).to_string();
                    return self.report(err_names::no_scope(s.name.span, &text));
                }
            };
            // A class of an instance that nothing uses yet takes it later.
            let rest = OutOfLine { decl: o.decl, scopes: i + 1, headers: used };
            if self.steps.instance.is_some() && !explicit && self.late.wait_with(ty, rest) {
                return;
            }
            self.complete(ty);
            ctx = match self.kind(ty) {
                TyKind::Error => return,
                TyKind::Record(r) if let Some(ctx) = self.records[r].ctx => ctx,
                _ => {
                    let text = self.show(ty);
                    return self.report(err_names::no_scope(s.name.span, &text));
                }
            };
        }
        let own = match headers.get(used..) {
            None | Some([]) => None,
            Some([one]) => Some(*one),
            Some(_) => return self.report(err::template_headers(d.span)),
        };
        // A definition may be taken while a function is checked that names an instance for the first time.
        let state = std::mem::take(&mut self.f);
        self.in_ctx(ctx, |s| s.define_member(o.decl, own, explicit));
        self.f = state;
    }

    fn qualifier_of(&self, ctx: CtxId) -> Option<Qualifier> {
        match self.scopes.ctxs[ctx].kind {
            CtxKind::Namespace(ns) => Some(Qualifier::Namespace(ns)),
            CtxKind::Record(r) => self.m.types.find(TyKind::Record(r)).map(Qualifier::Type),
            CtxKind::Names(_) => None,
        }
    }

    /// Defines a member in the current context; `own` are the parameters of a member template.
    fn define_member(&mut self, id: ast::DeclId, own: Option<ast::List<ast::TemplateParam>>, explicit: bool) {
        let d = self.ast.decls[id];
        let in_record = matches!(self.scopes.ctxs[self.scopes.ctx].kind, CtxKind::Record(_));
        match d.kind {
            DeclKind::Function(f) => {
                let name = self.function_name(&f.name);
                if in_record && self.declared_here(name).is_none() {
                    let text = self.str(name).to_string();
                    return self.report(err_names::not_declared_inside(f.name.span(), &text));
                }
                let within = ast::Function { scope: None, ..f };
                match own {
                    Some(params) if params.is_empty() || f.args.is_some() => self.function_specialisation(&within),
                    Some(params) => {
                        if explicit {
                            self.replace_general_template(name, &within, params);
                        }
                        self.function_template(id, &within, params, in_record);
                    }
                    None => {
                        if explicit {
                            self.replace_general(name, &within);
                        }
                        self.declare_function(&within, d.attrs);
                    }
                }
            }
            DeclKind::Var(v) => match (v.name, own) {
                (Some(name), None) => self.define_static(&v, name, explicit),
                (_, Some(_)) => self.report(err::template_outside(d.span)),
                (None, None) => {}
            },
            DeclKind::Record(r) => {
                let Some(&last) = r.name.and_then(|p| self.ast.list(self.ast.paths[p].segments).last()) else {
                    return;
                };
                if in_record && self.declared_here(last.name.sym).is_none() {
                    let text = self.str(last.name.sym).to_string();
                    return self.report(err_names::not_declared_inside(last.name.span, &text));
                }
                match own {
                    Some(params) if last.args.is_some() => self.record_specialisation(id, &r, params),
                    Some(params) if !params.is_empty() => self.record_template(id, &r, params),
                    _ => {
                        self.plain_record(id, &r);
                    }
                }
            }
            _ => {}
        }
    }

    /// `template <> int S<int>::f() { … }` replaces the general definition, whose body is not checked yet.
    fn replace_general(&mut self, name: Symbol, f: &ast::Function) {
        let Some((Binding::Functions(set), _)) = self.declared_here(name) else {
            return;
        };
        for i in 0..self.scopes[set].len() {
            if let Overload::Func(g) = self.scopes[set][i]
                && self.funcs.is_unchecked(g)
                && self.m.funcs[g].params.len() == f.params.len()
            {
                self.funcs.forget_unchecked(g);
                self.funcs[g].defined = false;
            }
        }
    }

    /// `template <> template <typename U> U S<int>::f(U x) { … }` replaces the general definition.
    fn replace_general_template(&mut self, name: Symbol, f: &ast::Function, params: ast::List<ast::TemplateParam>) {
        let Some((Binding::Functions(set), _)) = self.declared_here(name) else {
            return;
        };
        let wanted = self.written_signature(f, params);
        let mut list = std::mem::take(&mut self.scopes[set]);
        list.retain(|o| match *o {
            Overload::Template(t) => self.signature_of(t).is_none_or(|(old, own)| self.written_signature(&old, own) != wanted),
            Overload::Func(_) => true,
        });
        self.scopes[set] = list;
    }

    // Class templates ---------------------------------------------------------------------------

    /// A definition of a member of class template `t`, or of its partial specialisation for `args`.
    fn add_to_template(
        &mut self,
        t: TemplateId,
        o: OutOfLine,
        header: ast::List<ast::TemplateParam>,
        args: ast::List<TemplateArg>,
        span: Span,
    ) {
        let params = self.ast.list(header).to_vec();
        let special = if self.ast.are_parameters(args, &params) {
            if params.len() != self.templates[t].params.len() {
                return self.report(err::template_outside(span));
            }
            None
        } else {
            match self.special_of(t, args, &params) {
                Some(i) => Some(i),
                None => return self.report(err::template_outside(span)),
            }
        };
        match special {
            None => self.templates[t].outside.push((o, header)),
            Some(i) => self.templates[t].special[i].outside.push((o, header)),
        }
        let mut known: Vec<(RecordId, Vec<ArgValue>)> =
            self.templates.classes_of(t).filter(|(_, i)| i.special == special).map(|(r, i)| (r, i.own.clone())).collect();
        known.sort_by_key(|k| k.0);
        for (record, values) in known {
            self.attach(record, &values, o, header);
        }
    }

    /// The partial specialisation whose arguments are written like these.
    fn special_of(&self, t: TemplateId, args: ast::List<TemplateArg>, params: &[ast::TemplateParam]) -> Option<usize> {
        let wanted = self.written_args(args, params);
        self.templates[t].special.iter().position(|s| {
            let own = self.ast.list(s.params);
            own.len() == params.len() && self.written_args(s.args, own) == wanted
        })
    }

    pub(super) fn written_args(&self, args: ast::List<TemplateArg>, params: &[ast::TemplateParam]) -> Vec<String> {
        self.ast.list(args).iter().map(|&a| self.written(self.ast.span_of_arg(a), params)).collect()
    }

    /// The source text at `span` without white space, with template parameters by their number.
    pub fn written(&self, span: Span, params: &[ast::TemplateParam]) -> String {
        let text = self.sources.snippet(span);
        let mut out = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$') || rtc_tables::identifiers::may_continue(c);
            let end = if word(c) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { c.len_utf8() };
            let (token, after) = rest.split_at(end);
            match params.iter().position(|p| p.name.is_some_and(|n| self.str(n.sym) == token)) {
                Some(i) => out.push_str(&format!("#{i} ")),
                None if token.trim().is_empty() => {}
                None => {
                    out.push_str(token);
                    out.push(' ');
                }
            }
            rest = after;
        }
        out
    }

    /// Adds the out-of-line definitions to a new instance.
    pub fn attach_all(&mut self, record: RecordId) {
        let Some(i) = self.templates.instance_of(record).cloned() else {
            return;
        };
        // More may be added meanwhile; those find this instance themselves.
        let list = match i.special {
            None => self.templates[i.template].outside.clone(),
            Some(s) => self.templates[i.template].special[s].outside.clone(),
        };
        for (o, header) in list {
            self.attach(record, &i.own, o, header);
        }
    }

    fn attach(&mut self, record: RecordId, values: &[ArgValue], o: OutOfLine, header: ast::List<ast::TemplateParam>) {
        let Some(ctx) = self.records[record].ctx else {
            return;
        };
        // Parameter names of its own are in a context between the class and the enclosing one.
        let mut names: FxHashMap<Symbol, Binding> = FxHashMap::default();
        for (p, v) in self.ast.list(header).iter().zip(values) {
            if let Some(n) = p.name {
                names.insert(n.sym, v.binding());
            }
        }
        let parent = self.scopes.ctxs[ctx].parent;
        let same = |map: &FxHashMap<Symbol, Binding>| names.iter().all(|(n, b)| map.get(n) == Some(b));
        let known = parent.is_some_and(|p| matches!(&self.scopes.ctxs[p].kind, CtxKind::Names(map) if same(map)));
        if !known {
            let around = self.scopes.add_ctx(CtxKind::Names(names));
            self.scopes.ctxs[around].params = true;
            self.scopes.ctxs[around].parent = parent;
            self.scopes.ctxs[ctx].parent = Some(around);
        }
        let span = self.ast.decls[o.decl].span;
        let shown = format!("`{}`", self.m.types.records[record].qualified);
        let old = self.steps.instance.replace((shown, span));
        self.walk_scopes(o, ctx, false);
        self.steps.instance = old;
    }

    /// The function of a template, and its template parameters.
    pub fn signature_of(&self, t: TemplateId) -> Option<(ast::Function, ast::List<ast::TemplateParam>)> {
        let TemplateKind::Function(d) = self.templates[t].kind else {
            return None;
        };
        match self.ast.decls[d].kind {
            DeclKind::Function(f) => Some((f, self.templates[t].params)),
            _ => None,
        }
    }

    /// The types of a function template as they are written: of its template parameters, its result and its parameters.
    fn written_signature(&self, f: &ast::Function, params: ast::List<ast::TemplateParam>) -> WrittenSignature {
        let own = self.ast.list(params);
        WrittenSignature {
            kinds: own.iter().map(|p| std::mem::discriminant(&p.kind)).collect(),
            ret: self.written(self.ast.types[f.ret].span, own),
            params: self.ast.list(f.params).iter().map(|p| self.written(self.ast.types[p.ty].span, own)).collect(),
        }
    }

    /// A function template in the current scope that this declares again, or whose declaration this definition completes.
    pub fn declared_template(
        &self,
        set: SetId,
        f: &ast::Function,
        params: ast::List<ast::TemplateParam>,
        outside: bool,
    ) -> Option<TemplateId> {
        let wanted = self.written_signature(f, params);
        let mut open = Vec::new();
        for o in &self.scopes[set] {
            let Overload::Template(t) = *o else {
                continue;
            };
            let Some((old, own)) = self.signature_of(t).filter(|(old, _)| old.body.is_none() || f.body.is_none()) else {
                continue;
            };
            let found = self.written_signature(&old, own);
            if found == wanted {
                return Some(t);
            }
            if old.body.is_none() && found.kinds == wanted.kinds && found.params.len() == wanted.params.len() {
                open.push((t, found.params == wanted.params));
            }
        }
        // Outside, types may be written in another way: `S<T>::In` for `In`.
        match open[..] {
            [(t, _)] if outside => Some(t),
            _ if outside => open.iter().find(|o| o.1).map(|o| o.0),
            _ => None,
        }
    }
}

impl Ast {
    /// The scopes before the name of a declaration; `None` if there are none.
    pub(crate) fn scopes_before(&self, kind: DeclKind) -> Option<(ast::PathId, usize)> {
        let (path, count) = match kind {
            DeclKind::Function(f) => f.scope.map(|p| (p, self.paths[p].segments.len()))?,
            DeclKind::Var(v) => v.scope.map(|p| (p, self.paths[p].segments.len()))?,
            DeclKind::Record(r) => r.name.map(|p| (p, self.paths[p].segments.len().saturating_sub(1)))?,
            _ => return None,
        };
        (count > 0).then_some((path, count))
    }

    /// The lists of template parameters before a declaration, outermost first.
    fn headers(&self, id: ast::DeclId) -> Vec<ast::List<ast::TemplateParam>> {
        let d = self.decls[id];
        self.list(d.outer).iter().copied().chain(d.template).collect()
    }

    /// Whether `S<T, N>` names the parameters themselves, in order.
    fn are_parameters(&self, args: ast::List<TemplateArg>, params: &[ast::TemplateParam]) -> bool {
        let args = self.list(args);
        args.len() == params.len()
            && args.iter().zip(params).all(|(a, p)| p.name.is_some_and(|n| self.named_alone(*a).is_some_and(|m| m.sym == n.sym)))
    }

    /// The name that a template argument consists of.
    fn named_alone(&self, a: TemplateArg) -> Option<ast::Name> {
        let path = match a {
            TemplateArg::Type(t) => match self.types[t].kind {
                ast::TypeKind::Named(p) => p,
                _ => return None,
            },
            TemplateArg::Expr(e) => match self.exprs[e].kind {
                ast::ExprKind::Path(p) => p,
                _ => return None,
            },
        };
        self.simple_name(path)
    }

    pub(super) fn span_of_arg(&self, a: TemplateArg) -> Span {
        match a {
            TemplateArg::Type(t) => self.types[t].span,
            TemplateArg::Expr(e) => self.exprs[e].span,
        }
    }
}

/// See [`Sema::written_signature`].
#[derive(PartialEq)]
struct WrittenSignature {
    kinds: Vec<std::mem::Discriminant<TemplateParamKind>>,
    ret: String,
    params: Vec<String>,
}
