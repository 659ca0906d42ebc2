//! Declarations of resources and constant buffers: registers, spaces, packoffsets, Vulkan bindings.

use rtc_base::{Span, Symbol};
use rtc_tables::intrinsics::Object;
use rtc_tables::resources::{ImageFormat, ResourceClass, ResourceFlags, ResourceKind};
use rtc_tables::vk_attributes::On;

use super::context::Sema;
use super::errors::{payload as err_payload, resources as err, types as err_types};
use super::modifiers::Declared;
use super::scope::{Binding, GLOBAL_CTX};
use crate::hir::layout::{self, Rules};
use crate::hir::{self, Field, Global, GlobalId, GlobalKind, Norm, RecordId, Resource, Scalar, Ty, TyKind, Types};
use crate::syntax::ast::{self, Annotation, AnnotationKind, DeclKind, Specs};

/// Whether members of the resource are accessed directly: constant buffers and texture buffers.
pub fn has_contents(r: &Resource) -> bool {
    matches!(r.kind, ResourceKind::CBuffer | ResourceKind::TBuffer)
}

impl Sema<'_> {
    /// `cbuffer Name : register(b0) { … }`
    pub fn buffer_decl(&mut self, b: &ast::Buffer, attrs: ast::List<ast::Attr>, span: Span) {
        if let Some(s) = b.misplaced {
            let text = self.sources.snippet(s.span).to_string();
            self.report(err_types::misplaced_specifier(s.span, &text, "a constant buffer"));
        }
        let (name, name_span) = match b.name {
            Some(n) => (n.sym, n.span),
            None => (self.anonymous_name(if b.texture { "tbuffer" } else { "cbuffer" }), span),
        };
        let record = self.new_block(name, name_span);
        let object = if b.texture { Object::TextureBuffer } else { Object::ConstantBuffer };
        let g = self.block_global(name, record, object, name_span);
        let outer = std::mem::replace(&mut self.nesting.in_block, true);
        self.block_members(g, record, b.members);
        self.nesting.in_block = outer;
        self.records[record].complete = true;
        self.check_offsets(record);
        let attrs = self.ast.list(attrs).to_vec();
        self.check_vk_attrs(&attrs, On::BLOCK);
        let binding = self.binding(b.annotations, &attrs, Some((object.type_row_class(), ResourceKind::CBuffer)));
        if binding.push_constant || binding.shader_record {
            self.m.globals[g].ty = self.m.types.pushed(self.m.globals[g].ty);
        }
        self.m.globals[g].kind = GlobalKind::Resource(binding);
        let after = |(id, other): (GlobalId, &Global)| matches!(other.kind, GlobalKind::Resource(_)).then_some(id).filter(|&id| id > g);
        if let Some(last) = self.m.globals.iter().rev().find_map(after) {
            self.m.blocks_after.insert(g, last);
        }
    }

    /// The declarations inside a cbuffer; those of a namespace there belong to it too.
    fn block_members(&mut self, g: GlobalId, record: RecordId, members: ast::List<ast::DeclId>) {
        for id in self.ast.list(members).to_vec() {
            let d = self.ast.decls[id];
            match d.kind {
                DeclKind::Var(v) if !self.ast.types[v.ty].specs.contains(Specs::STATIC) => {
                    self.block_member(g, record, &v, d.attrs);
                }
                DeclKind::Namespace(name, items) => self.in_namespace(name, |s| s.block_members(g, record, items)),
                DeclKind::Error => {}
                _ => self.decl(id),
            }
        }
    }

    /// The record type of a cbuffer.
    fn new_block(&mut self, name: Symbol, span: Span) -> RecordId {
        let text = self.str(name).to_string();
        let qualified = self.qualify(&text);
        self.m.types.records.push(hir::Record {
            name,
            qualified,
            path: vec![text],
            is_class: false,
            base: None,
            fields: Vec::new(),
            rows: Vec::new(),
            raypayload: false,
            used_as_payload: false,
            builtin: true,
            span,
        })
    }

    fn block_global(&mut self, name: Symbol, record: RecordId, object: Object, span: Span) -> GlobalId {
        let elem = self.m.types.record(record);
        let class = object.type_row_class();
        let kind = if object == Object::ConstantBuffer { ResourceKind::CBuffer } else { ResourceKind::TBuffer };
        let r = Resource { object, class, kind, elem: Some(elem), norm: Norm::None, samples: 0, flags: ResourceFlags::empty() };
        let ty = self.m.types.intern(TyKind::Resource(r));
        let text = self.str(name).to_string();
        self.m.globals.push(Global {
            name,
            qualified: self.qualify(&text),
            symbol: text,
            ty,
            kind: GlobalKind::Resource(hir::Binding::default()),
            is_block: true,
            spec: None,
            inline: None,
            precise: false,
            used: false,
            span,
        })
    }

    /// A member of a cbuffer; visible in the scope of the cbuffer.
    fn block_member(&mut self, g: GlobalId, record: RecordId, v: &ast::Var, attrs: ast::List<ast::Attr>) {
        let Some(name) = v.name else {
            return;
        };
        self.check_modifiers(v.ty, Declared::BufferMember);
        let elem = self.type_of(v.ty);
        self.check_coherence(elem, v.ty);
        let mut ty = self.array_of(elem, v.dims, false, name.span);
        if ty != Ty::ERROR && !self.check_variable_type(ty, name.span) {
            ty = Ty::ERROR;
        }
        let inner = self.m.types.strip_arrays(ty).0;
        if self.records.empty_array(inner).is_some() {
            self.report(super::errors::types::array_size(name.span, 0));
            ty = Ty::ERROR;
        }
        let written = self.ast.list(attrs).to_vec();
        match self.kind(inner) {
            TyKind::Resource(r) if !has_contents(&r) => {
                self.check_vk_attrs_of_variable(&written, ty);
                let global = self.resource_global(v, name, ty, attrs);
                return self.declare(name, Binding::Global(global));
            }
            TyKind::Record(_) if self.m.types.has_objects(inner) => {
                return self.resource_struct(v, name, ty, Some((g, record)));
            }
            _ => {}
        }
        if self.m.types.has_objects(ty) || matches!(self.kind(ty), TyKind::Subobject(_) | TyKind::String) {
            let text = self.show(ty);
            self.report(err::object_in_block(name.span, &text));
            ty = Ty::ERROR;
        }
        if ty != Ty::ERROR && !self.check_long_vectors(ty, name.span, "a constant buffer") {
            ty = Ty::ERROR;
        }
        let is_loose = self.globals.loose.is_some_and(|(loose, _)| loose == g);
        if !is_loose {
            self.check_vk_attrs(&written, On::BLOCK_MEMBER);
        }
        if v.bits.is_some() {
            self.report(err_types::misplaced_bit_field(name.span));
        }
        if let Some(init) = v.init {
            self.report(err::uniform_initialiser(self.ast.exprs[init].span));
            // It has no effect, and its mistakes are mistakes.
            self.initialiser(ty, init);
        }
        let mut pack_offset = None;
        for a in self.ast.list(v.annotations).to_vec() {
            match a.kind {
                AnnotationKind::PackOffset { .. } if is_loose => self.report(err::packoffset_outside(a.span)),
                AnnotationKind::PackOffset { reg, component, .. } => {
                    pack_offset = Some(reg.saturating_mul(16).saturating_add(component as u32 * 4));
                }
                AnnotationKind::Register(r) => match r.slot {
                    // In DXIL every letter of registers of numbers is the place in `$Globals`; a cbuffer has `packoffset` for that.
                    Some((letter @ ('c' | 'b' | 'i'), n)) if is_loose && (letter == 'c' || !self.opts.spirv) => {
                        pack_offset = Some(n.saturating_mul(16));
                    }
                    Some(('c' | 'b' | 'i', _)) | None => {}
                    _ => self.report(err::misplaced_annotation(a.span, "a member of a constant buffer")),
                },
                AnnotationKind::Semantic(_) => {}
                AnnotationKind::Access { .. } => {
                    self.report(err_payload::misplaced_qualifier(a.span, "global variables and constant buffers"));
                }
            }
        }
        let vk_offset = self.vk_offset(attrs);
        let inline = self.inline_member(attrs);
        let n = self.m.types.records[record].fields.len() as u32;
        // Hosts know a loose variable by its qualified name in DXIL, and a member of a cbuffer by the namespaces inside of the cbuffer.
        let own = match self.opts.spirv {
            false => {
                let text = self.str(name.sym).to_string();
                let qualified = self.qualify(&text);
                let block = &self.m.types.records[record];
                let outside = if is_loose { "" } else { block.qualified.strip_suffix(self.str(block.name)).unwrap_or_default() };
                let inside = qualified.strip_prefix(outside).unwrap_or(&qualified).to_string();
                self.names.intern(&inside)
            }
            true => name.sym,
        };
        let field = Field::of_block(own, ty, name.span, pack_offset);
        self.m.types.records[record].fields.push(Field { vk_offset, inline, ..field });
        self.declare(name, if ty == Ty::ERROR { Binding::Error } else { Binding::Constant(g, n) });
    }

    /// Checks explicit offsets: aligned, inside a row, not overlapping other members.
    fn check_offsets(&mut self, record: RecordId) {
        let fields = self.m.types.records[record].fields.clone();
        let (offsets, size) = layout::record_layout(&self.m.types, record, Rules::CBuffer);
        if size.size > rtc_tables::limits::CONSTANT_BUFFER_BYTES {
            let r = &self.m.types.records[record];
            let d = err::block_too_large(r.span, &r.qualified, size.size);
            self.report(d);
        }
        for f in &fields {
            if let Some(at) = f.pack_offset {
                let s = layout::size_of(&self.m.types, f.ty, Rules::CBuffer);
                let numeric = matches!(self.kind(f.ty), TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Enum(_));
                let crosses = numeric && at % 16 + s.size > 16 && s.size <= 16;
                let starts = !numeric && at % 16 != 0;
                if at % s.align.min(16) != 0 || crosses || starts {
                    let name = self.str(f.name).to_string();
                    self.report(err::packoffset_misaligned(f.span, &name, at));
                }
            }
        }
        self.check_overlaps(record, &offsets, Rules::CBuffer);
        self.check_vk_offsets(record);
    }

    /// Checks the offsets that `[[vk::offset]]` says: aligned, and members apart even where the layout is the tightest one.
    pub fn check_vk_offsets(&mut self, record: RecordId) {
        let fields = self.m.types.records[record].fields.clone();
        if fields.iter().all(|f| f.vk_offset.is_none()) {
            return;
        }
        for f in &fields {
            let align = layout::size_of(&self.m.types, f.ty, Rules::Scalar).align.max(1);
            if let Some(at) = f.vk_offset.filter(|at| at % align != 0) {
                let name = self.str(f.name).to_string();
                self.report(err::vk_offset_misaligned(f.span, &name, at, align));
            }
        }
        let (offsets, _) = layout::record_layout(&self.m.types, record, Rules::Scalar);
        self.check_overlaps(record, &offsets, Rules::Scalar);
    }

    /// Numbers outside of cbuffers have the places that their registers say. SPIR-V has no two members at one place.
    pub fn check_loose_overlaps(&mut self) {
        if let Some((_, record)) = self.globals.loose.filter(|_| self.opts.spirv) {
            let (offsets, _) = layout::record_layout(&self.m.types, record, Rules::CBuffer);
            self.check_overlaps(record, &offsets, Rules::CBuffer);
        }
    }

    /// Members with explicit places that overlap. In DXIL those that begin at one place are read as several types.
    fn check_overlaps(&mut self, record: RecordId, offsets: &[u32], rules: Rules) {
        let fields = self.m.types.records[record].fields.clone();
        if fields.iter().all(|f| f.pack_offset.is_none() && f.vk_offset.is_none()) {
            return;
        }
        let end = |at: u32, f: &hir::Field| at.saturating_add(layout::size_of(&self.m.types, f.ty, rules).size);
        let mut placed: Vec<(u32, u32, usize)> = fields.iter().zip(offsets).enumerate().map(|(i, (f, &at))| (at, end(at, f), i)).collect();
        placed.sort_unstable();
        // The member before that ends last.
        let mut last: Option<(u32, u32, usize)> = None;
        for member in placed {
            let Some(before) = last.replace(member) else {
                continue;
            };
            let (a, b) = (&fields[before.2], &fields[member.2]);
            // Bit-fields share a word.
            let together = before.0 == member.0 && (!self.opts.spirv || a.bits.is_some() && b.bits.is_some());
            if before.1 > member.0 && !together {
                let d = err::packoffset_overlap(b.span, self.str(b.name), a.span, self.str(a.name));
                self.report(d);
            }
            if before.1 > member.1 {
                last = Some(before);
            }
        }
    }

    /// A loose variable outside functions: a member of `$Globals`.
    pub fn loose_uniform(&mut self, v: &ast::Var, span: Span) {
        let (g, record) = self.loose_block(span);
        self.block_member(g, record, v, ast::List::default());
    }

    /// The buffer `$Globals` and the type of its contents.
    pub fn loose_block(&mut self, span: Span) -> (GlobalId, RecordId) {
        if let Some(l) = self.globals.loose {
            return l;
        }
        let name = self.names.intern(layout::LOOSE);
        let old = self.scopes.ctx;
        self.scopes.ctx = GLOBAL_CTX;
        let record = self.new_block(name, span);
        let g = self.block_global(name, record, Object::ConstantBuffer, span);
        self.scopes.ctx = old;
        self.records[record].complete = true;
        self.globals.loose = Some((g, record));
        (g, record)
    }

    /// A resource (or array of them) outside functions.
    pub fn resource_global(&mut self, v: &ast::Var, name: ast::Name, ty: Ty, attrs: ast::List<ast::Attr>) -> GlobalId {
        let (inner, _) = self.m.types.strip_arrays(ty);
        let of = self.m.types.as_resource(inner).map(|r| (r.class, r.kind));
        let attrs = self.ast.list(attrs).to_vec();
        let ty = if self.is_push(&attrs) { self.m.types.pushed(ty) } else { ty };
        let binding = self.binding(v.annotations, &attrs, of);
        if let (Some(format), Some(a), true) = (binding.image_format, self.find_vk_attr(&attrs, "image_format"), self.opts.spirv) {
            let elem = self.m.types.as_resource(inner).and_then(|r| r.elem);
            let scalar = elem.and_then(|e| self.m.types.elem(e));
            if let (Some(elem), Some(scalar)) = (elem, scalar) {
                let text = self.show(elem);
                match holds(format, scalar) {
                    Holds::Yes => {}
                    Holds::WithOtherSign => self.report(err::image_format_of_other_sign(a.span, format.name(), &text)),
                    Holds::No => self.report(err::other_image_format(a.span, format.name(), &text)),
                }
            }
        }
        let is_buffer = self.m.types.as_resource(inner).is_some_and(|r| has_contents(&r));
        if let Some(init) = v.init {
            self.report(err::resource_initialiser(self.ast.exprs[init].span));
        }
        // Unbounded only in the first dimension.
        let text = self.str(name.sym).to_string();
        let mut path = vec![text.clone()];
        path.extend(self.scope_path());
        if self.opts.flatten_arrays
            && ty != inner
            && let Some(g) = self.separate_elements(name, ty, binding)
        {
            return g;
        }
        let symbol = if is_buffer { text.clone() } else { hir::mangle::variable(&self.m.types, &path, ty, false) };
        self.m.globals.push(Global {
            name: name.sym,
            qualified: self.qualify(&text),
            symbol,
            ty,
            kind: GlobalKind::Resource(binding),
            is_block: false,
            spec: None,
            inline: None,
            precise: false,
            used: false,
            span: name.span,
        })
    }

    /// Register, space and the attributes of Vulkan.
    pub fn binding(
        &mut self,
        annotations: ast::List<Annotation>,
        attrs: &[ast::Attr],
        of: Option<(ResourceClass, ResourceKind)>,
    ) -> hir::Binding {
        let class = of.map(|o| o.0);
        let is_texture = of.is_some_and(|(class, kind)| class == ResourceClass::Sampler || kind.is_texture());
        let mut out = hir::Binding { ..hir::Binding::default() };
        let annotations = self.ast.list(annotations).to_vec();
        let chosen = self.chosen_registers(&annotations);
        for (n, a) in annotations.into_iter().enumerate() {
            match a.kind {
                AnnotationKind::Register(r) => {
                    if !chosen.contains(&n) {
                        continue;
                    }
                    // A later annotation replaces the register and the space of an earlier one; one with a space alone keeps the register.
                    if r.slot.is_some() || r.space.is_some() {
                        out.space = r.space.unwrap_or(0);
                        out.space_written = r.space.is_some();
                    }
                    let Some((letter, n)) = r.slot else {
                        continue;
                    };
                    match class {
                        Some(c) if c.letter() == letter => out.register = Some(n),
                        // Textures and samplers had one kind of registers once.
                        Some(c) if matches!((c, letter), (ResourceClass::Srv, 's') | (ResourceClass::Sampler, 't')) && is_texture => {
                            out.register = Some(n);
                            out.other_letter = true;
                        }
                        Some(c) => self.report(err::register_class(a.span, letter, c.letter())),
                        None => self.report(err::misplaced_annotation(a.span, "this variable")),
                    }
                }
                // A resource among the members of a cbuffer takes no place in it.
                AnnotationKind::PackOffset { .. } if self.nesting.in_block => {}
                AnnotationKind::PackOffset { .. } => self.report(err::packoffset_outside(a.span)),
                AnnotationKind::Semantic(_) => {}
                AnnotationKind::Access { .. } => {
                    self.report(err_payload::misplaced_qualifier(a.span, "a global variable"));
                }
            }
        }
        if out.register.is_none() && !out.space_written {
            out.space = self.opts.auto_space.unwrap_or(0);
        }
        if let Some(a) = self.find_vk_attr(attrs, "binding") {
            let args = self.ast.list(a.args).to_vec();
            let mut n = [0u32; 2];
            for (slot, &e) in n.iter_mut().zip(&args) {
                *slot = self.constant_int(e).and_then(|v| u32::try_from(v).ok()).unwrap_or(0);
            }
            if args.is_empty() || args.len() > 2 {
                self.report(super::errors::stmts::attribute_argument(a.span, "vk::binding", "a binding and optionally a set"));
            } else {
                out.vk = Some((n[0], n[1]));
            }
        }
        if let Some(a) = self.find_vk_attr(attrs, "counter_binding") {
            out.counter = match self.ast.list(a.args) {
                &[e] => self.constant_int(e).and_then(|v| u32::try_from(v).ok()),
                _ => None,
            };
            if out.counter.is_none() {
                self.report(super::errors::stmts::attribute_argument(a.span, "vk::counter_binding", "a binding"));
            }
        }
        out.push_constant = self.opts.spirv && self.find_vk_attr(attrs, "push_constant").is_some();
        out.shader_record = self.opts.spirv && self.is_shader_record(attrs);
        if let Some(a) = self.find_vk_attr(attrs, "binding").filter(|_| out.push_constant || out.shader_record) {
            let what = if out.push_constant { "push constants" } else { "the shader record" };
            self.report(err::binding_of_no_descriptor(a.span, what));
        }
        if out.push_constant
            && let Some(a) = self.find_vk_attr(attrs, "push_constant")
            && let Err(first) = self.globals.push_constants(a.span)
        {
            self.report(err::push_constants_twice(a.span, first));
        }
        out.combined = self.find_vk_attr(attrs, "combinedImageSampler").filter(|_| self.opts.spirv && is_texture).map(|a| a.span);
        if let Some(a) = self.find_vk_attr(attrs, "image_format") {
            let text = self.ast.text_argument(&a);
            let text = text.map(|t| self.str(t).to_string()).unwrap_or_default();
            out.image_format = ImageFormat::from_name(&text);
            if out.image_format.is_none() {
                self.report(err::unknown_image_format(a.span, &text));
            }
        }
        out
    }

    /// `[[vk::offset(n)]]`: the offset of a member in any layout. For SPIR-V only.
    pub fn vk_offset(&mut self, attrs: ast::List<ast::Attr>) -> Option<u32> {
        let attrs = self.ast.list(attrs).to_vec();
        let a = self.find_vk_attr(&attrs, "offset")?;
        let at = match self.ast.list(a.args) {
            &[e] => self.constant_int(e).and_then(|v| u32::try_from(v).ok()),
            _ => None,
        };
        if at.is_none() {
            self.report(super::errors::stmts::attribute_argument(a.span, "vk::offset", "a number of bytes"));
        }
        at.filter(|_| self.opts.spirv)
    }

    fn is_shader_record(&self, attrs: &[ast::Attr]) -> bool {
        ["shader_record_ext", "shader_record_nv", "shader_record"].iter().any(|n| self.find_vk_attr(attrs, n).is_some())
    }

    /// Whether attributes make a variable something other than a descriptor in Vulkan: push constants or the shader record.
    pub fn is_push(&self, attrs: &[ast::Attr]) -> bool {
        self.opts.spirv && (self.find_vk_attr(attrs, "push_constant").is_some() || self.is_shader_record(attrs))
    }

    /// Warns of combined image samplers of which there is the texture alone, or the sampler alone: the other one has the same binding.
    pub fn check_combined_samplers(&mut self) {
        type At = ((u32, u32), bool);
        let mut declared: Vec<(At, Span, String)> = Vec::new();
        for g in self.m.globals.values() {
            let GlobalKind::Resource(hir::Binding { combined: Some(span), vk, .. }) = g.kind else { continue };
            let class = self.m.types.as_resource(self.m.types.strip_arrays(g.ty).0).map(|r| r.class);
            let at = vk.unwrap_or((u32::MAX, declared.len() as u32));
            declared.push(((at, class == Some(ResourceClass::Sampler)), span, g.qualified.clone()));
        }
        let alone: Vec<_> = declared
            .iter()
            .filter(|((at, sampler), ..)| !declared.iter().any(|((a, s), ..)| a == at && s != sampler))
            .map(|((_, sampler), span, name)| err::combined_image_sampler(*span, name, if *sampler { "texture" } else { "sampler" }))
            .collect();
        for d in alone {
            self.report(d);
        }
    }

    /// `[[vk::push_constant]] S s;`: a constant buffer with an `S` in it.
    pub fn push_global(&mut self, v: &ast::Var, name: ast::Name, ty: Ty, attrs: ast::List<ast::Attr>) {
        let r = Resource {
            object: Object::ConstantBuffer,
            class: ResourceClass::Cbv,
            kind: ResourceKind::CBuffer,
            elem: Some(ty),
            norm: Norm::None,
            samples: 0,
            flags: ResourceFlags::PUSH,
        };
        let ty = self.m.types.intern(TyKind::Resource(r));
        let g = self.resource_global(v, name, ty, attrs);
        self.declare(name, Binding::Global(g));
    }

    /// Which registers of a declaration count: those for the profile that is compiled or for any. If all are for other profiles all of them
    /// do, as in the reference compiler, which looks at no profile. Those for one profile have one number.
    fn chosen_registers(&mut self, annotations: &[Annotation]) -> Vec<usize> {
        let registers = annotations.iter().enumerate().filter_map(|(n, a)| match a.kind {
            AnnotationKind::Register(r) => Some((n, a.span, r)),
            _ => None,
        });
        let registers: Vec<(usize, Span, ast::Register)> = registers.collect();
        for (n, &(_, span, r)) in registers.iter().enumerate() {
            let clashes = |o: ast::Register| {
                let of_one_profile = o.profile == r.profile || o.profile.is_none() || r.profile.is_none();
                of_one_profile && o.slot.is_some() && r.slot.is_some() && o.slot != r.slot
            };
            if let Some(&(_, first, _)) = registers[..n].iter().find(|o| clashes(o.2)) {
                self.report(err::two_registers(span, first));
                break;
            }
        }
        let here = |r: &&(usize, Span, ast::Register)| r.2.profile.is_none_or(|p| self.profile_matches(p));
        let any = registers.iter().any(|r| here(&r));
        registers.iter().filter(|r| !any || here(r)).map(|r| r.0).collect()
    }

    /// Whether the profile of `register(profile, …)` is the one that is compiled.
    pub fn profile_matches(&self, profile: Symbol) -> bool {
        let text = self.str(profile);
        match self.opts.target {
            super::Target::Library => text.starts_with("lib"),
            super::Target::Shader(stage, _) => text.starts_with(stage.info().profile),
        }
    }
}

