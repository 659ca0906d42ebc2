//! Function declarations: signatures, redeclarations, overload sets, bodies.

use rtc_base::{Span, Symbol};
use rtc_tables::stages::Stage;
use rtc_tables::vk_attributes::On;

use super::context::{FnState, Pending, Sema};
use super::errors::{geometry as err_geometry, names as err_names, stmts as err_stmts, types as err_types};
use super::modifiers::Declared;
use super::scope::{Binding, CtxKind, Overload, Qualifier, SetId};
use crate::hir::{self, Body, FuncId, Function, Local, Method, Module, Param, Pass, Role, StmtKind, Ty, TyKind, mangle};
use crate::syntax::ast::{self, FnName, Specs};

/// How specifiers say that a parameter is passed.
pub fn passing(specs: Specs) -> Pass {
    match (specs.contains(Specs::IN), specs.contains(Specs::OUT)) {
        (true, true) => Pass::InOut,
        (false, true) => Pass::Out,
        _ => Pass::In,
    }
}

/// A signature.
pub struct Signature {
    /// Its result.
    pub ret: Ty,
    /// Type and passing of each parameter.
    pub params: Vec<(Ty, Pass)>,
    /// It has an error.
    pub broken: bool,
}

impl Sema<'_> {
    /// A declaration or definition of a function, in the current context.
    pub fn function_decl(&mut self, id: ast::DeclId, f: &ast::Function) {
        if f.scope.is_some() {
            return self.outside_decl(id);
        }
        if !self.check_headers(id, f.name.span()) {
            return;
        }
        let d = self.ast.decls[id];
        self.check_exported(f, d.template.is_some());
        match d.template {
            Some(params) if params.is_empty() || f.args.is_some() => self.function_specialisation(f),
            Some(params) => self.function_template(id, f, params, false),
            None => {
                self.declare_function(f, d.attrs);
            }
        }
    }

    /// The namespace or type that a path names.
    pub fn place_of(&mut self, path: ast::PathId) -> Option<Qualifier> {
        let p = self.ast.paths[path];
        let segments = self.ast.list(p.segments);
        let args = segments.last().and_then(|s| s.args);
        let found = self.resolve_path(path)?;
        match (found.binding, args) {
            (Binding::Namespace(ns), _) => Some(Qualifier::Namespace(ns)),
            (Binding::Type(t), _) => {
                self.complete(t);
                Some(Qualifier::Type(t))
            }
            (Binding::Template(t), Some(args)) => self.instantiate_type(t, args, p.span).map(Qualifier::Type),
            _ => {
                let text = self.sources.snippet(p.span).to_string();
                self.report(err_names::no_scope(p.span, &text));
                None
            }
        }
    }

    /// The name of a function for lookup.
    pub fn function_name(&mut self, name: &FnName) -> Symbol {
        match name {
            FnName::Ident(n) => n.sym,
            FnName::Operator(op, _) => {
                let text = operator_text(*op);
                self.names.intern(&text)
            }
            FnName::Conversion(..) => self.names.intern("operator T"),
        }
    }

    /// Types of result and parameters, looked up in the current context.
    pub fn signature(&mut self, f: &ast::Function) -> Signature {
        let ret = match f.name {
            FnName::Conversion(t, _) => self.type_of(t),
            _ => self.type_of(f.ret),
        };
        if let ast::TypeKind::Inline(d) = self.ast.types[f.ret].kind
            && self.ast.decls[d].kind.defines_a_type()
        {
            self.report(err_types::extension(self.ast.types[f.ret].span, "types that the result of a function defines"));
        }
        let mut broken = ret == Ty::ERROR;
        if matches!(self.kind(ret), TyKind::Function(_) | TyKind::String) {
            let text = self.show(ret);
            self.report(err_types::no_result_of(self.ast.types[f.ret].span, &text));
            broken = true;
        }
        // Arrays of unknown size are not values, nor those of objects other than resources.
        let (elem, count) = self.m.types.strip_arrays(ret);
        let resources = self.m.types.as_resource(elem).is_some();
        if elem != ret && (count.is_none() || self.m.types.has_objects(ret) && !resources) {
            let span = self.ast.types[f.ret].span;
            self.report(err_types::array_result(span));
            broken = true;
        }
        let mut params = Vec::new();
        for p in self.ast.list(f.params).to_vec() {
            let specs = self.ast.types[p.ty].specs;
            let elem = self.type_of(p.ty);
            // Numbers in an array without a size are no mistake where nothing calls the function.
            let mut ty = self.array_of(elem, p.dims, true, p.span);
            // The completeness of records is checked with the body.
            let record = matches!(self.kind(self.m.types.strip_arrays(ty).0), TyKind::Record(_));
            let stage_object = matches!(self.kind(ty), TyKind::Stream(..) | TyKind::Patch(..));
            if ty != Ty::ERROR && !record && !stage_object && !self.check_variable_type(ty, p.span) {
                ty = Ty::ERROR;
            }
            if matches!(self.kind(ty), TyKind::Subobject(_) | TyKind::String) {
                let text = self.show(ty);
                self.report(err_types::no_variable_of(p.span, &text));
                ty = Ty::ERROR;
            }
            let pass = match passing(specs) {
                // HLSL 202x, and what the compiler's own headers have in every version: the memory itself is passed.
                Pass::In if specs.contains(Specs::GROUPSHARED) && (self.opts.is_202x() || self.is_built_in(p.span)) => Pass::Ref,
                pass => pass,
            };
            if specs.contains(Specs::GROUPSHARED) && !self.opts.is_202x() && !self.is_built_in(p.span) {
                let span = self.ast.spec_span(p.ty, Specs::GROUPSHARED);
                self.report(err_types::newer(span, "a `groupshared` parameter", "202x"));
            }
            if specs.contains(Specs::GROUPSHARED) && matches!(pass, Pass::Out | Pass::InOut) && self.opts.is_202x() {
                let span = self.ast.spec_span(p.ty, Specs::GROUPSHARED);
                self.report(err_types::contradiction(span, "groupshared", if pass == Pass::Out { "out" } else { "inout" }));
            }
            if matches!(self.kind(ty), TyKind::Stream(..)) && pass != Pass::InOut {
                let text = self.show(ty);
                self.report(err_geometry::stream_passing(p.span, &text));
                ty = Ty::ERROR;
            }
            self.check_modifiers(p.ty, Declared::Parameter);
            self.check_coherence(ty, p.ty);
            broken |= ty == Ty::ERROR;
            params.push((ty, pass));
        }
        Signature { ret, params, broken }
    }

    /// `export` is of functions outside of classes that other libraries can name.
    pub fn check_exported(&mut self, f: &ast::Function, is_template: bool) {
        let specs = self.ast.types[f.ret].specs;
        if !specs.contains(Specs::EXPORT) {
            return;
        }
        let span = self.ast.spec_span(f.ret, Specs::EXPORT);
        if specs.contains(Specs::STATIC) {
            self.report(err_types::contradiction(span, "static", "export"));
        } else if matches!(self.scopes.ctxs[self.scopes.ctx].kind, CtxKind::Record(_)) {
            self.report(err_types::misplaced_specifier(span, "export", "a method"));
        } else if is_template {
            self.report(err_types::misplaced_specifier(span, "export", "a template"));
        }
    }

    /// Declares `f` in the current context (again, perhaps) and has its body checked.
    pub fn declare_function(&mut self, f: &ast::Function, attrs: ast::List<ast::Attr>) -> Option<FuncId> {
        if self.ast.types[f.ret].specs.contains(Specs::VIRTUAL) {
            let at = self.ast.spec_span(f.ret, Specs::VIRTUAL);
            let what = "virtual methods: calls are resolved at compile time";
            self.report(err_types::cpp_only(at, what));
        }
        let sig = self.signature(f);
        self.declare_with(f, attrs, sig)
    }

    /// As [`Sema::declare_function`], with the signature `sig`.
    pub fn declare_with(&mut self, f: &ast::Function, attrs: ast::List<ast::Attr>, sig: Signature) -> Option<FuncId> {
        let name = self.function_name(&f.name);
        let span = f.name.span();
        let ctx = self.scopes.ctx;
        let record = match self.scopes.ctxs[ctx].kind {
            CtxKind::Record(r) => Some(r),
            _ => None,
        };
        self.check_modifiers(f.ret, if record.is_some() { Declared::Method } else { Declared::Function });
        self.check_coherence(sig.ret, f.ret);
        if !matches!(f.name, FnName::Ident(_)) {
            self.check_operator(f, record.is_some(), &sig, span);
        }
        let set = self.overload_set(name, span)?;
        let existing = self.scopes[set].iter().find_map(|o| match *o {
            Overload::Func(g) if self.same_params(g, &sig.params) && self.m.same_result_kind(g, &f.name, sig.ret) => Some(g),
            _ => None,
        });
        let func = match existing {
            Some(g) => {
                if self.m.funcs[g].ret != sig.ret && !sig.broken {
                    let text = self.str(name).to_string();
                    let at = self.m.funcs[g].span;
                    self.report(err_names::other_result(span, &text, at));
                    return None;
                }
                if f.body.is_some() && self.funcs[g].defined {
                    let text = self.str(name).to_string();
                    let at = self.m.funcs[g].span;
                    self.report(err_names::redefined(span, &text, at));
                    return None;
                }
                g
            }
            None => {
                let g = self.new_function(f, name, &sig, record);
                self.scopes[set].push(Overload::Func(g));
                g
            }
        };
        self.merge_declaration(func, f, attrs, &sig);
        self.note_function(name, span, func, f.body.is_some());
        if let Some(_body) = f.body {
            self.funcs[func].defined = true;
            self.m.funcs[func].span = span;
            let p = Pending { func, ast: *f, ctx, depth: self.steps.depth, instance_of: Vec::new() };
            if self.steps.instance.is_some() {
                self.wait_for_call(Pending { instance_of: self.steps.trace.clone(), ..p });
            } else if self.nesting.classes > 0 {
                self.funcs.defer(p);
            } else {
                self.check_body(p);
            }
        }
        Some(func)
    }

    fn same_params(&self, g: FuncId, params: &[(Ty, Pass)]) -> bool {
        let have = &self.m.funcs[g].params;
        have.len() == params.len() && have.iter().zip(params).all(|(a, b)| self.same_value(a.ty, b.0) && (a.pass == b.1))
    }

    /// The functions called `name` in the current scope.
    pub fn overload_set(&mut self, name: Symbol, span: Span) -> Option<SetId> {
        match self.declared_here(name) {
            Some((Binding::Functions(set), _)) => Some(set),
            Some((Binding::Error, _)) => None,
            // A function hides a structure of its name.
            Some((Binding::Type(t), _)) if self.m.types.declares(t, name) => {
                let set = self.scopes.add_set(Vec::new());
                self.declare_at(name, span, Binding::Functions(set));
                Some(set)
            }
            Some((_, at)) => {
                let text = self.str(name).to_string();
                self.report(err_names::redeclared(span, &text, at));
                None
            }
            None => {
                let set = self.scopes.add_set(Vec::new());
                self.declare_at(name, span, Binding::Functions(set));
                Some(set)
            }
        }
    }

    /// A new function without a body.
    pub fn new_function(&mut self, f: &ast::Function, name: Symbol, sig: &Signature, record: Option<hir::RecordId>) -> FuncId {
        let specs = self.ast.types[f.ret].specs;
        let text = self.str(name).to_string();
        let mut path = vec![text.clone()];
        path.extend(self.scope_path());
        let method = record.map(|record| Method { record, is_static: specs.contains(Specs::STATIC), is_const: f.is_const });
        let symbol = mangle::function(&self.m.types, &path, method.map(|m| (m.is_static, m.is_const)), sig.ret, &sig.params);
        let qualified = self.qualify(&text);
        let mut body = Body::default();
        let params = self.make_params(f, sig, &mut body);
        let ret_semantic = self.semantic_of(f.annotations);
        self.m.funcs.push(Function {
            name,
            qualified,
            symbol,
            span: f.name.span(),
            ret: sig.ret,
            ret_semantic,
            params,
            method,
            stage: Stage::Library,
            exported: false,
            entry: hir::Entry::default(),
            interface: None,
            precise: specs.contains(Specs::PRECISE),
            inline: None,
            execution_modes: Vec::new(),
            partitioning: None,
            requirements: Default::default(),
            attributes: Default::default(),
            body,
        })
    }

    /// Parameters with their variables.
    pub fn make_params(&mut self, f: &ast::Function, sig: &Signature, body: &mut Body) -> Vec<Param> {
        let mut out = Vec::new();
        for (p, &(ty, pass)) in self.ast.list(f.params).to_vec().iter().zip(&sig.params) {
            let name = p.name.map_or_else(|| self.names.intern(""), |n| n.sym);
            let specs = self.ast.types[p.ty].specs;
            let local = body.locals.push(Local {
                name,
                ty,
                is_const: self.is_constant(p.ty) || matches!(self.kind(ty), TyKind::Patch(..)),
                precise: specs.contains(Specs::PRECISE),
                span: p.name.map_or(p.span, |n| n.span),
            });
            let semantic = self.semantic_of(p.annotations);
            out.push(Param { local, ty, pass, role: Role::Plain, semantic, span: p.span });
        }
        out
    }

    /// The semantic of a parameter or result; other annotations are legacy registers.
    fn semantic_of(&mut self, list: ast::List<ast::Annotation>) -> Option<Symbol> {
        for a in self.ast.list(list).to_vec() {
            if let ast::AnnotationKind::Access { .. } = a.kind
                && self.reports.is_first(("qualifier", a.span))
            {
                self.report(super::errors::payload::misplaced_qualifier(a.span, "parameters and results"));
            }
        }
        let (semantic, span) = self.ast.list(list).iter().find_map(|a| match a.kind {
            ast::AnnotationKind::Semantic(s) => Some((s, a.span)),
            _ => None,
        })?;
        self.suspicious_semantic(semantic, span);
        if self.str(semantic).eq_ignore_ascii_case("VFACE") && self.reports.is_first(("face", span)) {
            self.report(err_types::semantic_without_effect(span, "VFACE", "SV_IsFrontFace"));
        }
        Some(semantic)
    }

    /// Merges a redeclaration of a function: attributes, default arguments, linkage.
    fn merge_declaration(&mut self, func: FuncId, f: &ast::Function, attrs: ast::List<ast::Attr>, sig: &Signature) {
        let specs = self.ast.types[f.ret].specs;
        let ctx = self.scopes.ctx;
        let params = self.ast.list(f.params).to_vec();
        let n = sig.params.len();
        let mut seen_default = false;
        self.funcs[func].defaults.resize(n, None);
        for (i, p) in params.iter().enumerate() {
            match p.default {
                Some(e) => {
                    seen_default = true;
                    if let Some((old, _)) = self.funcs[func].defaults[i].replace((e, ctx))
                        && old != e
                    {
                        self.report(err_types::default_again(self.ast.exprs[e].span, self.ast.exprs[old].span));
                    }
                }
                None if seen_default && self.funcs[func].defaults[i].is_none() => {
                    self.report(err_types::missing_default(p.span));
                }
                None => {}
            }
        }
        let info = &mut self.funcs[func];
        info.attrs.extend(self.ast.list(attrs).iter().copied());
        let own = self.ast.list(attrs).to_vec();
        self.check_vk_attrs(&own, On::FUNCTION);
        for p in &params {
            let written = self.ast.list(p.attrs).to_vec();
            self.check_vk_attrs(&written, On::PARAMETER);
        }
        self.inline_function(func, f, &own);
        let info = &mut self.funcs[func];
        if info.decl.is_none() || f.body.is_some() {
            info.decl = Some((*f, ctx));
        }
        info.export |= specs.contains(Specs::EXPORT);
        info.internal |= specs.contains(Specs::STATIC) && self.m.funcs[func].method.is_none();
        let semantic = self.semantic_of(f.annotations);
        // Those of a definition count, then those of the first declaration that has any.
        let defined = f.body.is_some();
        let choose = |first: Option<Symbol>, own: Option<Symbol>| if defined { own.or(first) } else { first.or(own) };
        let of_params: Vec<_> = params.iter().map(|p| self.semantic_of(p.annotations)).collect();
        let known = &mut self.m.funcs[func];
        known.ret_semantic = choose(known.ret_semantic, semantic);
        for (q, own) in known.params.iter_mut().zip(of_params) {
            q.semantic = choose(q.semantic, own);
        }
    }

    fn check_operator(&mut self, f: &ast::Function, in_record: bool, sig: &Signature, span: Span) {
        let op = match f.name {
            FnName::Operator(op, _) => op,
            FnName::Conversion(..) => return self.report(err_types::extension(span, "operators that convert")),
            FnName::Ident(_) => return,
        };
        if self.opts.hlsl_version < 2021 {
            self.report(err_types::operator_version(span));
        }
        use ast::OverloadOp as O;
        let n = sig.params.len() + in_record as usize;
        let ok = match op {
            O::Binary(ast::BinaryOp::Add | ast::BinaryOp::Sub) => n == 1 || n == 2,
            O::Binary(_) | O::AssignOp(_) | O::Index | O::Comma | O::Assign => n == 2,
            O::Unary(_) | O::Inc | O::Dec => n == 1,
            O::Call => in_record,
        };
        let text = operator_text(op);
        if !ok {
            self.report(err_types::operator_arity(span, &text));
        }
        if matches!(op, O::Inc | O::Dec | O::Assign) {
            self.report(err_types::operator_forbidden(span, &text));
        } else if let O::AssignOp(_) = op {
            self.report(err_types::extension(span, "overloaded compound assignments"));
        } else if let O::Binary(ast::BinaryOp::Shl | ast::BinaryOp::Shr) = op {
            self.report(err_types::extension(span, "overloaded shifts"));
        }
        let has_record = in_record || sig.params.iter().any(|p| matches!(self.kind(p.0), TyKind::Record(_)));
        if !has_record && !sig.broken {
            self.report(err_types::operator_of_numbers(span, &text));
        } else if !in_record && !sig.broken {
            self.report(err_types::extension(span, "operators outside of structures"));
        }
    }

    // Bodies ------------------------------------------------------------------------------------

    /// Checks the body of a function.
    pub fn check_body(&mut self, p: Pending) {
        let Some(root) = p.ast.body else {
            return;
        };
        let steps = self.steps.enter_body(p.depth, &p.instance_of);
        let nesting = self.nesting.enter_body();
        let old_body = std::mem::take(&mut self.body);
        let method = self.m.funcs[p.func].method;
        let this = method.filter(|m| !m.is_static).map(|m| (m.record, m.is_const));
        let state = FnState::new(p.func, self.m.funcs[p.func].ret, this);
        let old_f = std::mem::replace(&mut self.f, state);
        let saved = self.scopes.enter(p.ctx);

        // The parameter names of the definition.
        let sig = Signature {
            ret: self.m.funcs[p.func].ret,
            params: self.m.funcs[p.func].params.iter().map(|q| (q.ty, q.pass)).collect(),
            broken: false,
        };
        let mut body = Body::default();
        let mut params = self.make_params(&p.ast, &sig, &mut body);
        for (new, old) in params.iter_mut().zip(&self.m.funcs[p.func].params) {
            new.semantic = new.semantic.or(old.semantic);
        }
        self.body = body;
        if sig.ret != Ty::VOID {
            let span = self.ast.types[p.ast.ret].span;
            self.check_variable_type(sig.ret, span);
        }
        for q in &params {
            if !matches!(self.kind(q.ty), TyKind::Stream(..) | TyKind::Patch(..)) {
                self.check_variable_type(q.ty, q.span);
            }
        }
        for q in &params {
            let local = &self.body.locals[q.local];
            let (name, span) = (local.name, local.span);
            if !self.str(name).is_empty() {
                self.declare_at(name, span, Binding::Local(q.local));
            }
        }
        self.m.funcs[p.func].params = params;
        self.clip_planes(p.func);
        let span = self.ast.stmts[root].span;
        let mut out = Vec::new();
        match self.ast.stmts[root].kind {
            ast::StmtKind::Block(list) => self.stmts(list, &mut out),
            _ => self.stmt(root, &mut out),
        }
        let ret = self.m.funcs[p.func].ret;
        if ret != Ty::VOID && ret != Ty::ERROR && !self.f.broken && self.may_end(&out) {
            let name = self.m.funcs[p.func].qualified.clone();
            self.report(err_stmts::missing_return(p.ast.name.span(), &name));
        }
        let list = self.list(&out);
        let root = self.stmt_node(StmtKind::Block(list), span);
        self.body.root = Some(root);
        self.check_usage();

        self.scopes.leave(saved);
        let f = std::mem::replace(&mut self.f, old_f);
        self.funcs[p.func].uses = f.finish();
        self.m.funcs[p.func].body = std::mem::replace(&mut self.body, old_body);
        self.nesting.leave_body(nesting);
        self.steps.leave_body(steps);
    }

    /// Checks pending bodies: instances of templates, until no new ones are requested.
    pub fn finish_bodies(&mut self) {
        while let Some(p) = self.funcs.next_to_check() {
            self.check_body(p);
        }
    }
}

impl Module {
    /// Whether the results do not distinguish two overloads; those of conversion operators do.
    fn same_result_kind(&self, g: FuncId, name: &FnName, ret: Ty) -> bool {
        !matches!(name, FnName::Conversion(..)) || self.funcs[g].ret == ret
    }
}

/// `operator+`
pub fn operator_text(op: ast::OverloadOp) -> String {
    use ast::OverloadOp as O;
    match op {
        O::Binary(b) => format!("operator{}", b.text()),
        O::Assign => "operator=".into(),
        O::AssignOp(b) => format!("operator{}=", b.text()),
        O::Unary(u) => format!("operator{}", super::operators::unary_text(u)),
        O::Inc => "operator++".into(),
        O::Dec => "operator--".into(),
        O::Call => "operator()".into(),
        O::Index => "operator[]".into(),
        O::Comma => "operator,".into(),
    }
}
