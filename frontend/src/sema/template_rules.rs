//! Rules for templates that hold whether something uses them or not: parameters, redefinitions, types that HLSL does not have.

use rtc_base::Span;

use super::context::Sema;
use super::errors::{names as err_names, types as err};
use super::instance::{Specialisation, TemplateKind};
use super::scope::{Overload, SetId, TemplateId};
use crate::hir::{Ty, TyKind};
use crate::syntax::ast::{self, DeclKind, Specs, TemplateParamKind, TypeKind};

impl Sema<'_> {
    /// Reports template parameters of one name, and values of types that are no integers.
    pub(super) fn check_template_parameters(&mut self, params: ast::List<ast::TemplateParam>) {
        let params = self.ast.list(params).to_vec();
        for (i, p) in params.iter().enumerate() {
            let same = |q: &&ast::TemplateParam| q.name.zip(p.name).is_some_and(|(a, b)| a.sym == b.sym);
            if let (Some(name), Some(first)) = (p.name, params[..i].iter().find(same)) {
                let text = self.str(name.sym).to_string();
                self.report(err_names::redefined(name.span, &text, first.span));
            }
            let TemplateParamKind::Value(ty, _) = p.kind else { continue };
            if self.depends_on(ty, &params) {
                continue;
            }
            let found = self.type_of(ty);
            let integer = match self.kind(found) {
                TyKind::Scalar(s) => !s.is_float(),
                kind => matches!(kind, TyKind::Enum(_) | TyKind::Error),
            };
            if !integer {
                let text = self.show(found);
                let span = self.ast.types[ty].span;
                self.report(err::extension(span, &format!("template parameters of type `{text}`")));
            }
        }
    }

    /// Whether a type names a template parameter, of these or of templates around them.
    fn depends_on(&mut self, ty: ast::TypeId, params: &[ast::TemplateParam]) -> bool {
        let TypeKind::Named(path) = self.ast.types[ty].kind else { return false };
        self.ast.list(self.ast.paths[path].segments).to_vec().iter().any(|s| {
            let own = params.iter().any(|p| p.name.is_some_and(|n| n.sym == s.name.sym));
            let known = self.lookup(s.name.sym).is_some() || rtc_tables::types::numeric(self.str(s.name.sym)).is_some();
            own || s.args.is_some() || !known
        })
    }

    /// Reports names in a template that hide its parameters (C++, [temp.local]).
    pub(super) fn check_hidden_parameters(&mut self, params: ast::List<ast::TemplateParam>, names: &[ast::Name]) {
        for &name in names {
            let hides = |p: &&ast::TemplateParam| p.name.is_some_and(|n| n.sym == name.sym);
            if let Some(p) = self.ast.list(params).iter().find(hides) {
                let (text, at) = (self.str(name.sym).to_string(), p.span);
                self.report(err::hides_template_parameter(name.span, &text, at));
            }
        }
    }

    /// Warns of a type that is named as a member of a template's parameter without `typename` (C++, [temp.res]). What is derived from needs none.
    pub(super) fn warn_of_missing_typename(&mut self, path: ast::PathId) {
        let p = self.ast.paths[path];
        let Some(&first) = self.ast.list(p.segments).first() else { return };
        if p.global || !self.scopes.is_template_parameter(first.name.sym) || self.reports.is_muted() {
            return;
        }
        let said = self.text_before(p.span).is_none_or(|before| {
            let base = before.ends_with(':') || before.ends_with("public") || before.ends_with(',');
            base || ["typename", "template"].iter().any(|word| before.ends_with(word))
        });
        if !said && self.reports.is_first(("typename", p.span)) {
            self.report(err::extension(p.span, "types of dependent classes without `typename`"));
        }
    }

    /// Warns of template arguments after the name of a member of `object` without `template`, if the type of that depends on parameters of a
    /// template (C++, [temp.names]).
    pub(super) fn warn_of_missing_template(&mut self, object: ast::ExprId, member: ast::Name) {
        let ast::ExprKind::Path(path) = self.ast.exprs[object].kind else { return };
        let (Some(name), Some(f)) = (self.ast.simple_name(path), self.f.func) else { return };
        let params = self.funcs[f].decl.map_or(ast::List::EMPTY, |d| d.0.params);
        let Some(p) = self.ast.list(params).iter().find(|p| p.name.is_some_and(|own| own.sym == name.sym)).copied() else { return };
        let said = self.text_before(member.span).is_none_or(|before| !before.ends_with('.'));
        if !said && !self.reports.is_muted() && self.depends(p.ty) && self.reports.is_first(("template", member.span)) {
            self.report(err::extension(member.span, "templates in dependent classes without `template`"));
        }
    }

    /// Reports pointers and references in the declaration of a template's function.
    pub(super) fn check_indirect_signature(&mut self, f: &ast::Function) {
        self.check_indirect(f.ret);
        for p in self.ast.list(f.params).to_vec() {
            self.check_indirect(p.ty);
        }
    }

    /// Reports pointers and references in the members of a class template, and members that hide its parameters.
    pub(super) fn check_members_of_template(&mut self, r: &ast::Record, params: ast::List<ast::TemplateParam>) {
        let mut names = Vec::new();
        for d in self.ast.list(r.members).to_vec() {
            match self.ast.decls[d].kind {
                DeclKind::Var(v) => {
                    self.check_indirect(v.ty);
                    names.extend(v.name);
                }
                DeclKind::Function(f) => {
                    self.check_indirect_signature(&f);
                    names.extend(self.ast.list(f.params).iter().filter_map(|p| p.name));
                    names.extend(match f.name {
                        ast::FnName::Ident(n) => Some(n),
                        _ => None,
                    });
                }
                DeclKind::Alias { name, .. } => names.push(name),
                _ => {}
            }
        }
        self.check_hidden_parameters(params, &names);
    }

    /// Reports arguments of a specialisation that no specialisation can have: pointers, and numbers that are computed from its parameters
    /// (C++, [temp.class.spec]).
    pub(super) fn check_specialised_arguments(&mut self, args: ast::List<ast::TemplateArg>, params: ast::List<ast::TemplateParam>) {
        let params = self.ast.list(params).to_vec();
        for a in self.ast.list(args).to_vec() {
            match a {
                ast::TemplateArg::Type(ty) => self.check_indirect(ty),
                ast::TemplateArg::Expr(_) if self.ast.is_computed(a, &params) && self.ast.path_of(a).is_none() => {
                    self.report(err::computed_argument(self.ast.span_of_arg(a)));
                }
                ast::TemplateArg::Expr(_) => {}
            }
        }
    }

    /// Reports a pointer or reference.
    pub(super) fn check_indirect(&mut self, ty: ast::TypeId) {
        if let ast::Type { kind: TypeKind::Indirect(_, reference), span, .. } = self.ast.types[ty] {
            self.report_indirect(span, reference);
        }
    }

    pub(super) fn report_indirect(&mut self, span: Span, reference: bool) -> Ty {
        self.report(err::not_in_hlsl(span, if reference { "references" } else { "pointers" }));
        Ty::ERROR
    }

    /// The specialisation of a class template for the same arguments, as they are written.
    pub(super) fn same_specialisation(
        &self,
        t: TemplateId,
        args: ast::List<ast::TemplateArg>,
        params: ast::List<ast::TemplateParam>,
    ) -> Option<usize> {
        let spelled = |args| self.ast.list(args).iter().all(|&a| !self.ast.span_of_arg(a).lo.is_expanded());
        let written = |args, params| self.written_args(args, self.ast.list(params));
        let expected = written(args, params);
        let same = |s: &Specialisation| s.params.len() == params.len() && spelled(s.args) && written(s.args, s.params) == expected;
        if spelled(args) { self.templates[t].special.iter().position(same) } else { None }
    }

    /// Where a function template with a body is defined that `f` defines again.
    pub(super) fn defined_before(&self, set: SetId, f: &ast::Function, params: ast::List<ast::TemplateParam>) -> Option<Span> {
        f.body?;
        let expected = self.whole_signature(f, params)?;
        self.scopes[set].iter().find_map(|o| {
            let Overload::Template(t) = *o else { return None };
            let TemplateKind::Function(d) = self.templates[t].kind else { return None };
            let DeclKind::Function(old) = self.ast.decls[d].kind else { return None };
            let same = old.body.is_some() && self.whole_signature(&old, self.templates[t].params).is_some_and(|s| s == expected);
            same.then_some(self.templates[t].span)
        })
    }

    /// All that makes two function templates different: their template parameters, result and parameters, as they are written. None where a
    /// macro wrote them: its text says less than what it becomes.
    fn whole_signature(&self, f: &ast::Function, params: ast::List<ast::TemplateParam>) -> Option<Vec<String>> {
        let own = self.ast.list(params);
        let mut spans = own.iter().map(|p| p.span).chain(self.ast.list(f.params).iter().map(|p| p.span));
        if f.name.span().lo.is_expanded() || self.ast.types[f.ret].span.lo.is_expanded() || spans.any(|s| s.lo.is_expanded()) {
            return None;
        }
        let name = |p: &ast::TemplateParam| p.name.map_or(Span::NONE, |n| n.span);
        let mut out: Vec<String> = own.iter().map(|p| self.written_without(p.span, name(p), own)).collect();
        out.push(format!("{} {}", self.written(self.ast.types[f.ret].span, own), f.is_const));
        for p in self.ast.list(f.params) {
            let passing = self.ast.types[p.ty].specs & Specs::PASSING;
            let dims = self.ast.list(p.dims).iter().map(|d| d.size.map_or(String::new(), |e| self.written(self.ast.exprs[e].span, own)));
            out.push(format!("{} {passing:?} {:?}", self.written(self.ast.types[p.ty].span, own), dims.collect::<Vec<_>>()));
        }
        Some(out)
    }

    /// As [`Sema::written`], without the text at `name`.
    fn written_without(&self, span: Span, name: Span, params: &[ast::TemplateParam]) -> String {
        let whole = self.written(span, params);
        if name.is_none() { whole } else { whole.replacen(&self.written(name, params), "", 1) }
    }
}
