//! Types of functions: `S<float(int)>`, `typedef float F(int);`, and what is declared with such a name: `F f;` is a function.
//!
//! No variable has such a type, and no function takes or returns one. Two are the same if results, parameters and how those are passed are.

use super::context::Sema;
use super::errors::types as err;
use super::function::Signature;
use super::scope::{Binding, Overload};
use crate::hir::{FnType, Ty, TyKind};
use crate::syntax::ast::{self, FnName, List, Param, TypeId};

impl Sema<'_> {
    /// `ret(params)`.
    pub fn function_type(&mut self, written: TypeId, ret: TypeId, params: List<Param>) -> Ty {
        let name = ast::Name { sym: self.names.intern(""), span: self.ast.types[written].span };
        let sig = self.signature(&declaration(name, ret, params, List::EMPTY));
        if sig.broken {
            return Ty::ERROR;
        }
        self.known_function_type(sig, params)
    }

    fn known_function_type(&mut self, sig: Signature, params: List<Param>) -> Ty {
        let id = self.m.types.function_type(FnType { ret: sig.ret, params: sig.params });
        self.funcs.note_params(id, params);
        self.m.types.intern(TyKind::Function(id))
    }

    /// The type of the function that an expression names, which is the only one of its name.
    pub fn type_of_function(&mut self, e: ast::ExprId) -> Option<Ty> {
        let ast::ExprKind::Path(path) = self.ast.exprs[e].kind else { return None };
        let segments = self.ast.list(self.ast.paths[path].segments);
        let &last = segments.last()?;
        let qualifier = if segments.len() > 1 { self.path_qualifier(path) } else { None };
        let Some(Binding::Functions(set)) = self.lookup_segment(qualifier, last.name.sym).map(|f| f.binding) else {
            return None;
        };
        let &[Overload::Func(f)] = &self.scopes[set][..] else { return None };
        let params = self.funcs[f].decl.as_ref()?.0.params;
        let func = &self.m.funcs[f];
        let sig = Signature { ret: func.ret, params: func.params.iter().map(|p| (p.ty, p.pass)).collect(), broken: false };
        Some(self.known_function_type(sig, params))
    }

    /// The function that `v`, a declaration with the type `ty`, declares, with its signature, if that is a type of functions. A type that an
    /// argument of a template gives declares none (C++, [temp.arg.type]).
    pub fn as_function(&mut self, v: &ast::Var, ty: Ty) -> Option<(ast::Function, Signature)> {
        let (TyKind::Function(id), Some(name)) = (self.kind(ty), v.name) else {
            return None;
        };
        if self.depends(v.ty) {
            return None;
        }
        if let Some(init) = v.init {
            let text = self.show(ty);
            self.report(err::no_variable_of(self.ast.exprs[init].span, &text));
        }
        if !v.dims.is_empty() {
            return None;
        }
        let FnType { ret, params } = self.m.types.functions[id].clone();
        let f = declaration(name, v.ty, self.funcs.params_of(id), v.annotations);
        Some((f, Signature { ret, params, broken: false }))
    }
}

/// A declaration of a function without a body.
fn declaration(name: ast::Name, ret: TypeId, params: List<Param>, annotations: List<ast::Annotation>) -> ast::Function {
    ast::Function { ret, scope: None, name: FnName::Ident(name), args: None, params, is_const: false, annotations, body: None }
}
