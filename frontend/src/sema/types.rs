//! Resolution of types: names, template arguments, array dimensions, packing of matrices.

use rtc_base::{Span, Symbol};
use rtc_tables::intrinsics::Object;
use rtc_tables::limits;
use rtc_tables::ray_flags::QUERY_FLAGS;
use rtc_tables::raytracing::{QUERY_FLAGS_MODEL, QUERY_MODEL};
use rtc_tables::resources::{ResourceClass, ResourceFlags, ResourceKind};
use rtc_tables::types::{self as table, ObjectKind, ObjectRow, Shape};

use super::context::Sema;
use super::errors::{geometry as err_stage, names as err_names, resources as err_resources, types as err};
use super::scope::{Binding, LookupResult, Wanted};
use crate::hir::{Norm, Resource, Scalar, SubobjectType, Ty, TyKind, Types};
use crate::syntax::Ast;
use crate::syntax::ast::{self, Specs, TemplateArg, TypeKind};

/// The limit of elements of an array.
const MAX_ELEMENTS: i128 = 1 << 26;

impl Sema<'_> {
    /// The type `id` as written, with packing, without array dimensions of a declarator.
    pub fn type_of(&mut self, id: ast::TypeId) -> Ty {
        let ty = if self.nesting.enter() {
            self.type_of_inner(id)
        } else {
            let span = self.ast.types[id].span;
            self.report(err::too_deep(span));
            Ty::ERROR
        };
        self.nesting.leave();
        ty
    }

    fn type_of_inner(&mut self, id: ast::TypeId) -> Ty {
        let t = self.ast.types[id];
        let specs = t.specs;
        let ty = match t.kind {
            TypeKind::Error => Ty::ERROR,
            TypeKind::Named(path) => self.named_type(path, t.span, specs),
            TypeKind::Attributed(path, attrs) => {
                let ty = self.named_type(path, t.span, specs);
                self.attributed_type(ty, attrs)
            }
            TypeKind::Auto => {
                self.report(err::misplaced_auto(t.span));
                Ty::ERROR
            }
            TypeKind::Inline(decl) => self.inline_type(decl),
            TypeKind::Of(e) => self.type_of_expr(e, t.span),
            TypeKind::Array(elem, dims) => {
                let elem = self.type_of(elem);
                // A name of an array without a size: each variable has that of its initialiser.
                self.array_of(elem, dims, true, t.span)
            }
            TypeKind::Function(ret, params) => self.function_type(id, ret, params),
            TypeKind::Indirect(inner, reference) => {
                self.type_of(inner);
                self.report_indirect(t.span, reference)
            }
        };
        self.apply_specs(ty, specs, id)
    }

    /// Packing and normalisation.
    fn apply_specs(&mut self, ty: Ty, specs: Specs, id: ast::TypeId) -> Ty {
        if specs.contains(Specs::ROW_MAJOR | Specs::COLUMN_MAJOR) {
            let span = self.ast.spec_span(id, Specs::COLUMN_MAJOR);
            self.report(err::contradiction(span, "row_major", "column_major"));
        }
        if specs.contains(Specs::UNORM | Specs::SNORM) {
            let span = self.ast.spec_span(id, Specs::SNORM);
            self.report(err::contradiction(span, "unorm", "snorm"));
        } else if specs.intersects(Specs::UNORM | Specs::SNORM) {
            let scalar = self.m.types.elem(self.m.types.strip_arrays(ty).0);
            if ty != Ty::ERROR && !scalar.is_some_and(|s| s.is_float()) {
                let span = self.ast.spec_span(id, Specs::UNORM | Specs::SNORM);
                let text = self.show(ty);
                self.report(err::normalised_of_no_float(span, &text));
            }
        }
        if specs.contains(Specs::VOLATILE) {
            let span = self.ast.spec_span(id, Specs::VOLATILE);
            self.report(err::cpp_only(span, "`volatile`"));
        }
        let coherent = specs.intersects(Specs::GLOBALLYCOHERENT | Specs::REORDERCOHERENT);
        if let (true, TyKind::Resource(mut r)) = (coherent, self.kind(ty))
            && r.class == ResourceClass::Uav
        {
            // Of parameters, results, members and aliases too.
            if specs.contains(Specs::GLOBALLYCOHERENT) {
                r.flags |= ResourceFlags::COHERENT;
            }
            if specs.contains(Specs::REORDERCOHERENT) {
                r.flags |= ResourceFlags::REORDER_COHERENT;
            }
            return self.m.types.intern(TyKind::Resource(r));
        }
        let explicit = specs.intersects(Specs::ROW_MAJOR | Specs::COLUMN_MAJOR);
        if explicit {
            let (inner, _) = self.m.types.strip_arrays(ty);
            if !matches!(self.kind(inner), TyKind::Matrix { .. } | TyKind::Error) {
                let span = self.ast.spec_span(id, Specs::ROW_MAJOR | Specs::COLUMN_MAJOR);
                let text = self.show(ty);
                self.report(err::packing_of_no_matrix(span, &text));
            }
        }
        let kind = self.ast.types[id].kind;
        let named = matches!(kind, TypeKind::Named(p) if self.is_matrix_name(p));
        if explicit || named {
            let row_major = if specs.contains(Specs::ROW_MAJOR) {
                true
            } else if specs.contains(Specs::COLUMN_MAJOR) {
                false
            } else if specs.contains(Specs::PRAGMA_ROW_MAJOR) {
                true
            } else if specs.contains(Specs::PRAGMA_COLUMN_MAJOR) {
                false
            } else {
                self.opts.row_major
            };
            return self.m.types.with_packing(ty, row_major);
        }
        ty
    }

    /// Whether the path names a matrix directly, so that the default packing in force applies; an alias has its own.
    fn is_matrix_name(&mut self, path: ast::PathId) -> bool {
        let Some(name) = self.ast.last_name(path) else {
            return false;
        };
        let text = self.str(name.sym);
        let named = text == "matrix" || matches!(table::numeric(text), Some((_, Shape::Matrix(..))));
        named && self.declared(name.sym).is_none()
    }

    /// The type of a name, perhaps with template arguments.
    pub fn named_type(&mut self, path: ast::PathId, span: Span, specs: Specs) -> Ty {
        let p = self.ast.paths[path];
        let segments = self.ast.list(p.segments);
        let Some(&last) = segments.last() else {
            return Ty::ERROR;
        };
        let single = segments.len() == 1 && !p.global;
        if !single {
            self.warn_of_missing_typename(path);
        }
        if single && self.check_ambiguous(last.name) {
            return Ty::ERROR;
        }
        // Built-in templates, if no declaration of the program hides them.
        let found = if single { self.lookup(last.name.sym) } else { None };
        if single {
            self.probe_scope(None, last.name.sym);
            found.into_iter().for_each(|f| self.note_use(last.name, f));
        }
        if single
            && !matches!(found, Some(f) if !matches!(f.binding, Binding::Type(_)))
            && let Some(row) = table::object(self.str(last.name.sym))
            && (last.args.is_some() || !row.params.is_empty())
            && self.declared(last.name.sym).is_none()
        {
            return self.object_type(row, last.args, span, specs);
        }
        if found.is_none()
            && let Some(t) = self.vulkan_type(path, last.args, span)
        {
            return t;
        }
        let Some(LookupResult { binding, .. }) = found.or_else(|| self.resolve_type_path(path)) else {
            return Ty::ERROR;
        };
        match (binding, last.args) {
            (Binding::Type(t), None) => {
                self.complete(t);
                self.check_16_bit(t, last.name);
                self.warn_of_promotion(t, last.name);
                t
            }
            (Binding::Type(t), Some(args)) => {
                if !args.is_empty() || t != Ty::ERROR {
                    let text = self.show(t);
                    self.report(err::takes_no_arguments(span, &text));
                }
                Ty::ERROR
            }
            (Binding::Template(t), Some(args)) => self.instantiate_type(t, args, span).unwrap_or(Ty::ERROR),
            (Binding::Template(t), None) => {
                // Inside a template its own name denotes the instance.
                if let Some(ty) = self.injected_instance(t) {
                    return ty;
                }
                self.instantiate_type(t, ast::List::EMPTY, span).unwrap_or(Ty::ERROR)
            }
            (Binding::Error, _) => Ty::ERROR,
            _ => {
                let text = self.str(last.name.sym).to_string();
                self.report(err_names::not_a_type(span, &text));
                Ty::ERROR
            }
        }
    }

    /// Reports, once, a 16-bit type where native 16-bit types are off.
    fn check_16_bit(&mut self, ty: Ty, name: ast::Name) {
        if self.opts.native_16bit || self.reports.is_muted() {
            return;
        }
        let native = matches!(self.m.types.elem(ty), Some(Scalar::Int16 | Scalar::Uint16 | Scalar::Float16));
        let text = self.str(name.sym);
        if native && table::numeric(text).is_some() {
            let text = text.to_string();
            if self.reports.is_first(("16 bits", Span::NONE)) {
                self.report(err::needs_native_16_bit(name.span, &text));
            }
        }
    }

    /// Warns of a minimum-precision type that is another one: `min12int` and `min10float` have 16 bits, and all are native types where there are
    /// 16-bit types.
    fn warn_of_promotion(&mut self, ty: Ty, name: ast::Name) {
        let text = self.str(name.sym);
        let Some((named, shape)) = table::numeric(text).filter(|(s, _)| s.name().starts_with("min")) else { return };
        let own = self.scalar_of(named);
        let to = match own.named() {
            _ if self.opts.native_16bit => own.computed(),
            Scalar::Min12Int => Scalar::Min16Int,
            Scalar::Min10Float => Scalar::Min16Float,
            _ => return,
        };
        // In the source, not through an alias or a parameter of a template.
        if self.m.types.elem(ty) != Some(own)
            || self.declared(name.sym).is_some()
            || self.reports.is_muted()
            || !self.reports.is_first(("promoted", name.span))
        {
            return;
        }
        let shape = match shape {
            Shape::Scalar => String::new(),
            Shape::Vector(n) => n.to_string(),
            Shape::Matrix(r, c) => format!("{r}x{c}"),
        };
        let (from, to) = (self.str(name.sym).to_string(), format!("{}{shape}", if to == Scalar::Float16 { "half" } else { to.name() }));
        self.report(err::promoted(name.span, &from, &to));
    }

    /// A path in the position of a type; undeclared names are reported as types.
    fn resolve_type_path(&mut self, path: ast::PathId) -> Option<LookupResult> {
        let p = self.ast.paths[path];
        let segments = self.ast.list(p.segments);
        if segments.len() == 1 && !p.global {
            let name = segments[0].name;
            let text = self.str(name.sym).to_string();
            if let Some(what) = obsolete(&text) {
                self.report(err::obsolete(name.span, &text, what));
                return None;
            }
            if let Some(what) = rtc_tables::foreign::cpp_word(&text) {
                self.report(err::cpp_only(name.span, what));
                return None;
            }
            self.reports.note_unknown_type(name.sym);
            let near = self.similar(name.sym, Wanted::Type);
            self.report(err_names::unknown_type(name.span, &text, near));
            return None;
        }
        self.resolve_path(path)
    }

    /// A built-in type by its name without arguments: `float3`, `Texture2D`, `RayDesc`, `void`.
    pub fn builtin_type(&mut self, text: &str) -> Option<Ty> {
        if text == "void" {
            return Some(Ty::VOID);
        }
        if let Some((s, shape)) = table::numeric(text) {
            let s = self.scalar_of(s);
            return Some(match shape {
                Shape::Scalar => Ty::scalar(s),
                Shape::Vector(n) => self.m.types.vector(s, n as u32),
                Shape::Matrix(r, c) => self.m.types.matrix(s, r, c),
            });
        }
        if let Some(row) = table::STRUCTS.iter().find(|r| r.name == text) {
            return Some(self.builtin_record(row));
        }
        let row = table::object(text)?;
        if row.required > 0 {
            return None;
        }
        Some(self.object_type(row, None, Span::NONE, Specs::empty()))
    }

    /// An object type with arguments.
    pub fn object_type(&mut self, row: &'static ObjectRow, args: Option<ast::List<TemplateArg>>, span: Span, specs: Specs) -> Ty {
        let args = args.map_or(Vec::new(), |a| self.ast.list(a).to_vec());
        if args.len() < row.required as usize || args.len() > row.params.len() {
            self.report(err::argument_count(span, row.name, row.required as usize, row.params.len(), args.len()));
            return Ty::ERROR;
        }
        match row.kind {
            ObjectKind::Numeric => self.numeric_template(row, &args, span),
            // As for types of other stages: a file may hold shaders for Vulkan.
            ObjectKind::Resource(_, kind) if kind.is_subpass() && !self.opts.spirv => {
                let d = err_names::type_of_vulkan(span, row.name);
                match self.opts.target {
                    // Names are looked up before they are types.
                    _ if span == Span::NONE => {}
                    super::Target::Shader(..) => self.stages.of_other_stages(d),
                    _ => self.report(d),
                }
                Ty::ERROR
            }
            ObjectKind::Resource(class, kind) => self.resource_type(row, (class, kind), &args, span, specs).unwrap_or(Ty::ERROR),
            ObjectKind::RayQuery => {
                let mut n = [0u32; 2];
                for (slot, &a) in n.iter_mut().zip(&args) {
                    let Some(v) = self.number_arg(a) else {
                        return Ty::ERROR;
                    };
                    *slot = v as u32;
                }
                let have = self.opts.shader_model;
                if self.opts.available_model() < QUERY_MODEL {
                    self.report(super::errors::stages::needs_model(span, "RayQuery", QUERY_MODEL, have));
                } else if n[1] != 0 && self.opts.available_model() < QUERY_FLAGS_MODEL {
                    let at = args.get(1).map_or(span, |&a| self.ast.span_of_arg(a));
                    let flag = QUERY_FLAGS.iter().find(|f| f.0 & n[1] != 0).map_or("RAYQUERY_FLAG", |f| f.1);
                    self.report(super::errors::stages::needs_model(at, flag, QUERY_FLAGS_MODEL, have));
                } else {
                    self.check_query_type(n[0], n[1], span);
                }
                self.m.types.intern(TyKind::RayQuery { flags: n[0], query_flags: n[1] })
            }
            ObjectKind::HitObject => self.m.types.intern(TyKind::HitObject),
            ObjectKind::Linalg => self.m.types.intern(TyKind::Linalg(None)),
            ObjectKind::Subobject => match subobject_type(row.name) {
                Some(s) => self.m.types.intern(TyKind::Subobject(s)),
                None => Ty::ERROR,
            },
            ObjectKind::Text => self.m.types.intern(TyKind::String),
            ObjectKind::Stream(topology) => match self.stage_element(args[0], span, row.name) {
                Some(t) => self.m.types.intern(TyKind::Stream(topology, t)),
                None => Ty::ERROR,
            },
            ObjectKind::Patch { output } => {
                let Some(t) = self.stage_element(args[0], span, row.name) else { return Ty::ERROR };
                match self.number_arg(args[1]) {
                    Some(n) if (1..=limits::PATCH_POINTS.into()).contains(&n) => self.m.types.intern(TyKind::Patch(output, t, n as u32)),
                    Some(n) => {
                        self.report(err_stage::patch_size(span, row.name, n));
                        Ty::ERROR
                    }
                    None => Ty::ERROR,
                }
            }
            // A file may hold the entries of several stages. For the target of one shader the type is an error only where it is used.
            ObjectKind::OtherStage if matches!(self.opts.target, super::Target::Shader(..)) => {
                self.stages.of_other_stages(err::not_supported(span, row.name));
                Ty::ERROR
            }
            ObjectKind::OtherStage | ObjectKind::Vulkan => {
                self.report(err::not_supported(span, row.name));
                Ty::ERROR
            }
        }
    }

    /// The type of a resource; `None` if an argument is wrong, which is reported.
    fn resource_type(
        &mut self,
        row: &'static ObjectRow,
        (class, kind): (ResourceClass, ResourceKind),
        args: &[TemplateArg],
        span: Span,
        specs: Specs,
    ) -> Option<Ty> {
        let name = if row.name == "sampler" { "SamplerState" } else { row.name };
        let object = Object::from_name(name)?;
        let mut elem = None;
        let mut samples = 0;
        let mut norm = Norm::None;
        for (i, p) in row.params.iter().enumerate() {
            match p {
                table::ObjectParam::Number => {
                    if let Some(&a) = args.get(i) {
                        samples = self.number_arg(a)?.clamp(0, 255) as u32;
                    }
                }
                table::ObjectParam::Texel => {
                    let ty = match args.get(i) {
                        Some(&a) => {
                            let (ty, n) = self.texel_arg(a, span, row.name);
                            norm = n;
                            ty
                        }
                        None => self.m.types.vector(Scalar::Float, 4),
                    };
                    if ty == Ty::ERROR {
                        return None;
                    }
                    if kind.is_subpass() && self.m.types.shape(ty).is_none_or(|s| s.0 != 1) {
                        let text = self.show(ty);
                        self.report(err_resources::bad_texel(span, row.name, &text));
                        return None;
                    }
                    elem = Some(ty);
                }
                table::ObjectParam::Element | table::ObjectParam::Constants => {
                    let constants = *p == table::ObjectParam::Constants;
                    let ty = args.get(i).map_or(Ty::ERROR, |&a| self.element_arg(a, span, row.name, constants));
                    if ty == Ty::ERROR {
                        return None;
                    }
                    elem = Some(ty);
                }
            }
        }
        let mut flags = object.info().flags;
        if specs.contains(Specs::GLOBALLYCOHERENT) {
            flags |= ResourceFlags::COHERENT;
        }
        if specs.contains(Specs::REORDERCOHERENT) {
            flags |= ResourceFlags::REORDER_COHERENT;
        }
        let r = Resource { object, class, kind, elem, norm, samples, flags };
        Some(self.m.types.intern(TyKind::Resource(r)))
    }

    /// `vector<T, N>` and `matrix<T, R, C>`.
    fn numeric_template(&mut self, row: &ObjectRow, args: &[TemplateArg], span: Span) -> Ty {
        let scalar = match args.first() {
            None => Scalar::Float,
            Some(&a) => match self.type_arg(a) {
                None | Some(Ty::ERROR) => return Ty::ERROR,
                Some(t) => match self.kind(t) {
                    TyKind::Scalar(s) => s,
                    _ => {
                        let text = self.show(t);
                        self.report(err::not_a_component(span, row.name, &text));
                        return Ty::ERROR;
                    }
                },
            },
        };
        let long = self.opts.shader_model >= 9 && row.name == "vector";
        let most = if long { 1024 } else { 4 };
        let mut dims = [4u32; 2];
        for (slot, &a) in dims.iter_mut().zip(args.iter().skip(1)) {
            let Some(n) = self.number_arg(a) else {
                return Ty::ERROR;
            };
            if n < 1 || n > most {
                self.report(err::dimension(span, row.name, n, most));
                return Ty::ERROR;
            }
            *slot = n as u32;
        }
        if row.name == "vector" { self.m.types.vector(scalar, dims[0]) } else { self.m.types.matrix(scalar, dims[0] as u8, dims[1] as u8) }
    }

    /// A type argument; an expression that is a name may be a type.
    pub fn type_arg(&mut self, a: TemplateArg) -> Option<Ty> {
        match a {
            TemplateArg::Type(t) => Some(self.type_of(t)),
            TemplateArg::Expr(e) => {
                let expr = self.ast.exprs[e];
                if let ast::ExprKind::Path(p) = expr.kind {
                    let ty = self.named_type(p, expr.span, Specs::empty());
                    return Some(ty);
                }
                self.report(err_names::not_a_type(expr.span, "an expression"));
                None
            }
        }
    }

    /// An integer argument.
    pub fn number_arg(&mut self, a: TemplateArg) -> Option<i128> {
        match a {
            TemplateArg::Expr(e) => self.constant_int(e),
            TemplateArg::Type(t) => {
                // A name that the parser classified as a type.
                if let TypeKind::Named(path) = self.ast.types[t].kind
                    && let Some(f) = self.resolve_path(path)
                {
                    if let Binding::Value(ty, bits) = f.binding
                        && let Some(scalar) = self.m.types.elem(ty)
                    {
                        return crate::hir::Const { scalar, bits }.as_int();
                    }
                    let span = self.ast.types[t].span;
                    self.report(super::errors::exprs::not_constant(span, None));
                }
                None
            }
        }
    }

    /// The texel type of a texture or typed buffer, and its normalisation.
    fn texel_arg(&mut self, a: TemplateArg, span: Span, object: &str) -> (Ty, Norm) {
        let norm = match a {
            TemplateArg::Type(t) if self.ast.types[t].specs.contains(Specs::UNORM) => Norm::Unorm,
            TemplateArg::Type(t) if self.ast.types[t].specs.contains(Specs::SNORM) => Norm::Snorm,
            _ => Norm::None,
        };
        let ty = self.type_arg(a).unwrap_or(Ty::ERROR);
        let ok = match self.kind(ty) {
            TyKind::Error => return (ty, norm),
            TyKind::Scalar(s) | TyKind::Vector(s, 1..=4) => {
                let n = self.m.types.components(ty).unwrap_or(1);
                n * s.bytes() <= 16
            }
            _ => false,
        };
        if !ok {
            let text = self.show(ty);
            self.report(super::errors::resources::bad_texel(span, object, &text));
            return (Ty::ERROR, norm);
        }
        (ty, norm)
    }

    /// The element of a structured buffer, the record of a constant buffer.
    fn element_arg(&mut self, a: TemplateArg, span: Span, object: &str, constants: bool) -> Ty {
        let ty = self.type_arg(a).unwrap_or(Ty::ERROR);
        if ty == Ty::ERROR {
            return ty;
        }
        if let TyKind::Record(r) = self.kind(ty) {
            if !self.records[r].complete && !self.m.types.records[r].builtin {
                let text = self.show(ty);
                self.report(err::incomplete(span, &text));
                return Ty::ERROR;
            }
        } else if constants {
            let text = self.show(ty);
            self.report(super::errors::resources::not_a_record(span, object, &text));
            return Ty::ERROR;
        }
        let sized = matches!(
            self.kind(ty),
            TyKind::Record(_)
                | TyKind::Scalar(_)
                | TyKind::Vector(..)
                | TyKind::Matrix { .. }
                | TyKind::Enum(_)
                | TyKind::BufferPointer(..)
                | TyKind::Array(_, Some(_))
        );
        let objects = match constants {
            true => self.m.types.has_hit_objects(ty),
            false => self.m.types.has_objects(ty),
        };
        if !sized || objects {
            let text = self.show(ty);
            self.report(super::errors::resources::bad_element(span, object, &text));
            return Ty::ERROR;
        }
        if constants && !self.check_long_vectors(ty, span, &format!("a `{object}`")) {
            return Ty::ERROR;
        }
        self.check_element_size(ty, span, object, constants);
        ty
    }

    /// The type of the vertices of a stream or of the control points of a patch.
    fn stage_element(&mut self, a: TemplateArg, span: Span, object: &str) -> Option<Ty> {
        let ty = self.type_arg(a).filter(|&t| t != Ty::ERROR)?;
        let complete = match self.kind(ty) {
            TyKind::Record(r) => self.records[r].complete || self.m.types.records[r].builtin,
            _ => self.m.types.is_numeric(ty),
        };
        if !complete || self.m.types.has_objects(ty) {
            let text = self.show(ty);
            self.report(super::errors::resources::bad_element(span, object, &text));
            return None;
        }
        Some(ty)
    }

    /// The limits of D3D12 on constant buffers and on elements of structured buffers.
    fn check_element_size(&mut self, ty: Ty, span: Span, object: &str, constants: bool) {
        use super::errors::resources as err;
        use crate::hir::layout::{self, Rules};
        let rules = if constants { Rules::CBuffer } else { Rules::Scalar };
        let size = layout::size_of(&self.m.types, ty, rules).size;
        let text = self.show(ty);
        if constants && size > limits::CONSTANT_BUFFER_BYTES {
            self.report(err::block_too_large(span, &text, size));
        } else if !constants && size > limits::STRUCTURE_STRIDE && !self.opts.spirv {
            self.report(err::element_too_large(span, object, &text, size, limits::STRUCTURE_STRIDE));
        }
    }

    /// `elem` with the dimensions of a declarator at `span` around it. `open`: the first may be `[]`.
    pub fn array_of(&mut self, elem: Ty, dims: ast::List<ast::ArrayDim>, open: bool, span: Span) -> Ty {
        let dims = self.ast.list(dims).to_vec();
        if matches!(self.kind(elem), TyKind::Array(_, None)) && !(open && dims.is_empty()) {
            self.report(err::open_dimension(span));
            return Ty::ERROR;
        }
        let mut ty = elem;
        for (i, d) in dims.iter().enumerate().rev() {
            let n = match d.size {
                Some(e) => match self.constant_int(e) {
                    Some(n) if (1..=MAX_ELEMENTS).contains(&n) => Some(n as u32),
                    Some(0) if self.m.types.has_values(ty) => {
                        ty = self.empty_array(ty, d.span);
                        continue;
                    }
                    Some(n) => {
                        let span = self.ast.exprs[e].span;
                        self.report(err::array_size(span, n));
                        return Ty::ERROR;
                    }
                    None => return Ty::ERROR,
                },
                None if i == 0 && open => None,
                None => {
                    self.report(err::open_dimension(d.span));
                    return Ty::ERROR;
                }
            };
            if ty == Ty::ERROR {
                return ty;
            }
            if matches!(self.kind(ty), TyKind::Void | TyKind::Function(_) | TyKind::Subobject(_) | TyKind::String) {
                let text = self.show(ty);
                self.report(err::no_array_of(d.span, &text));
                return Ty::ERROR;
            }
            ty = self.m.types.array(ty, n);
            if self.m.types.leaf_count(ty) > 1 << 28 {
                self.report(err::array_size(d.span, self.m.types.leaf_count(ty) as i128));
                return Ty::ERROR;
            }
        }
        ty
    }

    /// Whether variables of the type can exist; reports why not.
    pub fn check_variable_type(&mut self, ty: Ty, span: Span) -> bool {
        match self.kind(self.m.types.strip_arrays(ty).0) {
            TyKind::Error => false,
            TyKind::Void => {
                self.report(err::void_variable(span));
                false
            }
            TyKind::Linalg(None) => {
                self.report(super::errors::linalg::no_attribute(span));
                false
            }
            TyKind::Record(r) if !self.records[r].complete && !self.m.types.records[r].builtin => {
                let text = self.show(ty);
                self.report(err::incomplete(span, &text));
                false
            }
            TyKind::Record(r) if self.records[r].is_interface => {
                let text = self.show(ty);
                self.report(err::interface_object(span, &text));
                false
            }
            TyKind::Record(r) if !self.records[r].missing.is_empty() => {
                let text = self.show(ty);
                self.check_methods(r, &text, span)
            }
            // In another shader of the file they are of no interest.
            TyKind::Stream(..) | TyKind::Patch(..) if matches!(self.opts.target, super::Target::Shader(..)) => {
                let text = self.show(ty);
                self.stages.of_other_stages(err::no_variable_of(span, &text));
                false
            }
            TyKind::Heap(_)
            | TyKind::HeapElement(_)
            | TyKind::MipsOf(..)
            | TyKind::MipOf(..)
            | TyKind::Stream(..)
            | TyKind::Patch(..)
            | TyKind::Function(_) => {
                let text = self.show(ty);
                self.report(err::no_variable_of(span, &text));
                false
            }
            _ => true,
        }
    }

    /// Reports a long vector in a type that cannot have one.
    pub fn check_long_vectors(&mut self, ty: Ty, span: Span, place: &str) -> bool {
        let long = self.m.types.has_long_vectors(ty);
        if long {
            let text = self.show(ty);
            self.report(err::long_vector(span, place, &text));
        }
        !long
    }

    /// A built-in structure.
    pub fn builtin_record(&mut self, row: &'static table::StructRow) -> Ty {
        let name = self.names.intern(row.name);
        if let Some(ty) = self.records.built_in(name) {
            return ty;
        }
        let mut fields = Vec::new();
        for (ty, field) in row.fields {
            let ty = self.builtin_type(ty).unwrap_or(Ty::ERROR);
            fields.push(crate::hir::Field {
                name: self.names.intern(field),
                ty,
                span: Span::NONE,
                pack_offset: None,
                vk_offset: None,
                inline: None,
                bits: None,
                ends_unit: false,
                paq: None,
                paq_at: crate::hir::PaqSpans::default(),
                semantic: None,
                interpolation: Default::default(),
                place: crate::hir::StagePlace::default(),
                precise: false,
            });
        }
        let names: Vec<Symbol> = fields.iter().map(|f| f.name).collect();
        let r = self.m.types.records.push(crate::hir::Record {
            name,
            qualified: row.name.into(),
            path: vec![row.name.into()],
            is_class: false,
            base: None,
            fields,
            rows: Vec::new(),
            raypayload: false,
            used_as_payload: false,
            builtin: true,
            span: Span::NONE,
        });
        for (i, n) in names.into_iter().enumerate() {
            self.records[r].names.insert(n, (Binding::Field(i as u32), Span::NONE));
        }
        self.records[r].complete = true;
        let ty = self.m.types.record(r);
        self.records.set_built_in(name, ty);
        ty
    }

    /// The number of texel coordinates of a resource type.
    pub fn coords(r: &Resource) -> u32 {
        match r.kind {
            ResourceKind::TypedBuffer => 1,
            k => k.coords(),
        }
    }
}

