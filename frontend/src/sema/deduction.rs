//! Template argument deduction: unification of a parameter's declared type with an argument's type.

use rtc_base::Symbol;

use super::context::Sema;
use super::instance::{ArgValue, TemplateKind};
use super::scope::{Binding, TemplateId};
use super::template::Bindings;
use crate::hir::inline::SpirvTypeOperand;
use crate::hir::{Const, Pass, Scalar, SpirvTypeId, Ty, TyKind};
use crate::syntax::Ast;
use crate::syntax::ast::{self, TemplateArg, TemplateParamKind, TypeKind};

impl Sema<'_> {
    /// Deduces the template parameters in a declared type from an actual type. False if two deductions of a parameter conflict;
    /// types without template parameters are not compared.
    pub fn unify(&mut self, written: ast::TypeId, ty: Ty, params: &[ast::TemplateParam], bound: &mut Bindings) -> bool {
        if let TypeKind::Array(inner, dims) = self.ast.types[written].kind {
            return self.unify_array(inner, dims, ty, params, bound);
        }
        if let TypeKind::Function(ret, list) = self.ast.types[written].kind {
            return self.unify_function(ret, list, ty, params, bound);
        }
        let TypeKind::Named(path) = self.ast.types[written].kind else {
            return true;
        };
        let segments = self.ast.list(self.ast.paths[path].segments).to_vec();
        let Some(&last) = segments.last() else {
            return true;
        };
        if segments.len() == 1 && last.args.is_none() {
            let is_param = |p: &&ast::TemplateParam| p.name.is_some_and(|n| n.sym == last.name.sym);
            if params.iter().any(|p| is_param(&p) && matches!(p.kind, TemplateParamKind::Type(_))) {
                return bind(bound, last.name.sym, ArgValue::Type(ty));
            }
            return true;
        }
        let Some(args) = last.args else {
            return true;
        };
        let args = self.ast.list(args).to_vec();
        let is_template =
            |p: &ast::TemplateParam| matches!(p.kind, TemplateParamKind::Template(..)) && p.name.is_some_and(|n| n.sym == last.name.sym);
        if segments.len() == 1 && params.iter().any(is_template) {
            // `C<T>`, where `C` is deduced too.
            let TyKind::Record(r) = self.kind(ty) else {
                return false;
            };
            let Some(i) = self.templates.instance_of(r).cloned() else {
                return false;
            };
            let same = bind(bound, last.name.sym, ArgValue::Template(i.template));
            return same && args.iter().zip(i.values).all(|(&a, v)| self.unify_arg(a, v, params, bound));
        }
        let qualifier = if segments.len() > 1 { self.path_qualifier(path) } else { None };
        let found = self.lookup_segment(qualifier, last.name.sym).map(|f| f.binding);
        if let Some(Binding::Template(t)) = found
            && let TemplateKind::Alias(target) = self.templates[t].kind
        {
            return self.unify_alias(t, target, &args, ty, params, bound);
        }
        let text = self.str(last.name.sym).to_string();
        let parts: Vec<ArgValue> = match self.kind(ty) {
            TyKind::Scalar(s) if text == "vector" && !bound.exact => {
                vec![ArgValue::Type(Ty::scalar(s)), ArgValue::Value(Ty::INT, 1)]
            }
            TyKind::Vector(s, n) if text == "vector" => {
                vec![ArgValue::Type(Ty::scalar(s)), ArgValue::Value(Ty::INT, n as u64)]
            }
            TyKind::Matrix { scalar, rows, cols, .. } if text == "matrix" => {
                vec![ArgValue::Type(Ty::scalar(scalar)), ArgValue::Value(Ty::INT, rows as u64), ArgValue::Value(Ty::INT, cols as u64)]
            }
            TyKind::Resource(r) if r.object.info().name == text => r.elem.map(ArgValue::Type).into_iter().collect(),
            TyKind::Spirv(id) if text.starts_with("Spirv") => return self.unify_spirv(&args, id, params, bound),
            TyKind::BufferPointer(pointee, align) if text == "BufferPointer" => {
                vec![ArgValue::Type(pointee), ArgValue::Value(Ty::UINT, align.into())]
            }
            TyKind::RayQuery { flags, query_flags } if text == "RayQuery" => {
                // Omitted arguments are zero.
                if args.len() < 2 && query_flags != 0 {
                    return false;
                }
                vec![ArgValue::Value(Ty::UINT, flags.into()), ArgValue::Value(Ty::UINT, query_flags.into())]
            }
            TyKind::Record(r) => match (self.templates.instance_of(r), found) {
                (Some(i), Some(Binding::Template(u))) if i.template == u => i.values.clone(),
                _ => return false,
            },
            _ => return !self.ast.mentions(&args, params),
        };
        args.iter().zip(parts).all(|(&a, v)| self.unify_arg(a, v, params, bound))
    }

    /// As [`Sema::unify`] for an array: `T[N]`.
    fn unify_array(
        &mut self,
        inner: ast::TypeId,
        dims: ast::List<ast::ArrayDim>,
        ty: Ty,
        params: &[ast::TemplateParam],
        bound: &mut Bindings,
    ) -> bool {
        let mut at = ty;
        for d in self.ast.list(dims).to_vec() {
            let TyKind::Array(elem, have) = self.kind(at) else { return false };
            let fits = match (d.size, have) {
                (Some(size), Some(n)) => self.unify_value(size, n.into(), params, bound),
                (size, n) => size.is_none() && n.is_none(),
            };
            if !fits {
                return false;
            }
            at = elem;
        }
        self.unify(inner, at, params, bound)
    }

    /// As [`Sema::unify`] for a type of functions: `R(A, inout B)`.
    fn unify_function(
        &mut self,
        ret: ast::TypeId,
        list: ast::List<ast::Param>,
        ty: Ty,
        params: &[ast::TemplateParam],
        bound: &mut Bindings,
    ) -> bool {
        let TyKind::Function(id) = self.kind(ty) else { return false };
        let have = self.m.types.functions[id].clone();
        let list = self.ast.list(list).to_vec();
        list.len() == have.params.len()
            && self.unify_arg(TemplateArg::Type(ret), ArgValue::Type(have.ret), params, bound)
            && list.iter().zip(have.params).all(|(p, (ty, pass))| {
                let same = super::function::passing(self.ast.types[p.ty].specs) == pass || pass == Pass::Ref;
                same && match p.dims.is_empty() {
                    true => self.unify_arg(TemplateArg::Type(p.ty), ArgValue::Type(ty), params, bound),
                    false => self.unify_array(p.ty, p.dims, ty, params, bound),
                }
            })
    }

    /// As [`Sema::unify`] for an alias template: its own parameters are deduced first, then those in its arguments.
    fn unify_alias(
        &mut self,
        t: TemplateId,
        target: ast::TypeId,
        args: &[TemplateArg],
        ty: Ty,
        params: &[ast::TemplateParam],
        bound: &mut Bindings,
    ) -> bool {
        if self.steps.depth >= super::template::MAX_DEPTH {
            return false;
        }
        let own = self.template_params(t);
        let ctx = self.templates[t].ctx;
        let mut inner = Bindings::default();
        self.steps.depth += 1;
        let fits = self.in_ctx(ctx, |s| s.unify(target, ty, &own, &mut inner));
        self.steps.depth -= 1;
        fits && own.iter().zip(args).all(|(p, &a)| match p.name.and_then(|n| inner.values.get(&n.sym)) {
            Some(&v) => self.unify_arg(a, v, params, bound),
            None => true,
        })
    }

    /// As [`Sema::unify`] for a type of SPIR-V: the types among its operands.
    fn unify_spirv(&mut self, args: &[TemplateArg], id: SpirvTypeId, params: &[ast::TemplateParam], bound: &mut Bindings) -> bool {
        let data = &self.m.types.spirv[id];
        // Sizes come before the operands of `SpirvType`.
        let Some(first) = args.len().checked_sub(data.operands.len()) else {
            return false;
        };
        let types: Vec<(usize, Ty)> = data
            .operands
            .iter()
            .enumerate()
            .filter_map(|(i, o)| match *o {
                SpirvTypeOperand::Type(t) => Some((first + i, t)),
                _ => None,
            })
            .collect();
        types.into_iter().all(|(i, t)| self.unify_arg(args[i], ArgValue::Type(t), params, bound))
    }

    /// As [`Sema::unify`], for a template argument.
    pub fn unify_arg(&mut self, written: TemplateArg, v: ArgValue, params: &[ast::TemplateParam], bound: &mut Bindings) -> bool {
        match (written, v) {
            (TemplateArg::Type(t), ArgValue::Type(ty)) => {
                if !self.ast.mentions(&[written], params) {
                    return self.type_of(t) == ty;
                }
                self.unify(t, ty, params, bound)
            }
            (TemplateArg::Expr(e), ArgValue::Type(ty)) => {
                let ast::ExprKind::Path(p) = self.ast.exprs[e].kind else {
                    return false;
                };
                match self.ast.simple_name(p) {
                    Some(n) if is_parameter(n.sym, params) => bind(bound, n.sym, v),
                    _ => self.type_arg(written) == Some(ty),
                }
            }
            (TemplateArg::Type(_) | TemplateArg::Expr(_), ArgValue::Template(t)) => {
                let path = match written {
                    TemplateArg::Type(t) => {
                        if let TypeKind::Named(p) = self.ast.types[t].kind {
                            Some(p)
                        } else {
                            None
                        }
                    }
                    TemplateArg::Expr(e) => {
                        if let ast::ExprKind::Path(p) = self.ast.exprs[e].kind {
                            Some(p)
                        } else {
                            None
                        }
                    }
                };
                match path.and_then(|p| self.ast.simple_name(p)) {
                    Some(n) if is_parameter(n.sym, params) => bind(bound, n.sym, v),
                    _ => path.and_then(|p| self.resolve_path(p)).map(|f| f.binding) == Some(Binding::Template(t)),
                }
            }
            (TemplateArg::Expr(e), ArgValue::Value(ty, bits)) => {
                let s = self.m.types.elem(ty).unwrap_or(Scalar::Int);
                let n = Const { scalar: s, bits }.as_int().unwrap_or(0);
                self.unify_value(e, n, params, bound)
            }
            (TemplateArg::Type(t), ArgValue::Value(..)) => {
                let TypeKind::Named(p) = self.ast.types[t].kind else {
                    return false;
                };
                match self.ast.simple_name(p) {
                    Some(n) if is_parameter(n.sym, params) => bind(bound, n.sym, v),
                    _ => false,
                }
            }
        }
    }

    /// As [`Sema::unify`], for a number.
    pub fn unify_value(&mut self, written: ast::ExprId, n: i128, params: &[ast::TemplateParam], bound: &mut Bindings) -> bool {
        if let ast::ExprKind::Path(p) = self.ast.exprs[written].kind
            && let Some(name) = self.ast.simple_name(p)
            && let Some(q) = params.iter().find(|q| q.name.is_some_and(|m| m.sym == name.sym))
        {
            let TemplateParamKind::Value(ty, _) = q.kind else {
                return false;
            };
            let ty = self.type_of(ty);
            let s = self.m.types.elem(ty).unwrap_or(Scalar::Int);
            return bind(bound, name.sym, ArgValue::Value(ty, Const::int(s, n).bits));
        }
        // A number that is computed from parameters says nothing about them.
        self.ast.mentions(&[TemplateArg::Expr(written)], params) || self.constant_int(written) == Some(n)
    }
}

