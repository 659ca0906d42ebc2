//! Semantic analysis of expressions.

use rtc_base::Span;
use rtc_tables::limits::HEAP_MODEL;

use super::context::{Sema, Use};
use super::errors::{exprs as err, names as err_names, types as err_types};
use super::scope::{Binding, LookupResult};
use crate::hir::{Category, ExprId, ExprKind, GlobalKind, Scalar, Ty, TyKind};
use crate::syntax::ast;

impl Sema<'_> {
    /// The expression `id`: a value or an l-value. Other names are reported.
    pub fn expr(&mut self, id: ast::ExprId) -> ExprId {
        let e = if self.nesting.enter() {
            self.expr_inner(id)
        } else {
            let span = self.ast.exprs[id].span;
            self.report(err_types::too_deep(span));
            self.error_expr(span)
        };
        self.nesting.leave();
        e
    }

    fn expr_inner(&mut self, id: ast::ExprId) -> ExprId {
        let ast::Expr { kind, span } = self.ast.exprs[id];
        match kind {
            ast::ExprKind::Error => {
                self.f.broken = true;
                self.error_expr(span)
            }
            ast::ExprKind::Int(n, suffix) => self.int_literal(n, suffix, span),
            ast::ExprKind::Float(x, suffix) => self.float_literal(x, suffix, span),
            ast::ExprKind::Bool(b) => self.body.bool_literal(b, span),
            ast::ExprKind::Str(s) => self.string_literal(s, span),
            ast::ExprKind::Char(c) => self.int_literal(c as u64, ast::IntSuffix::None, span),
            ast::ExprKind::Path(p) => self.path_expr(p, span),
            ast::ExprKind::This => self.this_expr(span),
            ast::ExprKind::Member(base, name) => self.member_expr(base, name, span),
            ast::ExprKind::Arrow(base, name) => {
                let base_span = self.ast.exprs[base].span;
                let between = Span::new(base_span.hi, self.ast.paths[name].span.lo);
                self.report(err::arrow(between));
                self.member_expr(base, name, span)
            }
            ast::ExprKind::Index(base, index) => self.index_expr(base, index, span),
            ast::ExprKind::Call(callee, args) => self.call_expr(callee, args, span),
            ast::ExprKind::Construct(ty, args) => {
                if let ast::TypeKind::Named(path) = self.ast.types[ty].kind
                    && self.hides_a_type(path)
                {
                    return self.call_path(path, args, span);
                }
                let t = self.type_of(ty);
                let type_span = self.ast.types[ty].span;
                self.construct(t, type_span, args, span)
            }
            ast::ExprKind::Cast(ty, operand) => self.cast_expr(ty, operand, span),
            ast::ExprKind::InitList(_) => {
                self.report(err::list_is_no_value(span));
                self.error_expr(span)
            }
            ast::ExprKind::Unary(op, operand) => {
                let e = self.expr(operand);
                self.unary(op, e, span)
            }
            ast::ExprKind::Binary(..) => self.binary_chain(id),
            ast::ExprKind::Assign(to, value) => self.assign_expr(to, value, span),
            ast::ExprKind::AssignOp(op, to, value) => {
                let to = self.expr(to);
                let value = self.expr(value);
                self.assign_op(op, to, value, span)
            }
            ast::ExprKind::Conditional(c, a, b) => {
                let c = self.expr(c);
                let known = self.known_condition(c);
                let a = self.if_reached(known != Some(false), |s| s.expr(a));
                let b = self.if_reached(known != Some(true), |s| s.expr(b));
                self.conditional(c, a, b, span)
            }
            ast::ExprKind::Comma(..) => self.comma_chain(id),
            ast::ExprKind::SizeofType(ty) => {
                let t = self.type_of(ty);
                self.size_of(t, span)
            }
            ast::ExprKind::SizeofExpr(e) => {
                let uses = self.f.count_uses();
                let e = self.expr(e);
                self.f.forget_uses(uses);
                let t = self.ty(e);
                self.size_of(t, span)
            }
            ast::ExprKind::Decl(_) => self.error_expr(span),
        }
    }

    /// `a, b, c`, however many there are.
    fn comma_chain(&mut self, id: ast::ExprId) -> ExprId {
        let mut rest = Vec::new();
        let mut at = id;
        while let ast::Expr { kind: ast::ExprKind::Comma(a, b), span } = self.ast.exprs[at] {
            rest.push((b, span));
            at = a;
        }
        let mut left = self.expr(at);
        for (b, span) in rest.into_iter().rev() {
            let right = self.expr(b);
            left = if self.is_error(left) || self.is_error(right) {
                self.error_expr(span)
            } else if let Some(call) = self.comma_operator(left, right, span) {
                call
            } else {
                let (a, b) = (self.settle(left), right);
                let ty = self.ty(b);
                self.value(ExprKind::Comma(a, b), ty, span)
            };
        }
        left
    }

    /// `a, b` where a class of `a` or `b` has an operator for it.
    fn comma_operator(&mut self, a: ExprId, b: ExprId, span: Span) -> Option<ExprId> {
        let class = |s: &Self, e| matches!(s.kind(s.ty(e)), TyKind::Record(_) | TyKind::Enum(_));
        if class(self, a) || class(self, b) { self.call_operator("operator,", a, &[b], span) } else { None }
    }

    /// Binary operators whose left operands are binary operators, as in `a + b + c`: such chains may be very long.
    fn binary_chain(&mut self, id: ast::ExprId) -> ExprId {
        let mut spine = Vec::new();
        let mut at = id;
        while let ast::Expr { kind: ast::ExprKind::Binary(op, a, b), span } = self.ast.exprs[at] {
            self.suspicious_operands(op, a, b);
            spine.push((op, b, span));
            at = a;
        }
        let mut left = self.expr(at);
        let mut deeper = 0;
        for (op, b, span) in spine.into_iter().rev() {
            let reached = self.evaluates_right(op, left);
            let right = self.if_reached(reached, |s| s.expr(b));
            let whole = self.binary(op, left, right, span);
            // Calls of overloaded operators nest, and so do operands that are converted.
            deeper += match self.e(whole).kind {
                ExprKind::Const(_) => 0,
                ExprKind::Binary(_, a, _) | ExprKind::And(a, _) | ExprKind::Or(a, _) if a == left => 0,
                _ => 1,
            };
            if !self.nesting.has_space(deeper) {
                self.report(err_types::too_deep(span));
                return self.error_expr(span);
            }
            left = whole;
        }
        left
    }

    fn assign_expr(&mut self, to: ast::ExprId, value: ast::ExprId, span: Span) -> ExprId {
        let to = self.expr(to);
        if let ast::ExprKind::InitList(_) = self.ast.exprs[value].kind {
            let at = self.ast.exprs[value].span;
            self.report(super::errors::types::extension(at, "lists of values in assignments and after `return`"));
            let ty = self.ty(to);
            let value = self.initialiser(ty, value);
            return self.assign(to, value, span);
        }
        let value = self.expr(value);
        if let Some(e) = self.overloaded_assign(to, value, span) {
            return e;
        }
        self.assign(to, value, span)
    }

    fn overloaded_assign(&mut self, to: ExprId, value: ExprId, span: Span) -> Option<ExprId> {
        let TyKind::Record(r) = self.kind(self.ty(to)) else {
            return None;
        };
        let name = self.names.get("operator=")?;
        self.lookup_member(r, name)?;
        self.call_operator("operator=", to, &[value], span)
    }

    fn cast_expr(&mut self, ty: ast::TypeId, operand: ast::ExprId, span: Span) -> ExprId {
        let t = self.type_of(ty);
        if let ast::ExprKind::InitList(_) = self.ast.exprs[operand].kind {
            return self.initialiser(t, operand);
        }
        let e = self.expr(operand);
        if !self.is_error(e)
            && let TyKind::Record(_) = self.kind(self.ty(e))
            && self.ty(e) != t
            && let Some(e) = self.call_conversion(e, t, span)
        {
            return e;
        }
        let out = self.cast(e, t, span);
        if out != e {
            self.f.casts.insert(out, e);
        }
        out
    }

    fn size_of(&mut self, t: Ty, span: Span) -> ExprId {
        if t == Ty::ERROR {
            return self.error_expr(span);
        }
        let sizeless = |k| matches!(k, TyKind::Void | TyKind::Function(_) | TyKind::String | TyKind::Subobject(_) | TyKind::Array(_, None));
        if let TyKind::Record(r) = self.kind(self.m.types.strip_arrays(t).0)
            && !self.records[r].complete
            && !self.m.types.records[r].builtin
        {
            let d = err_types::incomplete(span, &self.show(t));
            self.report(d);
            return self.error_expr(span);
        }
        // A literal has the size of the type that it is used for.
        let untyped = matches!(self.kind(t), TyKind::Scalar(s) if s.is_literal());
        if self.m.types.has_objects(t) || sizeless(self.kind(t)) || untyped {
            let d = err_types::no_size(span, &self.show(t));
            self.report(d);
            return self.error_expr(span);
        }
        let size = crate::hir::layout::size_of(&self.m.types, t, crate::hir::layout::Rules::Scalar).size;
        self.constant(crate::hir::Const::int(Scalar::Uint, size as i128), span)
    }

    // Names -------------------------------------------------------------------------------------

    fn path_expr(&mut self, path: ast::PathId, span: Span) -> ExprId {
        let name = self.ast.last_name(path);
        // A function of that name and nothing else: an intrinsic used without a call.
        let Some(found) = self.resolve_path_or_row(path) else {
            return self.error_expr(span);
        };
        match found {
            Ok(found) => match self.chosen_variable(found, path) {
                Some(found) => self.binding_expr(found, span),
                None => self.error_expr(span),
            },
            Err(()) => {
                let text = name.map_or(String::new(), |n| self.str(n.sym).to_string());
                self.report(err_names::function_is_no_value(span, &text));
                self.error_expr(span)
            }
        }
    }

    /// The binding of a path; `Err` for the name of an intrinsic.
    fn resolve_path_or_row(&mut self, path: ast::PathId) -> Option<Result<LookupResult, ()>> {
        if let Some(name) = self.ast.simple_name(path) {
            if self.check_ambiguous(name) {
                return None;
            }
            if let Some(f) = self.lookup(name.sym) {
                self.note_use(name, f);
                return (f.binding != Binding::Error).then_some(Ok(f));
            }
            if !self.rows(None, name.sym).is_empty() {
                return Some(Err(()));
            }
        }
        self.resolve_path(path).map(Ok)
    }

    /// The expression of a name.
    pub fn binding_expr(&mut self, found: LookupResult, span: Span) -> ExprId {
        match found.binding {
            Binding::Error => self.error_expr(span),
            Binding::Local(l) => {
                let local = &self.body.locals[l];
                let ty = local.ty;
                let category = if local.is_const { Category::Constant } else { Category::Lvalue };
                if ty == Ty::ERROR {
                    return self.error_expr(span);
                }
                self.push(ExprKind::Local(l), ty, category, span)
            }
            Binding::Global(g) => self.global_expr(g, span),
            Binding::Constant(g, field) => {
                let base = self.global_expr(g, span);
                let inside = self.contents(base);
                self.field(inside, field, span)
            }
            Binding::Value(ty, bits) => self.value(ExprKind::Const(bits), ty, span),
            Binding::Field(_) | Binding::Inner(_) => self.own_field(found, span),
            Binding::Heap(sampler) => {
                let ty = self.m.types.intern(TyKind::Heap(sampler));
                if u32::from(self.opts.available_model()) < HEAP_MODEL {
                    let what = if sampler { "SamplerDescriptorHeap" } else { "ResourceDescriptorHeap" };
                    self.report(super::errors::stages::needs_model(span, what, HEAP_MODEL as u8, self.opts.shader_model));
                }
                self.push(ExprKind::Hole, ty, Category::Constant, span)
            }
            Binding::Functions(_) => {
                let text = self.sources.snippet(span).to_string();
                self.report(err_names::function_is_no_value(span, &text));
                self.error_expr(span)
            }
            Binding::Type(_) | Binding::Template(_) => {
                let text = self.sources.snippet(span).to_string();
                self.report(err_names::type_is_no_value(span, &text));
                self.error_expr(span)
            }
            Binding::Namespace(_) => {
                let text = self.sources.snippet(span).to_string();
                self.report(err_names::namespace_is_no_value(span, &text));
                self.error_expr(span)
            }
            Binding::Subobject(_) => {
                let text = self.sources.snippet(span).to_string();
                self.report(err_names::subobject_is_no_value(span, &text));
                self.error_expr(span)
            }
        }
    }

    /// A variable outside functions; a scalar constant is replaced by its value.
    pub fn global_expr(&mut self, g: crate::hir::GlobalId, span: Span) -> ExprId {
        self.evaluate_late(g);
        let global = &mut self.m.globals[g];
        if self.f.func.is_some() {
            global.used = true;
        }
        let ty = global.ty;
        if ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let category = match &global.kind {
            _ if global.spec.is_some() => Category::Constant,
            GlobalKind::Resource(_) => Category::Constant,
            GlobalKind::GroupShared if self.globals.is_const_groupshared(g) => Category::Constant,
            GlobalKind::GroupShared => Category::Lvalue,
            GlobalKind::Static { is_const: false, .. } => Category::Lvalue,
            GlobalKind::Static { value, .. } => {
                if let (Some(v), TyKind::Scalar(_)) = (value, self.m.types.kind(ty))
                    && let [c] = v[..]
                {
                    return self.value(ExprKind::Const(c.bits), ty, span);
                }
                Category::Constant
            }
        };
        self.used(Use::Global(g));
        self.push(ExprKind::Global(g), ty, category, span)
    }

    /// The contents of a constant buffer.
    pub fn contents(&mut self, e: ExprId) -> ExprId {
        let span = self.span(e);
        match self.m.types.as_resource(self.ty(e)).and_then(|r| r.elem) {
            Some(ty) => {
                let of_block = matches!(self.e(e).kind, ExprKind::Global(g) if self.m.globals[g].is_block);
                let category = if of_block && self.opts.writes_constants() { Category::Lvalue } else { Category::Constant };
                self.push(ExprKind::Contents(e), ty, category, span)
            }
            None => self.error_expr(span),
        }
    }

    /// `this`
    fn this_expr(&mut self, span: Span) -> ExprId {
        let Some((record, is_const)) = self.f.this else {
            self.report(err::this_outside(span));
            return self.error_expr(span);
        };
        let ty = self.m.types.record(record);
        let category = if is_const { Category::Constant } else { Category::Lvalue };
        self.push(ExprKind::This, ty, category, span)
    }

    /// A member variable named without an object, in a method.
    fn own_field(&mut self, found: LookupResult, span: Span) -> ExprId {
        let own = match (self.f.this, found.record) {
            (Some((this, _)), Some(of)) if self.m.types.derives_from(this, of) => {
                let this = self.this_expr(span);
                self.bound_field(this, found.binding, span)
            }
            _ => None,
        };
        match own {
            Some(field) => field,
            None => {
                let text = self.sources.snippet(span).to_string();
                self.report(err::needs_object(span, &text));
                self.error_expr(span)
            }
        }
    }

    /// Member variable `n` of `base`, which is of a record type.
    pub fn field(&mut self, base: ExprId, n: u32, span: Span) -> ExprId {
        let Some(r) = self.m.types.as_record(self.ty(base)) else {
            return self.error_expr(span);
        };
        let Some(f) = self.m.types.records[r].fields.get(n as usize) else {
            return self.error_expr(span);
        };
        let ty = f.ty;
        if ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let category = self.e(base).category;
        self.push(ExprKind::Field(base, n), ty, category, span)
    }

    // Indexing ----------------------------------------------------------------------------------

    fn index_expr(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> ExprId {
        let base = self.expr(base);
        let index = self.expr(index);
        if self.is_error(base) || self.is_error(index) {
            return self.error_expr(span);
        }
        self.index(base, index, span)
    }

    fn index(&mut self, base: ExprId, index: ExprId, span: Span) -> ExprId {
        let ty = self.ty(base);
        let category = self.e(base).category;
        match self.kind(ty) {
            TyKind::Array(..) | TyKind::Patch(..) => {
                let Some((elem, n)) = self.m.types.members(ty) else { return self.error_expr(span) };
                // Unlike vectors and resources, arrays take no vectors of one component.
                let scalar = matches!(self.kind(self.ty(index)), TyKind::Scalar(_) | TyKind::Enum(_));
                if matches!(self.kind(ty), TyKind::Array(..)) && !scalar {
                    let d = err::index_not_scalar(self.span(index), &self.show(self.ty(index)));
                    self.report(d);
                    return self.error_expr(span);
                }
                let index = self.scalar_index(index);
                // One of a vector is a mistake of the source, wherever it is.
                if self.f.unreached == 0 {
                    self.check_array_bound(index, n);
                }
                let part = self.as_const(index).and_then(|c| u32::try_from(c.as_int()?).ok());
                if let Some(part) = part.and_then(|n| self.part_of(base, n, span)) {
                    return part;
                }
                self.push(ExprKind::Index(base, index), elem, category, span)
            }
            TyKind::Vector(s, n) => {
                let index = self.scalar_index(index);
                self.check_bound(index, Some(n));
                self.push(ExprKind::Component(base, index), Ty::scalar(s), category, span)
            }
            TyKind::Matrix { scalar, rows, cols, .. } => {
                let index = self.scalar_index(index);
                self.check_bound(index, Some(rows as u32));
                let row = self.m.types.vector(scalar, cols as u32);
                self.push(ExprKind::Row(base, index), row, category, span)
            }
            TyKind::Resource(r) => self.index_resource(base, &r, index, span),
            TyKind::String if let Some(text) = self.text_of(base) => self.character(text, index, span),
            TyKind::Heap(sampler) => {
                let index = self.scalar_index(index);
                let index = self.convert(index, Ty::UINT, super::conversion::ConversionKind::Explicit);
                let ty = self.m.types.intern(TyKind::HeapElement(sampler));
                self.value(ExprKind::Heap(sampler, index), ty, span)
            }
            TyKind::MipsOf(texture, sample) => {
                let level = self.scalar_index(index);
                let ty = self.m.types.intern(TyKind::MipOf(texture, sample));
                // The texture and the level are operands of a comma until the coordinates are known.
                self.value(ExprKind::Comma(base, level), ty, span)
            }
            TyKind::MipOf(texture, _) => {
                let Some(r) = self.m.types.as_resource(texture) else {
                    return self.error_expr(span);
                };
                let ExprKind::Comma(of, level) = self.e(base).kind else {
                    return self.error_expr(span);
                };
                let texture = match self.e(of).kind {
                    ExprKind::Convert(t) => t,
                    _ => of,
                };
                let at = self.texel_index(index, Self::coords(&r));
                self.texel(texture, &r, at, Some(level), span)
            }
            TyKind::Record(_) => {
                let element = self.element_of_none(ty, span);
                match element.or_else(|| self.call_operator("operator[]", base, &[index], span)) {
                    Some(e) => e,
                    None => self.no_elements(base, span),
                }
            }
            _ => self.no_elements(base, span),
        }
    }

    fn no_elements(&mut self, base: ExprId, span: Span) -> ExprId {
        let d = err::no_elements(self.span(base), &self.show(self.ty(base)));
        self.report(d);
        self.error_expr(span)
    }

    /// An index: `int` or `uint`.
    pub fn scalar_index(&mut self, e: ExprId) -> ExprId {
        let ty = self.ty(e);
        match self.m.types.elem(ty) {
            Some(_) if self.m.types.components(ty) != Some(1) || self.m.types.is_scoped_enum(ty) => {
                let d = err::index_not_scalar(self.span(e), &self.show(ty));
                self.report(d);
                self.error_expr(self.span(e))
            }
            Some(Scalar::Int | Scalar::Uint) if matches!(self.kind(ty), TyKind::Scalar(_)) => e,
            Some(s) => {
                let to = match (s, self.as_const(e).and_then(|c| c.as_int())) {
                    (_, Some(n)) if n < 0 => Ty::INT,
                    (s, _) if s.is_signed() && !s.is_literal() => Ty::INT,
                    _ => Ty::UINT,
                };
                self.convert(e, to, super::conversion::ConversionKind::Explicit)
            }
            None => {
                let d = err::index_not_scalar(self.span(e), &self.show(ty));
                self.report(d);
                self.error_expr(self.span(e))
            }
        }
    }

    /// Reports a constant index that is outside of `n` elements.
    pub fn check_bound(&mut self, index: ExprId, n: Option<u32>) {
        if let Some(i) = self.constant_outside(index, n) {
            self.report(err::out_of_range(self.span(index), i, n));
        }
    }

    /// The same for an array, where the first version of the language has a warning.
    fn check_array_bound(&mut self, index: ExprId, n: Option<u32>) {
        if let Some(i) = self.constant_outside(index, n) {
            let says = if self.opts.hlsl_version <= 2016 { err::index_outside } else { err::out_of_range };
            self.report(says(self.span(index), i, n));
        }
    }

    /// The constant that `index` is, if there are `n` elements and it is that of none.
    fn constant_outside(&self, index: ExprId, n: Option<u32>) -> Option<i128> {
        let i = self.as_const(index)?.as_int()?;
        (i < 0 || n.is_some_and(|n| i >= n as i128)).then_some(i)
    }

    fn index_resource(&mut self, base: ExprId, r: &crate::hir::Resource, index: ExprId, span: Span) -> ExprId {
        use rtc_tables::intrinsics::Object as O;
        use rtc_tables::resources::{ResourceClass, ResourceKind};
        match r.kind {
            ResourceKind::StructuredBuffer if !matches!(r.object, O::AppendStructuredBuffer | O::ConsumeStructuredBuffer) => {
                let Some(elem) = r.elem else {
                    return self.error_expr(span);
                };
                let index = self.scalar_index(index);
                let category = if r.class == ResourceClass::Uav { Category::Lvalue } else { Category::Constant };
                self.push(ExprKind::Element(base, index), elem, category, span)
            }
            // Of multisampled textures the first sample is read.
            k if k.is_typed() && !matches!(k, ResourceKind::TextureCube | ResourceKind::TextureCubeArray) && r.elem.is_some() => {
                let at = self.texel_index(index, Self::coords(r));
                self.texel(base, r, at, None, span)
            }
            ResourceKind::CBuffer | ResourceKind::TBuffer => {
                let inside = self.contents(base);
                self.index(inside, index, span)
            }
            _ => self.no_elements(base, span),
        }
    }

    fn texel(&mut self, base: ExprId, r: &crate::hir::Resource, at: ExprId, level: Option<ExprId>, span: Span) -> ExprId {
        let Some(elem) = r.elem else {
            return self.error_expr(span);
        };
        if self.is_error(at) {
            return at;
        }
        let category = if r.class == rtc_tables::resources::ResourceClass::Uav { Category::Lvalue } else { Category::Constant };
        self.push(ExprKind::Texel(base, at, level), elem, category, span)
    }

    /// Texel coordinates: `n` of `int` or `uint`.
    pub fn texel_index(&mut self, e: ExprId, n: u32) -> ExprId {
        let ty = self.ty(e);
        let Some(elem) = self.m.types.elem(ty) else {
            let d = err::index_not_scalar(self.span(e), &self.show(ty));
            self.report(d);
            return self.error_expr(self.span(e));
        };
        let scalar = match elem {
            s if s.is_signed() && !s.is_literal() => Scalar::Int,
            _ => Scalar::Uint,
        };
        let to = if n == 1 { Ty::scalar(scalar) } else { self.m.types.vector(scalar, n) };
        let have = self.m.types.components(ty).unwrap_or(0);
        if have != n {
            let d = err::texel_coordinates(self.span(e), n, have);
            self.report(d);
            return self.error_expr(self.span(e));
        }
        self.convert(e, to, super::conversion::ConversionKind::Implicit)
    }
}