impl Types {
    /// The type with its matrices packed so.
    pub(crate) fn with_packing(&mut self, ty: Ty, row_major: bool) -> Ty {
        match self.kind(ty) {
            TyKind::Matrix { scalar, rows, cols, .. } => self.intern(TyKind::Matrix { scalar, rows, cols, row_major }),
            TyKind::Array(e, n) => {
                let e = self.with_packing(e, row_major);
                self.array(e, n)
            }
            _ => ty,
        }
    }

    /// Whether values of the type are numbers and nothing else.
    fn has_values(&self, ty: Ty) -> bool {
        !matches!(self.kind(ty), TyKind::Error | TyKind::Void | TyKind::Function(_) | TyKind::Subobject(_) | TyKind::String)
            && !self.has_objects(ty)
    }

    /// Whether a vector of more than four components is somewhere inside.
    pub(crate) fn has_long_vectors(&self, ty: Ty) -> bool {
        match self.kind(self.strip_arrays(ty).0) {
            TyKind::Vector(_, n) => n > 4,
            TyKind::Record(r) => self.records[r].fields.iter().any(|f| self.has_long_vectors(f.ty)),
            _ => false,
        }
    }
}

impl Ast {
    /// The span of specifier `what`.
    pub(crate) fn spec_span(&self, id: ast::TypeId, what: Specs) -> Span {
        let t = self.types[id];
        let specs = self.list(t.spec_list);
        specs.iter().find(|s| s.what.intersects(what)).map_or(t.span, |s| s.span)
    }
}