impl Ast {
    /// Whether template arguments refer to a template parameter.
    fn mentions(&self, args: &[TemplateArg], params: &[ast::TemplateParam]) -> bool {
        args.iter().any(|&a| self.names_in_argument(a, &|name| is_parameter(name, params)))
    }

    /// Whether a part of a template argument depends on parameters that are not deduced from it (C++, [temp.deduct.type]): what is in front of `::`, and
    /// numbers that are computed.
    pub(super) fn is_computed(&self, arg: TemplateArg, params: &[ast::TemplateParam]) -> bool {
        let Some(path) = self.path_of(arg) else {
            return self.mentions(&[arg], params);
        };
        let segments = self.list(self.paths[path].segments);
        let Some((last, front)) = segments.split_last() else { return false };
        let args = |s: &ast::Segment| self.list(s.args.unwrap_or(ast::List::EMPTY));
        front.iter().any(|s| is_parameter(s.name.sym, params) || self.mentions(args(s), params))
            || args(last).iter().any(|&a| self.is_computed(a, params))
    }
}

/// Whether one of the parameters has that name.
fn is_parameter(name: Symbol, params: &[ast::TemplateParam]) -> bool {
    params.iter().any(|q| q.name.is_some_and(|own| own.sym == name))
}

fn bind(bound: &mut Bindings, name: Symbol, v: ArgValue) -> bool {
    if bound.fixed.contains(&name) {
        return true;
    }
    match bound.values.get(&name) {
        Some(ArgValue::Value(_, a)) => matches!(v, ArgValue::Value(_, b) if *a == b),
        Some(old) => *old == v,
        None => {
            bound.values.insert(name, v);
            true
        }
    }
}
