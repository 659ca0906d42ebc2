//! Declarations at file and namespace scope.

use rtc_base::Span;

use super::context::Sema;
use super::errors::{names as err_names, resources as err_res, types as err_types};
use super::modifiers::Declared;
use super::resource::has_contents;
use super::scope::{Binding, CtxId, CtxKind, GLOBAL_CTX, Namespace, NsId, Overload, Qualifier, Scopes};
use crate::hir::{Const, ExprId, Global, GlobalId, GlobalKind, Module, Ty, TyKind, mangle};
use crate::syntax::ast::{self, DeclKind, Specs};

impl Sema<'_> {
    /// Declarations at file scope, in their order.
    pub fn items(&mut self, items: &[ast::DeclId]) {
        items.iter().for_each(|&id| self.decl(id));
    }

    /// One declaration, in the current context.
    pub fn decl(&mut self, id: ast::DeclId) {
        let d = self.ast.decls[id];
        match d.kind {
            DeclKind::Error => {}
            DeclKind::Var(v) => {
                if v.scope.is_some() {
                    return self.outside_decl(id);
                }
                if let Some(params) = d.template {
                    return self.variable_template(id, &v, params);
                }
                if let (Some(_), Some(name)) = (v.args, v.name) {
                    return self.report(err_types::missing_template_header(name.span));
                }
                let before = self.m.globals.len();
                self.global_var(&v, d.attrs, d.span);
                self.inline_of_globals(before, d.attrs);
            }
            DeclKind::Function(f) => self.function_decl(id, &f),
            DeclKind::Record(r) => {
                if d.template.is_some() || self.records.inline(id, self.scopes.ctx).is_none() {
                    self.record_decl(id, &r);
                }
            }
            DeclKind::Enum(e) => {
                if self.records.inline(id, self.scopes.ctx).is_none() {
                    self.enum_decl(id, &e);
                }
            }
            DeclKind::Alias { name, .. } if !self.check_headers(id, name.span) => {}
            DeclKind::Alias { name, ty } => match d.template {
                Some(params) if !params.is_empty() => {
                    self.inline_alias(None, d.attrs);
                    self.alias_template(name, ty, params);
                }
                _ => {
                    self.check_modifiers(ty, Declared::Alias);
                    let t = self.type_of(ty);
                    self.inline_alias(Some(t), d.attrs);
                    self.note_alias(name, ty);
                    self.name_by_alias(t, name.sym);
                    // Declaring the same alias twice is harmless.
                    match self.declared_here(name.sym) {
                        Some((Binding::Type(old), _)) if old == t => {}
                        _ => self.declare(name, Binding::Type(t)),
                    }
                }
            },
            DeclKind::Buffer(b) => self.buffer_decl(&b, d.attrs, d.span),
            DeclKind::Namespace(name, items) => {
                if let (Some(name), &[inner]) = (name, self.ast.list(items))
                    && matches!(self.ast.decls[inner].kind, DeclKind::Namespace(..))
                    && self.ast.decls[inner].span == d.span
                {
                    self.report(err_types::extension(name.span, "namespaces of several names"));
                }
                if name.is_none() {
                    let at = Span::new(d.span.lo, d.span.lo);
                    self.report(err_types::extension(at, "namespaces without a name"));
                }
                self.in_namespace(name, |s| {
                    for i in 0..items.len() {
                        let id = s.ast.list(items)[i];
                        s.decl(id);
                    }
                });
            }
            DeclKind::UsingNamespace(path) => {
                if let Some(Qualifier::Namespace(ns)) = self.place_of(path) {
                    self.scopes.uses_namespaces = true;
                    if self.in_function() {
                        let depth = self.scopes.depth;
                        self.scopes.usings.push((depth, ns));
                    } else {
                        let here = self.namespace();
                        self.scopes.namespaces[here].usings.push(ns);
                    }
                }
            }
            DeclKind::Using(path) => self.using(path),
            DeclKind::StaticAssert(e, message) => self.static_assert(e, message, d.span),
        }
    }

    fn using(&mut self, path: ast::PathId) {
        let Some(name) = self.ast.last_name(path) else {
            return;
        };
        // A name of a built-in namespace may be an intrinsic.
        if let Some(Qualifier::Namespace(ns)) = self.path_qualifier(path)
            && !self.rows(Some(ns), name.sym).is_empty()
        {
            let here = self.namespace();
            self.scopes.namespaces[here].usings.push(ns);
            return;
        }
        if let Some(f) = self.resolve_path(path) {
            match (self.declared_here(name.sym), f.binding) {
                (Some((b, _)), binding) if b == binding => {}
                // Functions of several namespaces are overloads of each other. The set is one of its own: what is declared later stays out of that namespace.
                (Some((Binding::Functions(here), _)), Binding::Functions(there)) => {
                    let more: Vec<Overload> = self.scopes[there].iter().filter(|o| !self.scopes[here].contains(o)).copied().collect();
                    self.scopes[here].extend(more);
                }
                (_, Binding::Functions(there)) => {
                    let set = self.scopes[there].clone();
                    let set = self.scopes.add_set(set);
                    self.declare(name, Binding::Functions(set));
                }
                _ => self.declare(name, f.binding),
            }
        }
    }

    fn static_assert(&mut self, e: ast::ExprId, message: Option<rtc_base::Symbol>, span: Span) {
        let c = self.expr(e);
        let c = self.condition(c);
        if self.is_error(c) {
            return;
        }
        match self.evaluate(c) {
            Some(v) if v.first().is_some_and(|c| c.is_true()) => {}
            Some(_) => {
                let text = message.map(|m| self.str(m).to_string());
                self.report(super::errors::exprs::assertion(span, text.as_deref()));
            }
            None => {
                let at = self.span(c);
                self.report(super::errors::exprs::not_constant(at, None));
            }
        }
    }

    // Namespaces --------------------------------------------------------------------------------

    /// Runs `f`, which checks declarations, in the namespace `name` of the current one.
    pub fn in_namespace(&mut self, name: Option<ast::Name>, f: impl FnOnce(&mut Self)) {
        let here = self.namespace();
        let ns = match name {
            Some(n) => match self.declared_here(n.sym) {
                Some((Binding::Namespace(ns), _)) => ns,
                _ => {
                    let ns = self.scopes.namespaces.push(Namespace { name: Some(n.sym), ..Namespace::default() });
                    self.declare(n, Binding::Namespace(ns));
                    ns
                }
            },
            None => {
                let ns = self.scopes.namespaces.push(Namespace::default());
                self.scopes.namespaces[here].usings.push(ns);
                ns
            }
        };
        let ctx = self.scopes.add_ctx(CtxKind::Namespace(ns));
        self.in_ctx(ctx, f);
    }

    // Variables ---------------------------------------------------------------------------------

    fn global_var(&mut self, v: &ast::Var, attrs: ast::List<ast::Attr>, span: Span) {
        let Some(name) = v.name else {
            return;
        };
        let specs = self.ast.types[v.ty].specs;
        let coherence = self.global_attrs(attrs);
        self.check_modifiers(v.ty, Declared::Global);
        let elem = if self.ast.is_auto(v) { self.outside_functions(|s| s.deduced_type(v)) } else { self.type_of(v.ty) };
        let elem = self.coherent(elem, specs, &coherence, v.ty);
        if let Some((f, sig)) = self.as_function(v, elem) {
            self.check_exported(&f, false);
            self.declare_with(&f, attrs, sig);
            return;
        }
        let unsized_name = matches!(self.kind(elem), TyKind::Array(_, None)) && self.m.types.is_resource(elem);
        let is_resource = unsized_name || matches!(self.kind(elem), TyKind::Resource(_));
        let ty = self.array_of(elem, v.dims, v.init.is_some() || is_resource, name.span);
        if ty == Ty::ERROR {
            self.declare(name, Binding::Error);
            // The initialiser may have errors of its own; its expected type is unknown.
            return;
        }
        if let TyKind::Subobject(s) = self.kind(ty) {
            self.subobject(s, v, name);
            return;
        }
        if !self.check_variable_type(ty, name.span) {
            self.declare(name, Binding::Error);
            return;
        }
        let is_const = self.is_constant(v.ty);
        let list = self.ast.list(attrs).to_vec();
        self.check_vk_attrs_of_variable(&list, ty);
        if let Some(inline) = self.inline_variable(&list, specs.contains(Specs::STATIC), is_const)
            && inline.class.is_some()
        {
            let g = self.new_global(name, ty, GlobalKind::Static { is_const, init: None, value: None }, is_const);
            self.m.globals[g].inline = Some(Box::new(inline));
            self.declare(name, Binding::Global(g));
            self.init_static(g, v, name);
            return;
        }
        let elem_kind = self.kind(self.m.types.strip_arrays(ty).0);
        if matches!(elem_kind, TyKind::Spirv(_)) && !specs.intersects(Specs::STATIC | Specs::CONSTEXPR | Specs::GROUPSHARED) {
            self.spirv_resource(v, name, ty, &list);
            return;
        }
        if matches!(elem_kind, TyKind::BufferPointer(..)) && self.is_push(&list) {
            self.report(err_res::pushed_pointer(name.span));
        }
        if specs.contains(Specs::GROUPSHARED) {
            self.groupshared(v, name, ty);
            return;
        }
        // In DXIL the host sets it as it sets any other variable.
        if let Some(a) = self.find_vk_attr(&list, "constant_id").filter(|_| self.opts.spirv) {
            self.specialisation(v, name, ty, &a);
            return;
        }
        if specs.intersects(Specs::STATIC | Specs::CONSTEXPR) {
            self.static_var(v, name, ty);
            return;
        }
        if is_resource {
            let inner = self.m.types.strip_arrays(elem).0;
            let elem = self.m.types.as_resource(inner).filter(has_contents).and_then(|r| r.elem);
            if elem.is_some_and(|e| self.m.types.has_objects(e)) {
                return self.resources_in_view(v, name, ty, attrs);
            }
            let g = self.resource_global(v, name, ty, attrs);
            self.declare(name, Binding::Global(g));
            return;
        }
        if matches!(self.kind(ty), TyKind::Record(_)) && !self.m.types.has_objects(ty) {
            let list = self.ast.list(attrs).to_vec();
            if self.is_push(&list) {
                self.push_global(v, name, ty, attrs);
                return;
            }
        }
        let inner = self.m.types.strip_arrays(ty).0;
        if matches!(self.kind(inner), TyKind::Record(_)) && self.m.types.has_objects(inner) {
            self.resource_struct(v, name, ty, None);
            return;
        }
        if self.no_uniform(v, name, ty) {
            return;
        }
        if let Some(a) = self.find_vk_attr(&list, "binding").filter(|_| self.opts.spirv) {
            let text = self.str(name.sym).to_string();
            self.report(err_res::binding_of_number(a.span, &text));
        }
        self.loose_uniform(v, span);
    }

    /// Declares a variable of a type that no constant buffer has; false for other types.
    fn no_uniform(&mut self, v: &ast::Var, name: ast::Name, ty: Ty) -> bool {
        match self.kind(ty) {
            // A text is a constant even where it is not declared as one.
            TyKind::String if v.init.is_some() => {
                let kind = GlobalKind::Static { is_const: true, init: None, value: None };
                let g = self.new_global(name, ty, kind, true);
                self.declare(name, Binding::Global(g));
                self.init_static(g, v, name);
            }
            TyKind::HitObject => {
                self.report(err_types::hit_object_outside(name.span, None));
                self.declare(name, Binding::Error);
            }
            TyKind::Linalg(_) => {
                self.report(super::errors::linalg::outside(name.span));
                self.declare(name, Binding::Error);
            }
            TyKind::RayQuery { .. } | TyKind::String => {
                let text = self.show(ty);
                self.report(err_types::not_a_uniform(name.span, &text));
                self.declare(name, Binding::Error);
            }
            _ => return false,
        }
        true
    }

    pub fn new_global(&mut self, name: ast::Name, ty: Ty, kind: GlobalKind, is_const: bool) -> GlobalId {
        let text = self.str(name.sym).to_string();
        let mut path = vec![text.clone()];
        path.extend(self.scope_path());
        let symbol = mangle::variable(&self.m.types, &path, ty, is_const);
        self.m.globals.push(Global {
            name: name.sym,
            qualified: self.qualify(&text),
            symbol,
            ty,
            kind,
            is_block: false,
            spec: None,
            inline: None,
            precise: false,
            used: false,
            span: name.span,
        })
    }

    fn groupshared(&mut self, v: &ast::Var, name: ast::Name, ty: Ty) {
        if let Some(init) = v.init {
            self.report(err_res::groupshared_initialiser(self.ast.exprs[init].span));
            self.initialiser(ty, init);
        }
        let of_spirv = matches!(self.kind(self.m.types.strip_arrays(ty).0), TyKind::Spirv(_));
        if self.m.types.has_objects(ty) && !of_spirv {
            let text = self.show(ty);
            self.report(err_res::groupshared_object(name.span, &text));
            self.declare(name, Binding::Error);
            return;
        }
        let g = self.new_global(name, ty, GlobalKind::GroupShared, false);
        self.m.globals[g].precise = self.ast.types[v.ty].specs.contains(Specs::PRECISE);
        if self.ast.types[v.ty].specs.contains(Specs::CONST) {
            self.globals.add_const_groupshared(g);
        }
        self.declare(name, Binding::Global(g));
    }

    /// A `static` variable outside functions.
    fn static_var(&mut self, v: &ast::Var, name: ast::Name, ty: Ty) {
        let g = self.new_static(v, name, ty);
        self.declare(name, Binding::Global(g));
        self.init_static(g, v, name);
    }

    /// `[[vk::constant_id(n)]] const int N = 3;`: the default value, unless the host sets another.
    fn specialisation(&mut self, v: &ast::Var, name: ast::Name, ty: Ty, a: &ast::Attr) {
        let id = match self.ast.list(a.args) {
            &[e] => self.constant_int(e).and_then(|v| u32::try_from(v).ok()),
            _ => None,
        };
        let scalar = matches!(self.kind(ty), TyKind::Scalar(_) | TyKind::Enum(_));
        let internal = self.ast.types[v.ty].specs.contains(Specs::STATIC);
        if id.is_none() || !scalar || internal || v.init.is_none() {
            let what = "a number, on a scalar outside of functions that has an initialiser and is not `static`";
            self.report(super::errors::stmts::attribute_argument(a.span, "vk::constant_id", what));
            self.declare(name, Binding::Error);
            return;
        }
        let kind = GlobalKind::Static { is_const: true, init: None, value: None };
        let g = self.new_global(name, ty, kind, true);
        self.declare(name, Binding::Global(g));
        self.init_static(g, v, name);
        if let (GlobalKind::Static { init: Some(e), value: None, .. }, Some(init)) = (&self.m.globals[g].kind, v.init) {
            // Another one of these, say: the host could replace that too.
            if self.m.inits.exprs[*e].ty != Ty::ERROR {
                let at = self.ast.exprs[init].span;
                self.report(super::errors::exprs::not_constant(at, None));
            }
        }
        self.m.globals[g].spec = id;
    }

    pub fn new_static(&mut self, v: &ast::Var, name: ast::Name, ty: Ty) -> GlobalId {
        let specs = self.ast.types[v.ty].specs;
        let is_const = self.is_constant(v.ty);
        for a in self.ast.list(v.annotations).to_vec() {
            if let ast::AnnotationKind::Access { .. } = a.kind {
                self.report(super::errors::payload::misplaced_qualifier(a.span, "a static variable"));
            } else if !matches!(a.kind, ast::AnnotationKind::Semantic(_)) {
                self.report(err_res::misplaced_annotation(a.span, "a static variable"));
            }
        }
        self.no_hit_objects(ty, name.span);
        let g = self.new_global(name, ty, GlobalKind::Static { is_const, init: None, value: None }, is_const);
        self.m.globals[g].precise = specs.contains(Specs::PRECISE);
        g
    }

    /// A static variable has no hit objects and no matrices of linear algebra.
    fn no_hit_objects(&mut self, ty: Ty, span: Span) {
        if self.m.types.has_matrices(ty) {
            self.report(super::errors::linalg::outside(span));
        }
        if self.m.types.has_hit_objects(ty) {
            let text = self.show(ty);
            let inside = (self.kind(ty) != TyKind::HitObject).then_some(text.as_str());
            self.report(err_types::hit_object_outside(span, inside));
        }
    }

    /// Checks the static members whose types were not defined where they were declared.
    pub fn check_incomplete_statics(&mut self) {
        for (g, span) in self.globals.take_incomplete() {
            let ty = self.m.globals[g].ty;
            if self.check_variable_type(ty, span) {
                self.no_hit_objects(ty, span);
            }
        }
    }

    /// Checks an expression in the body of initialisers.
    pub(super) fn outside_functions<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let old_body = std::mem::take(&mut self.body);
        self.body = std::mem::take(&mut self.m.inits);
        let old_f = std::mem::take(&mut self.f);
        let result = check(self);
        self.m.inits = std::mem::replace(&mut self.body, old_body);
        self.f = old_f;
        result
    }

    /// The initialiser of a static variable: an expression outside functions.
    /// The value of a static variable.
    pub fn init_static(&mut self, g: GlobalId, v: &ast::Var, name: ast::Name) {
        let ty = self.m.globals[g].ty;
        let Some(init) = v.init else {
            // It is zero, like every static variable without an initialiser. Constants of zeros are written so.
            return;
        };
        let (e, value, got, calls) = self.outside_functions(|s| {
            let e = s.initialiser(ty, init);
            let value = if s.is_error(e) { None } else { s.evaluate(e) };
            (e, value, s.ty(e), s.f.calls())
        });
        if value.is_none() && !calls.is_empty() {
            self.globals.add_static_calls(g, calls);
        }
        if let (TyKind::Array(_, None), TyKind::Array(_, Some(_))) = (self.kind(ty), self.kind(got)) {
            self.m.globals[g].ty = got;
            let is_const = matches!(self.m.globals[g].kind, GlobalKind::Static { is_const: true, .. });
            let mut path = vec![self.str(name.sym).to_string()];
            path.extend(self.scope_path());
            self.m.globals[g].symbol = mangle::variable(&self.m.types, &path, got, is_const);
        } else if got == Ty::ERROR && self.m.types.strip_arrays(ty).1.is_none() {
            self.m.globals[g].ty = Ty::ERROR;
        }
        self.m.set_init(g, e, value);
    }

    /// `static int n;` in a class.
    pub fn static_member(&mut self, v: &ast::Var, attrs: ast::List<ast::Attr>) {
        self.unknown_attrs(attrs, &[]);
        self.check_modifiers(v.ty, Declared::StaticField);
        let Some(name) = v.name else {
            return;
        };
        if v.bits.is_some() {
            self.report(err_types::static_bit_field(name.span));
        }
        let elem = self.type_of(v.ty);
        if let Some((f, sig)) = self.as_function(v, elem) {
            self.declare_with(&f, attrs, sig);
            return;
        }
        let ty = self.array_of(elem, v.dims, v.init.is_some(), name.span);
        let written = self.ast.list(attrs).to_vec();
        self.check_vk_attrs_of_variable(&written, ty);
        // What is declared only may be of a type that is defined later, the class itself too.
        let inner = self.m.types.strip_arrays(ty).0;
        let open = v.init.is_none()
            && matches!(self.kind(inner), TyKind::Record(r) if !self.records[r].complete && !self.m.types.records[r].builtin);
        if ty == Ty::ERROR || !open && !self.check_variable_type(ty, name.span) {
            self.declare(name, Binding::Error);
            return;
        }
        let specs = self.ast.types[v.ty].specs;
        let number = specs.intersects(Specs::CONST | Specs::CONSTEXPR) && matches!(self.kind(ty), TyKind::Scalar(_) | TyKind::Enum(_));
        if v.init.is_some() && !number {
            let what = "initialisers of static members, in the structure and of other types than constant numbers,";
            self.report(err_types::extension(name.span, what));
        }
        let g = self.new_static(v, name, ty);
        if open {
            self.globals.add_incomplete(g, name.span);
        }
        self.note_member(g);
        self.declare(name, Binding::Global(g));
        if v.init.is_some() {
            self.init_static(g, v, name);
        }
    }

    /// `int S::n = 3;`, in the context of the class; `replace` says that it replaces what all instances of a class template have.
    pub fn define_static(&mut self, v: &ast::Var, name: ast::Name, replace: bool) {
        let Some((Binding::Global(g), at)) = self.declared_here(name.sym) else {
            if !matches!(self.declared_here(name.sym), Some((Binding::Error, _))) {
                let text = self.str(name.sym).to_string();
                self.report(err_names::not_declared_inside(name.span, &text));
            }
            return;
        };
        if v.init.is_none() {
            return;
        }
        let waits = self.late.forget_value(g);
        if (waits || matches!(self.m.globals[g].kind, GlobalKind::Static { init: Some(_), .. })) && !replace {
            let text = self.str(name.sym).to_string();
            return self.report(err_names::redefined(name.span, &text, at));
        }
        if !replace && self.is_late() && self.wait_for_use(g, v, name) {
            return;
        }
        self.init_static(g, v, name);
    }
}

impl Scopes {
    /// The context of a namespace, for definitions from outside.
    pub fn ctx_of(&self, ns: NsId) -> CtxId {
        let found = self.ctxs.iter().find(|(_, c)| matches!(c.kind, CtxKind::Namespace(n) if n == ns)).map(|(id, _)| id);
        found.unwrap_or(GLOBAL_CTX)
    }
}

impl Module {
    fn set_init(&mut self, g: GlobalId, e: ExprId, v: Option<Vec<Const>>) {
        if let GlobalKind::Static { init, value, .. } = &mut self.globals[g].kind {
            *init = Some(e);
            *value = v;
        }
    }
}
