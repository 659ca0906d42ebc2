//! Partial ordering of templates (C++, [temp.func.order] and [temp.class.order]): one is more specialised than another if the other's parameters can be
//! deduced from its types, and not the reverse.
//!
//! Types are compared as they are written: a parameter of the one that deduces stands for any type, one of the other for itself.

use rtc_base::Symbol;
use rustc_hash::FxHashMap;

use super::context::Sema;
use super::instance::TemplateKind;
use super::scope::TemplateId;
use crate::syntax::Ast;
use crate::syntax::ast::{self, DeclKind, TemplateArg, TypeKind};

/// What parameters stand for.
type Deduced = FxHashMap<Symbol, TemplateArg>;

impl Sema<'_> {
    /// Whether function template `a` is more specialised than `b`.
    pub(super) fn is_more_special_function(&self, a: TemplateId, b: TemplateId) -> bool {
        let (Some(x), Some(y)) = (self.parameter_types(a), self.parameter_types(b)) else {
            return false;
        };
        let (p, q) = (self.template_params(a), self.template_params(b));
        self.fits(&y, &x, &q) && !self.fits(&x, &y, &p)
    }

    /// Whether specialisation `a` of class template `t` is more specialised than `b`.
    pub(super) fn is_more_special_class(&self, t: TemplateId, a: usize, b: usize) -> bool {
        let (a, b) = (&self.templates[t].special[a], &self.templates[t].special[b]);
        let (x, y) = (self.ast.list(a.args), self.ast.list(b.args));
        self.fits(y, x, self.ast.list(b.params)) && !self.fits(x, y, self.ast.list(a.params))
    }

    /// The types of a function template's parameters, if none is an array.
    fn parameter_types(&self, t: TemplateId) -> Option<Vec<TemplateArg>> {
        let TemplateKind::Function(id) = self.templates[t].kind else { return None };
        let DeclKind::Function(f) = self.ast.decls[id].kind else { return None };
        let of = |p: &ast::Param| p.dims.is_empty().then_some(TemplateArg::Type(p.ty));
        self.ast.list(f.params).iter().map(of).collect()
    }

    /// Whether the parameters `params` of `written` can be such that it is `given`.
    fn fits(&self, written: &[TemplateArg], given: &[TemplateArg], params: &[ast::TemplateParam]) -> bool {
        let mut deduced = Deduced::default();
        written.len() == given.len() && written.iter().zip(given).all(|(&w, &g)| self.fits_one(w, g, params, &mut deduced))
    }

    /// As [`Self::fits_one`], if both are arrays: `T[N]` can be `float[N][M]`, where `T` is `float[M]`.
    fn array_fits(&self, written: TemplateArg, given: TemplateArg, params: &[ast::TemplateParam], deduced: &mut Deduced) -> Option<bool> {
        let array = |a: TemplateArg| match a {
            TemplateArg::Type(t) => match self.ast.types[t].kind {
                TypeKind::Array(inner, dims) => Some((inner, self.ast.list(dims))),
                _ => None,
            },
            TemplateArg::Expr(_) => None,
        };
        let ((inner, dims), (other, more)) = (array(written)?, array(given)?);
        if dims.len() > more.len() {
            return Some(false);
        }
        let sizes = dims.iter().zip(more).all(|(a, b)| match (a.size, b.size) {
            (Some(a), Some(b)) => self.fits_one(TemplateArg::Expr(a), TemplateArg::Expr(b), params, deduced),
            (a, b) => a.is_none() && b.is_none(),
        });
        let inner = TemplateArg::Type(inner);
        // The rest has no type of its own in the source: the whole array is its name.
        let rest = if dims.len() == more.len() { TemplateArg::Type(other) } else { given };
        let simple = self.ast.path_of(inner).and_then(|p| self.ast.simple_name(p));
        let open = simple.is_some_and(|name| params.iter().any(|p| p.name.is_some_and(|own| own.sym == name.sym)));
        Some(sizes && (dims.len() == more.len() || open) && self.fits_one(inner, rest, params, deduced))
    }

    fn fits_one(&self, written: TemplateArg, given: TemplateArg, params: &[ast::TemplateParam], deduced: &mut Deduced) -> bool {
        if let Some(fits) = self.array_fits(written, given, params, deduced) {
            return fits;
        }
        if let (Some((ret, list)), Some((other, more))) = (self.ast.function_of(written), self.ast.function_of(given)) {
            let (list, more) = (self.ast.list(list), self.ast.list(more));
            return list.len() == more.len()
                && self.fits_one(TemplateArg::Type(ret), TemplateArg::Type(other), params, deduced)
                && list.iter().zip(more).all(|(a, b)| self.parameter_fits(a, b, params, deduced));
        }
        let Some(path) = self.ast.path_of(written) else {
            return self.text_of_arg(written) == self.text_of_arg(given);
        };
        if let Some(name) = self.ast.simple_name(path)
            && params.iter().any(|p| p.name.is_some_and(|own| own.sym == name.sym))
        {
            let before = *deduced.entry(name.sym).or_insert(given);
            return self.text_of_arg(before) == self.text_of_arg(given);
        }
        let Some(other) = self.ast.path_of(given) else { return false };
        let (a, b) = (self.ast.list(self.ast.paths[path].segments), self.ast.list(self.ast.paths[other].segments));
        a.len() == b.len()
            && a.iter().zip(b).all(|(x, y)| {
                let (p, q) = (x.args.map(|l| self.ast.list(l)), y.args.map(|l| self.ast.list(l)));
                x.name.sym == y.name.sym
                    && match (p, q) {
                        (Some(p), Some(q)) => p.len() == q.len() && p.iter().zip(q).all(|(&w, &g)| self.fits_one(w, g, params, deduced)),
                        (p, q) => p.is_none() && q.is_none(),
                    }
            })
    }

    /// As [`Self::fits_one`], for parameters of types of functions: `A` can be `B[N]`, and not the reverse.
    fn parameter_fits(&self, written: &ast::Param, given: &ast::Param, params: &[ast::TemplateParam], deduced: &mut Deduced) -> bool {
        let passing = |p: &ast::Param| super::function::passing(self.ast.types[p.ty].specs);
        let (dims, more) = (self.ast.list(written.dims), self.ast.list(given.dims));
        if passing(written) != passing(given) || dims.len() > more.len() {
            return false;
        }
        let sizes = dims.iter().zip(more).all(|(a, b)| match (a.size, b.size) {
            (Some(a), Some(b)) => self.fits_one(TemplateArg::Expr(a), TemplateArg::Expr(b), params, deduced),
            (a, b) => a.is_none() && b.is_none(),
        });
        let (inner, other) = (TemplateArg::Type(written.ty), TemplateArg::Type(given.ty));
        if !sizes || dims.len() == more.len() {
            return sizes && self.fits_one(inner, other, params, deduced);
        }
        // The rest is an array without a type of its own in the source, so it is equal to nothing else that was deduced.
        let name = self.ast.path_of(inner).and_then(|p| self.ast.simple_name(p));
        let open = name.filter(|name| params.iter().any(|p| p.name.is_some_and(|own| own.sym == name.sym)));
        open.is_some_and(|name| deduced.insert(name.sym, other).is_none())
    }

    fn text_of_arg(&self, arg: TemplateArg) -> String {
        let text = match arg {
            TemplateArg::Type(t) => self.sources.snippet(self.ast.types[t].span),
            TemplateArg::Expr(e) => self.sources.snippet(self.ast.exprs[e].span),
        };
        text.split_whitespace().collect()
    }
}

impl Ast {
    /// Result and parameters of a type of functions.
    fn function_of(&self, arg: TemplateArg) -> Option<(ast::TypeId, ast::List<ast::Param>)> {
        match arg {
            TemplateArg::Type(t) => match self.types[t].kind {
                TypeKind::Function(ret, params) => Some((ret, params)),
                _ => None,
            },
            TemplateArg::Expr(_) => None,
        }
    }

    /// The name that an argument is, with its own arguments.
    pub(super) fn path_of(&self, arg: TemplateArg) -> Option<ast::PathId> {
        match arg {
            TemplateArg::Type(t) => match self.types[t].kind {
                TypeKind::Named(p) => Some(p),
                _ => None,
            },
            TemplateArg::Expr(e) => match self.exprs[e].kind {
                ast::ExprKind::Path(p) => Some(p),
                _ => None,
            },
        }
    }
}