/// The subobject type of this name.
fn subobject_type(name: &str) -> Option<SubobjectType> {
    use SubobjectType::*;
    Some(match name {
        "StateObjectConfig" => StateObjectConfig,
        "GlobalRootSignature" => GlobalRootSignature,
        "LocalRootSignature" => LocalRootSignature,
        "SubobjectToExportsAssociation" | "SubobjectToEntrypointAssociation" => SubobjectToExportsAssociation,
        "RaytracingShaderConfig" => RaytracingShaderConfig,
        "RaytracingPipelineConfig" => RaytracingPipelineConfig,
        "RaytracingPipelineConfig1" => RaytracingPipelineConfig1,
        "TriangleHitGroup" => TriangleHitGroup,
        "ProceduralPrimitiveHitGroup" => ProceduralPrimitiveHitGroup,
        _ => return None,
    })
}

/// The replacement of a type of an older specification or shader model.
fn obsolete(name: &str) -> Option<&'static str> {
    Some(match name {
        "HitGroup" => "TriangleHitGroup or ProceduralPrimitiveHitGroup",
        "RootSignature" => "GlobalRootSignature or LocalRootSignature",
        "texture" | "texture2D" | "sampler2D" => "Texture2D and SamplerState",
        "texture1D" | "sampler1D" => "Texture1D and SamplerState",
        "texture3D" | "sampler3D" => "Texture3D and SamplerState",
        "textureCUBE" | "samplerCUBE" => "TextureCube and SamplerState",
        "sampler_state" => "SamplerState",
        _ => return None,
    })
}