impl Types {
    /// The constant buffer type, with the layout of storage buffers.
    fn pushed(&mut self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TyKind::Resource(mut r) if r.kind == ResourceKind::CBuffer => {
                r.flags |= ResourceFlags::PUSH;
                self.intern(TyKind::Resource(r))
            }
            _ => ty,
        }
    }
}

/// Whether Vulkan reads and writes texels of a format as such numbers.
enum Holds {
    Yes,
    /// Integers: as the same bits, if the format has no fewer than the type.
    WithOtherSign,
    No,
}

fn holds(format: ImageFormat, s: Scalar) -> Holds {
    let name = format.name();
    let wide = name.starts_with("r64");
    match () {
        () if format == ImageFormat::Unknown => Holds::Yes,
        () if name.ends_with('i') && (s.is_float() || (s.bits() == 64) != wide) => Holds::No,
        () if name.ends_with('i') && s.is_signed() == name.ends_with("ui") => Holds::WithOtherSign,
        () if name.ends_with('i') || s.is_float() && s.bits() < 64 => Holds::Yes,
        () => Holds::No,
    }
}

/// The register class that an object type has.
trait RegisterClass {
    fn type_row_class(self) -> ResourceClass;
}

impl RegisterClass for Object {
    fn type_row_class(self) -> ResourceClass {
        match self.type_row().kind {
            rtc_tables::types::ObjectKind::Resource(c, _) => c,
            _ => ResourceClass::Cbv,
        }
    }
}
