//! Types of namespace `vk`: those made of an instruction of SPIR-V, and pointers to buffers with their casts.

use rtc_base::Span;
use rtc_ir::inline::{Decoration, DecorationOperands};
use rtc_tables::inline_spirv as numbers;
use rtc_tables::intrinsics::Scope as RowScope;
use rtc_tables::resources::ResourceClass;
use rtc_tables::types::{self as table, ObjectKind};
use rtc_tables::vk_attributes::On;

use super::context::Sema;
use super::conversion::ConversionKind;
use super::errors::{inline as err, stmts as err_stmts, types as err_types};
use super::scope::{Binding, NsId, Qualifier, Scopes};
use crate::hir::inline::{InlineFunction, InlineGlobal, InlineParam, SpirvType, SpirvTypeOperand};
use crate::hir::layout::{self, Rules};
use crate::hir::{Arg, Category, Const, ExprId, ExprKind, FuncId, GlobalKind, Scalar, Ty, TyKind, Types};
use crate::syntax::ast::{self, TemplateArg};

/// The largest size and alignment that a type may declare.
const MAX_SIZE: i128 = 1 << 20;

impl Sema<'_> {
    /// A type of namespace `vk` with its arguments; none if the path names no such type.
    pub fn vulkan_type(&mut self, path: ast::PathId, args: Option<ast::List<TemplateArg>>, span: Span) -> Option<Ty> {
        let segments = self.ast.list(self.ast.paths[path].segments).to_vec();
        let text = self.str(segments.last()?.name.sym).to_string();
        let row = table::OBJECTS.iter().find(|r| r.namespace == "vk" && r.name == text)?;
        let ours = match segments.len() {
            1 => self.scopes.uses_vk(),
            _ => matches!(self.path_qualifier(path), Some(Qualifier::Namespace(ns)) if self.scopes.is_vk_namespace(ns)),
        };
        if !ours {
            return None;
        }
        if !self.opts.spirv {
            self.report(err::type_only_in_spirv(span, row.name));
            return Some(Ty::ERROR);
        }
        if row.kind != ObjectKind::Vulkan {
            return Some(self.object_type(row, args, span, ast::Specs::empty()));
        }
        let args = args.map_or(Vec::new(), |a| self.ast.list(a).to_vec());
        let variadic = matches!(row.name, "SpirvType" | "SpirvOpaqueType");
        let needed = match row.name {
            "SpirvType" => 3,
            "SpirvOpaqueType" => 1,
            _ => row.required.into(),
        };
        if args.len() < needed || !variadic && args.len() > row.params.len() {
            let most = if variadic { usize::from(u16::MAX) } else { row.params.len() };
            self.report(err_types::argument_count(span, row.name, needed, most, args.len()));
            return Some(Ty::ERROR);
        }
        Some(self.vulkan_type_of(row.name, &args, span).unwrap_or(Ty::ERROR))
    }

    fn vulkan_type_of(&mut self, name: &'static str, args: &[TemplateArg], span: Span) -> Option<Ty> {
        match name {
            "integral_constant" => {
                let ty = self.type_arg(args[0]).filter(|t| *t != Ty::ERROR)?;
                let Some(scalar) = self.m.types.elem(ty).filter(|s| !s.is_float() && self.m.types.components(ty) == Some(1)) else {
                    let text = self.show(ty);
                    self.report(err::not_integral(span, &text));
                    return None;
                };
                let n = self.number_arg(args[1])?;
                Some(self.m.types.intern(TyKind::Integral(ty, Const::int(scalar, n).bits)))
            }
            "Literal" => {
                let ty = self.type_arg(args[0]).filter(|t| *t != Ty::ERROR)?;
                let TyKind::Integral(t, bits) = self.kind(ty) else {
                    self.report(err::literal_of_no_constant(span));
                    return None;
                };
                Some(self.m.types.intern(TyKind::SpirvLiteral(t, bits)))
            }
            "ext_result_id" => self.type_arg(args[0]),
            "ext_type" => {
                let n = self.number_in(args[0], 0, u32::MAX.into(), span)?;
                let ty = self.m.types.numbered_type(n as u32);
                self.m.types.note_spirv_type(ty, span);
                Some(ty)
            }
            "BufferPointer" => {
                let pointee = self.type_arg(args[0]).filter(|t| *t != Ty::ERROR)?;
                let align = match args.get(1) {
                    Some(&a) => self.number_in(a, 0, MAX_SIZE, span)?,
                    None => 0,
                };
                self.buffer_pointer(pointee, align as u32, span)
            }
            "SpirvType" => {
                let opcode = self.number_in(args[0], 1, 0xffff, span)?;
                let size = self.number_in(args[1], 0, MAX_SIZE, span)?;
                let align = self.number_in(args[2], 0, MAX_SIZE, span)?;
                if align > 0 && !(align as u32).is_power_of_two() {
                    self.report(err::alignment(span));
                    return None;
                }
                self.spirv_type_of(opcode as u32, (size as u32, align as u32), &args[3..], span)
            }
            "SpirvOpaqueType" => {
                let opcode = self.number_in(args[0], 1, 0xffff, span)?;
                self.spirv_type_of(opcode as u32, (0, 0), &args[1..], span)
            }
            _ => {
                self.report(err_types::not_supported(span, name));
                None
            }
        }
    }

    /// A number that is a template argument, in a range.
    fn number_in(&mut self, a: TemplateArg, least: i128, most: i128, span: Span) -> Option<i128> {
        let n = self.number_arg(a)?;
        if !(least..=most).contains(&n) {
            self.report(err::number_out_of_range(span, n, least, most));
            return None;
        }
        Some(n)
    }

    fn spirv_type_of(&mut self, opcode: u32, (size, align): (u32, u32), args: &[TemplateArg], span: Span) -> Option<Ty> {
        let mut operands = Vec::new();
        for &a in args {
            let ty = self.type_arg(a)?;
            let constant = |s: &Self, t: Ty, bits| Const { scalar: s.m.types.elem(t).unwrap_or(Scalar::Uint), bits };
            operands.push(match self.kind(ty) {
                TyKind::Error => return None,
                TyKind::Integral(t, bits) => SpirvTypeOperand::Constant(constant(self, t, bits)),
                TyKind::SpirvLiteral(t, bits) => SpirvTypeOperand::Literal(constant(self, t, bits)),
                _ => SpirvTypeOperand::Type(ty),
            });
        }
        let ty = self.m.types.spirv_type(SpirvType { opcode, size, align, operands, number: None });
        self.m.types.note_spirv_type(ty, span);
        Some(ty)
    }

    /// A function with `[[vk::ext_type_def(n, opcode)]]`.
    pub fn spirv_type_function(&mut self, func: FuncId, f: &ast::Function, a: &ast::Attr) {
        let what = "a number for the type and an opcode";
        if !self.inline_arity(a, 2, what) {
            return;
        }
        let (Some(n), Some(opcode)) = (self.inline_number(a, 0, what), self.inline_number(a, 1, what)) else { return };
        if !(1..=0xffff).contains(&opcode) {
            return self.report(err_stmts::attribute_argument(a.span, "vk::ext_type_def", what));
        }
        let params = self.inline_params(f);
        let requirements = self.m.funcs[func].requirements.clone();
        let ty = self.m.types.numbered_type(n);
        if let TyKind::Spirv(id) = self.kind(ty) {
            self.m.types.spirv[id].opcode = opcode;
            self.m.types.spirv_requirements[id].add(&requirements);
        }
        let action = rtc_ir::inline::InlineAction::Core(opcode);
        self.m.funcs[func].inline = Some(Box::new(InlineFunction { action, params, fixed: Vec::new(), defines: Some(n) }));
    }

    /// A call of such a function: its arguments are the operands of the type.
    pub fn define_spirv_type(&mut self, f: FuncId, args: &[Arg]) {
        let Some(inline) = &self.m.funcs[f].inline else { return };
        let Some(n) = inline.defines else { return };
        let kinds = inline.params.clone();
        let mut operands = Vec::new();
        for (arg, kind) in args.iter().zip(kinds) {
            let constant = match self.evaluate(arg.expr).as_deref() {
                Some(&[c]) => Some(c),
                _ => None,
            };
            operands.push(match (kind, constant) {
                (InlineParam::Literal, Some(c)) => SpirvTypeOperand::Literal(c),
                (InlineParam::Value, Some(c)) => SpirvTypeOperand::Constant(c),
                (InlineParam::Reference, _) => SpirvTypeOperand::Type(arg.ty),
                _ => {
                    let span = self.span(arg.expr);
                    return self.report(err::not_a_literal(span));
                }
            });
        }
        let ty = self.m.types.numbered_type(n);
        if let TyKind::Spirv(id) = self.kind(ty) {
            if operands.iter().any(|o| matches!(*o, SpirvTypeOperand::Type(t) if self.m.types.contains_type(t, ty, 0))) {
                let span = args.first().map_or(rtc_base::Span::NONE, |a| self.span(a.expr));
                return self.report(err::type_in_itself(span, n));
            }
            self.m.types.spirv[id].operands = operands;
        }
    }

    /// The attributes of an alias: what they require counts where the type is used, if it is one of SPIR-V.
    pub fn inline_alias(&mut self, t: Option<Ty>, attrs: ast::List<ast::Attr>) {
        let attrs = self.ast.list(attrs).to_vec();
        self.check_vk_attrs(&attrs, On::ALIAS);
        let needs = self.requirements(&attrs);
        match t.map(|t| self.kind(t)) {
            Some(TyKind::Spirv(id)) => self.m.types.spirv_requirements[id].add(&needs),
            _ => self.m.requirements.add(&needs),
        }
    }

    /// A variable outside of functions of a type of SPIR-V: a descriptor.
    pub fn spirv_resource(&mut self, v: &ast::Var, name: ast::Name, ty: Ty, attrs: &[ast::Attr]) {
        let class = self.ast.list(v.annotations).iter().find_map(|a| match a.kind {
            ast::AnnotationKind::Register(ast::Register { slot: Some((letter, _)), .. }) => {
                let all = [ResourceClass::Srv, ResourceClass::Uav, ResourceClass::Cbv, ResourceClass::Sampler];
                all.into_iter().find(|c| c.letter() == letter)
            }
            _ => None,
        });
        let binding = self.binding(v.annotations, attrs, class.map(|c| (c, rtc_tables::resources::ResourceKind::RawBuffer)));
        let Some((b, set)) = binding.vk.or(binding.register.map(|r| (r, binding.space))) else {
            self.report(err::no_binding(name.span));
            self.declare(name, Binding::Error);
            return;
        };
        let word = |number, n| Decoration { span: name.span, number, operands: DecorationOperands::Words(vec![n]) };
        let mut decorations = vec![word(numbers::DESCRIPTOR_SET, set), word(numbers::BINDING, b)];
        decorations.extend(self.decorations(attrs));
        let requirements = self.requirements(attrs);
        let g = self.new_global(name, ty, GlobalKind::Static { is_const: true, init: None, value: None }, true);
        self.m.globals[g].inline = Some(Box::new(InlineGlobal { class: Some(numbers::UNIFORM_CONSTANT), decorations, requirements }));
        self.declare(name, Binding::Global(g));
    }

    // Pointers to buffers -----------------------------------------------------------------------

    fn buffer_pointer(&mut self, pointee: Ty, align: u32, span: Span) -> Option<Ty> {
        if self.m.types.has_objects(pointee)
            || matches!(self.kind(pointee), TyKind::Void | TyKind::Function(_) | TyKind::String | TyKind::Subobject(_))
        {
            let text = self.show(pointee);
            self.report(err::pointer_to(span, &text));
            return None;
        }
        if align > 0 && !align.is_power_of_two() {
            self.report(err::alignment(span));
            return None;
        }
        Some(self.m.types.intern(TyKind::BufferPointer(pointee, align)))
    }

    /// `p.Get()`
    pub fn pointee(&mut self, p: ExprId, pointee: Ty, span: Span) -> ExprId {
        if !self.check_variable_type(pointee, span) {
            return self.error_expr(span);
        }
        self.push(ExprKind::Pointee(p), pointee, Category::Lvalue, span)
    }

    /// A cast between pointers and numbers; none if there is no pointer.
    pub fn pointer_cast(&mut self, e: ExprId, to: Ty, span: Span) -> Option<ExprId> {
        let from = self.ty(e);
        match (self.kind(from), self.kind(to)) {
            _ if from == to => None,
            (TyKind::BufferPointer(a, n), TyKind::BufferPointer(b, m)) => {
                if a != b {
                    let d = super::errors::exprs::bad_cast(span, &self.show(from), &self.show(to));
                    self.report(d);
                    return Some(self.error_expr(span));
                }
                Some(self.realigned(e, (a, n), (b, m), to, span))
            }
            (TyKind::BufferPointer(..), TyKind::Scalar(s)) if s.is_int() => {
                let wide = self.value(ExprKind::Convert(e), Ty::scalar(Scalar::Uint64), span);
                Some(self.cast(wide, to, span))
            }
            (TyKind::Scalar(s), TyKind::BufferPointer(..)) if s.is_int() => {
                let wide = self.convert(e, Ty::scalar(Scalar::Uint64), ConversionKind::Explicit);
                Some(self.value(ExprKind::Convert(wide), to, span))
            }
            _ => None,
        }
    }

    fn realigned(&mut self, e: ExprId, from: (Ty, u32), to: (Ty, u32), ty: Ty, span: Span) -> ExprId {
        if self.m.types.pointer_alignment(to.0, to.1) > self.m.types.pointer_alignment(from.0, from.1) {
            self.report(err::greater_alignment(span));
            return self.error_expr(span);
        }
        self.value(ExprKind::Convert(e), ty, span)
    }

    /// `vk::static_pointer_cast<T, align>(p)`, `vk::reinterpret_pointer_cast<T, align>(p)`
    pub fn named_pointer_cast(&mut self, name: ast::Segment, args: ast::List<ast::ExprId>, to_base: bool, span: Span) -> ExprId {
        if !self.opts.spirv {
            self.report(err::type_only_in_spirv(name.name.span, if to_base { "static_pointer_cast" } else { "reinterpret_pointer_cast" }));
            return self.error_expr(span);
        }
        let targs = name.args.map_or(Vec::new(), |a| self.ast.list(a).to_vec());
        let &[arg] = self.ast.list(args) else {
            self.report(err::pointer_cast_arguments(span));
            return self.error_expr(span);
        };
        let e = self.expr(arg);
        if self.is_error(e) {
            return e;
        }
        let TyKind::BufferPointer(from, from_align) = self.kind(self.ty(e)) else {
            let text = self.show(self.ty(e));
            self.report(err::no_pointer(self.span(e), &text));
            return self.error_expr(span);
        };
        let (Some(&first), true) = (targs.first(), targs.len() <= 2) else {
            self.report(err::pointer_cast_arguments(span));
            return self.error_expr(span);
        };
        let pointee = self.type_arg(first).filter(|t| *t != Ty::ERROR);
        let align = match targs.get(1) {
            Some(&a) => self.number_in(a, 0, MAX_SIZE, span),
            None => Some(0),
        };
        let (Some(pointee), Some(align)) = (pointee, align) else { return self.error_expr(span) };
        let Some(to) = self.buffer_pointer(pointee, align as u32, span) else { return self.error_expr(span) };
        let related = pointee == from
            || matches!((self.kind(from), self.kind(pointee)), (TyKind::Record(a), TyKind::Record(b)) if self.m.types.derives_from(a, b));
        if to_base && !related {
            let (a, b) = (self.show(from), self.show(pointee));
            self.report(err::no_base(span, &a, &b));
            return self.error_expr(span);
        }
        self.realigned(e, (from, from_align), (pointee, align as u32), to, span)
    }
}

impl Scopes {
    fn is_vk_namespace(&self, ns: NsId) -> bool {
        self.namespaces[ns].rows == Some(RowScope::Vk)
    }

    /// Whether names of namespace `vk` are visible without it.
    fn uses_vk(&self) -> bool {
        let mut spaces: Vec<NsId> = self.usings.iter().map(|u| u.1).collect();
        let mut at = Some(self.ctx);
        while let Some(id) = at {
            if let super::scope::CtxKind::Namespace(ns) = self.ctxs[id].kind {
                spaces.extend(&self.namespaces[ns].usings);
            }
            at = self.ctxs[id].parent;
        }
        spaces.iter().any(|&ns| self.is_vk_namespace(ns))
    }
}

impl Types {
    /// Notes where a type of SPIR-V is named first.
    fn note_spirv_type(&mut self, ty: Ty, span: Span) {
        if let TyKind::Spirv(id) = self.kind(ty)
            && self.spirv_spans[id].is_none()
        {
            self.spirv_spans[id] = span;
        }
    }

    /// `vk::ext_type<n>`
    fn numbered_type(&mut self, n: u32) -> Ty {
        self.spirv_type(SpirvType { opcode: 0, size: 0, align: 0, operands: Vec::new(), number: Some(n) })
    }

    /// Whether `t` is `part` or has it as a part.
    fn contains_type(&self, t: Ty, part: Ty, depth: u32) -> bool {
        if t == part || depth > 64 {
            return true;
        }
        match self.kind(t) {
            TyKind::Array(e, _) => self.contains_type(e, part, depth + 1),
            TyKind::Record(r) => self.records[r].fields.iter().any(|f| self.contains_type(f.ty, part, depth + 1)),
            TyKind::Spirv(id) => {
                self.spirv[id].operands.iter().any(|o| matches!(*o, SpirvTypeOperand::Type(t) if self.contains_type(t, part, depth + 1)))
            }
            _ => false,
        }
    }

    /// Bytes to which an address is known to be aligned.
    fn pointer_alignment(&self, pointee: Ty, align: u32) -> u32 {
        if align > 0 { align } else { layout::size_of(self, pointee, Rules::RelaxedStd430).align }
    }
}
