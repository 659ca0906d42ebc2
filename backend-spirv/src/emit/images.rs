//! Images: textures, typed buffers and samplers, and the declarations of all global variables.

use rtc_ir::{BindPlace, GlobalKind, Inst, Opcode, Scalar, Type, TypeKind, Value};
use rtc_tables::resources::{AtomicOp, CompType, ResourceClass, ResourceFlags, ResourceKind};
use spirv::{Capability, Decoration, Dim, ImageFormat, ImageOperands, Op, StorageClass};

use super::{Emitter, FuncEmitter, Handle};
use crate::words::{Id, Literal, NONE, TypeId, operands};

impl Emitter<'_> {
    /// The image type of a typed resource.
    pub(crate) fn image_ty(&mut self, r: &rtc_ir::ResourceType, global: Option<rtc_ir::Global>) -> TypeId {
        use ResourceKind::*;
        let dim = match r.kind {
            Texture1D | Texture1DArray => Dim::Dim1D,
            Texture3D => Dim::Dim3D,
            TextureCube | TextureCubeArray => Dim::DimCube,
            TypedBuffer => Dim::DimBuffer,
            SubpassInput | SubpassInputMS => Dim::DimSubpassData,
            _ => Dim::Dim2D,
        };
        let storage = r.class == ResourceClass::Uav;
        if r.kind.is_subpass() {
            self.w.capability(Capability::InputAttachment, || format!("a `{}`", r.kind));
        }
        match (dim, storage) {
            (Dim::Dim1D, false) => self.w.capability(Capability::Sampled1D, || "a 1D texture".into()),
            (Dim::Dim1D, true) => self.w.capability(Capability::Image1D, || "a 1D texture".into()),
            (Dim::DimBuffer, false) => self.w.capability(Capability::SampledBuffer, || "a typed buffer".into()),
            (Dim::DimBuffer, true) => self.w.capability(Capability::ImageBuffer, || "a typed buffer".into()),
            _ => {}
        }
        if r.kind == TextureCubeArray {
            self.w.capability(Capability::SampledCubeArray, || "a cube texture array".into());
        }
        if storage && r.kind.is_multisampled() {
            self.w.capability(Capability::StorageImageMultisample, || "a multisampled storage image".into());
            if r.kind == Texture2DMSArray {
                self.w.capability(Capability::ImageMSArray, || "an array of multisampled storage images".into());
            }
        }
        let sampled_scalar = self.channel_ty(r);
        let texels = self.declared_formats && dim == Dim::DimBuffer;
        let format = if storage || texels { self.image_format(r, global) } else { ImageFormat::Unknown };
        let operands = operands![
            sampled_scalar,
            dim,
            Literal(2),
            Literal(r.kind.is_array().into()),
            Literal(r.kind.is_multisampled().into()),
            Literal(if storage || r.kind.is_subpass() { 2 } else { 1 }),
            format,
        ];
        self.w.ty(Op::TypeImage, &operands)
    }

    /// The type of a channel of a texture's images.
    pub(crate) fn channel_ty(&mut self, r: &rtc_ir::ResourceType) -> TypeId {
        let elem = r.elem.map_or(Scalar::F32, |t| self.m.types.elem(t));
        let signed = matches!(r.comp, CompType::I16 | CompType::I32 | CompType::I64);
        match elem {
            _ if self.in_pairs(r) => self.w.u32_ty(),
            Scalar::I64 => {
                let why = || "a texture or typed buffer of 64-bit integers".to_string();
                self.w.capability(Capability::Int64, why);
                self.w.capability(Capability::Int64ImageEXT, why);
                self.w.extension("SPV_EXT_shader_image_int64", why);
                self.w.int_ty(64, signed)
            }
            Scalar::I32 | Scalar::I16 | Scalar::Bool => self.w.int_ty(32, signed),
            _ => self.w.f32_ty(),
        }
    }

    /// Whether 64-bit components are pairs of 32-bit channels, as Direct3D has them: formats with one channel of
    /// 64 bits exist for single integers only.
    pub(crate) fn in_pairs(&self, r: &rtc_ir::ResourceType) -> bool {
        match r.elem.and_then(|t| self.m.types.numeric(t)) {
            Some((Scalar::F64, _)) => true,
            Some((Scalar::I64, n)) => n > 1,
            _ => false,
        }
    }

    /// The type of a texture's descriptor: of the image, or of the image with its sampler.
    pub(crate) fn texture_ty(&mut self, r: &rtc_ir::ResourceType, global: Option<rtc_ir::Global>) -> TypeId {
        let image = self.image_ty(r, global);
        if self.has_sampler(r, global) { self.w.ty(Op::TypeSampledImage, &[image]) } else { image }
    }

    /// Whether a texture's descriptor holds a sampler too.
    fn has_sampler(&self, r: &rtc_ir::ResourceType, global: Option<rtc_ir::Global>) -> bool {
        let combined = global.and_then(|g| self.m.globals[g].resource()).is_some_and(|d| d.binding.combined);
        r.flags.contains(ResourceFlags::SAMPLED) || combined && r.kind.is_texture() && r.class == ResourceClass::Srv
    }

    /// Single channels of 32 and 64 bits name their format, which atomics need. In a package others leave it to the image; in a module
    /// the format follows from the type, as with the reference compiler.
    pub(crate) fn image_format(&mut self, r: &rtc_ir::ResourceType, global: Option<rtc_ir::Global>) -> ImageFormat {
        let written = global.and_then(|g| self.m.globals[g].resource()).and_then(|d| d.binding.format);
        if let Some(f) = written.and_then(|f| ImageFormat::from_u32(f.number())) {
            // Those that every device has need no capability.
            self.format_capability(f);
            return f;
        }
        let lanes = r.elem.map_or(4, |t| self.m.types.lanes(t));
        if self.declared_formats && !self.unknown_image_formats {
            let f = declared_format(lanes, r.comp, self.m.native_16bit);
            self.format_capability(f);
            return f;
        }
        match (lanes, r.comp) {
            _ if self.unknown_image_formats => ImageFormat::Unknown,
            (1, CompType::F32) => ImageFormat::R32f,
            (1, CompType::I32) => ImageFormat::R32i,
            (1, CompType::U32) => ImageFormat::R32ui,
            (1, CompType::I64) => ImageFormat::R64i,
            (1, CompType::U64) => ImageFormat::R64ui,
            _ => ImageFormat::Unknown,
        }
    }

    /// What a format needs: those that every device has, nothing.
    fn format_capability(&mut self, f: ImageFormat) {
        let usual = matches!(f as u32, 0..=5 | 21..=24 | 30..=33 | 40..);
        if !usual {
            self.w.capability(Capability::StorageImageExtendedFormats, || format!("the image format `{f:?}`"));
        }
    }

    /// Declares the variable of a global.
    pub(crate) fn declare_global(&mut self, g: rtc_ir::Global) -> Id {
        let m = self.m;
        let data = &m.globals[g];
        let var = match &data.kind {
            GlobalKind::GroupShared(t) => {
                let ty = if self.signed_globals.contains(&g) { self.signed_ty(*t) } else { self.ty(*t) };
                self.w.variable(StorageClass::Workgroup, ty, None)
            }
            GlobalKind::Private(t, _) => {
                let ty = self.ty(*t);
                self.w.variable(StorageClass::Private, ty, None)
            }
            GlobalKind::Table(t, values) => {
                let ty = self.ty(*t);
                let init = self.table(*t, &mut values.iter().copied());
                self.w.variable(StorageClass::Private, ty, Some(init))
            }
            GlobalKind::Inline(v) => self.inline_variable(g, v),
            GlobalKind::Resource(decl) => {
                let var = self.declare_resource(g, decl);
                self.inline_decorations(var, &data.decorations);
                return var;
            }
        };
        self.inline_decorations(var, &data.decorations);
        self.w.name(var, &data.name);
        var
    }

    /// Declares the resources with bindings that no code uses. The type of acceleration structures exists in modules with rays only.
    pub(crate) fn declare_unused(&mut self) {
        let m = self.m;
        let rays = [Capability::RayTracingKHR, Capability::RayQueryKHR].iter().any(|&c| self.w.capabilities.contains_key(&(c as u32)));
        for (g, data) in &m.globals {
            let exists = |r: &rtc_ir::ResourceDecl| {
                let scene = m.types.as_resource(r.ty).is_some_and(|t| t.kind == ResourceKind::AccelerationStructure);
                r.binding.place == BindPlace::Registers && (rays || !scene)
            };
            if data.resource().is_some_and(exists) && !self.globals.contains_key(&g) {
                let var = self.declare_global(g);
                self.globals.insert(g, var);
            }
        }
    }

    fn table(&mut self, t: Type, values: &mut dyn Iterator<Item = u64>) -> Id {
        let parts: Vec<Type> = match self.m.types.kind(t) {
            TypeKind::Array(e, n) => vec![e; n as usize],
            TypeKind::Vector(s, n) => vec![self.m.types.scalar(s); n as usize],
            TypeKind::Struct(s) => self.m.structs[s].fields.iter().map(|f| f.ty).collect(),
            _ => {
                let bits = values.next().unwrap_or(0);
                return self.constant(t, bits);
            }
        };
        let ids: Vec<Id> = parts.into_iter().map(|p| self.table(p, values)).collect();
        let ty = self.ty(t);
        self.w.composite(ty, &ids)
    }

    fn declare_resource(&mut self, g: rtc_ir::Global, decl: &rtc_ir::ResourceDecl) -> Id {
        let m = self.m;
        let r = m.types.as_resource(decl.ty).expect("resources have resource types");
        let (class, one) = match r.kind {
            ResourceKind::CBuffer | ResourceKind::TBuffer | ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => {
                let ty = match self.host_block(g) {
                    Some(block) => self.host_block_ty(block, &r),
                    None => self.block_ty(self.block_kind(&r)),
                };
                self.declared.insert(g, ty);
                let class = match decl.binding.place {
                    BindPlace::Push => Some(StorageClass::PushConstant),
                    BindPlace::Registers => None,
                    BindPlace::Record | BindPlace::Tail => Some(StorageClass::ShaderRecordBufferKHR),
                };
                if let Some(class) = class {
                    let var = self.w.variable(class, ty, None);
                    self.w.name(var, &m.globals[g].name);
                    return var;
                }
                (if r.class == ResourceClass::Cbv { StorageClass::Uniform } else { self.buffer_class() }, ty)
            }
            ResourceKind::AccelerationStructure => (StorageClass::UniformConstant, self.w.ty(Op::TypeAccelerationStructureKHR, NONE)),
            ResourceKind::Sampler => (StorageClass::UniformConstant, self.w.ty(Op::TypeSampler, NONE)),
            _ => (StorageClass::UniformConstant, self.texture_ty(&r, Some(g))),
        };
        let counter = self.counter_to_reflect(g);
        let var = self.bind_resource(g, decl, class, one);
        if let Some(counter) = counter {
            self.reflect_counter(var, counter);
        }
        var
    }

    /// A variable for a resource, or an array of resources, of type `one`.
    pub(crate) fn bind_resource(&mut self, g: rtc_ir::Global, decl: &rtc_ir::ResourceDecl, class: StorageClass, one: TypeId) -> Id {
        let data = &self.m.globals[g];
        let var = self.array_of_blocks(g, decl, class, one);
        self.w.name(var, &data.name);
        self.w.bind(var, self.bindings.descriptor(g));
        let r = self.m.types.as_resource(decl.ty).expect("resources have resource types");
        // Interlocked threads order their accesses of coherent variables.
        let coherent = r.flags.intersects(ResourceFlags::COHERENT | ResourceFlags::REORDER_COHERENT | ResourceFlags::ROV);
        if coherent && r.class == ResourceClass::Uav {
            self.w.decorate(var, Decoration::Coherent, &[]);
        }
        if class != StorageClass::UniformConstant && r.class == ResourceClass::Srv {
            self.w.decorate(var, Decoration::NonWritable, &[]);
        }
        if self.reflect {
            self.reflect_resource(var, decl);
        }
        var
    }

    /// A variable for something of type `one`, or for as many of them as a resource declares.
    pub(crate) fn array_of_blocks(&mut self, g: rtc_ir::Global, decl: &rtc_ir::ResourceDecl, class: StorageClass, one: TypeId) -> Id {
        let m = self.m;
        let data = &m.globals[g];
        let ty = match (decl.array, decl.count) {
            (false, _) => one,
            (true, Some(n)) => {
                let n = self.w.u32(n);
                self.w.array_ty(one, n)
            }
            (true, None) => {
                let why = || format!("the unbounded array `{}`", data.name);
                self.w.capability(Capability::RuntimeDescriptorArray, why);
                self.w.extension("SPV_EXT_descriptor_indexing", why);
                self.w.ty(Op::TypeRuntimeArray, &[one])
            }
        };
        self.w.variable(class, ty, None)
    }
}

/// The format of images with elements of so many components. Normalised components may have any width, and three components have no
/// format; native 16-bit components have none with the reference compiler.
fn declared_format(lanes: u32, comp: CompType, native_16bit: bool) -> ImageFormat {
    use ImageFormat as F;
    let formats = match comp {
        CompType::F32 => [F::R32f, F::Rg32f, F::Rgba32f],
        CompType::F16 | CompType::I16 | CompType::U16 if native_16bit => return F::Unknown,
        CompType::F16 => [F::R16f, F::Rg16f, F::Rgba16f],
        CompType::I32 => [F::R32i, F::Rg32i, F::Rgba32i],
        CompType::U32 => [F::R32ui, F::Rg32ui, F::Rgba32ui],
        CompType::I16 => [F::R16i, F::Rg16i, F::Rgba16i],
        CompType::U16 => [F::R16ui, F::Rg16ui, F::Rgba16ui],
        CompType::I64 => [F::R64i, F::Unknown, F::Unknown],
        CompType::U64 => [F::R64ui, F::Unknown, F::Unknown],
        _ => return F::Unknown,
    };
    match lanes {
        1 => formats[0],
        2 => formats[1],
        4 => formats[2],
        _ => F::Unknown,
    }
}

impl FuncEmitter<'_, '_> {
    /// The image of a handle, loaded.
    pub(crate) fn image(&mut self, h: &Handle) -> Id {
        let id = self.texture(h);
        if !self.e.has_sampler(&h.ty, h.global) {
            return id;
        }
        let ty = self.e.image_ty(&h.ty, h.global);
        let id = self.op(Op::Image, ty, &[id]);
        if h.nonuniform {
            self.nonuniform(id);
        }
        id
    }

    /// What is in the descriptor of a texture.
    fn texture(&mut self, h: &Handle) -> Id {
        let ty = self.e.texture_ty(&h.ty, h.global);
        let p = self.descriptor(h, StorageClass::UniformConstant, ty);
        let id = self.op(Op::Load, ty, &[p]);
        if h.nonuniform {
            self.nonuniform(id);
        }
        id
    }

    /// Dynamic and non-uniform indexing into descriptor arrays.
    pub(crate) fn array_capability(&mut self, h: &Handle) {
        let Some(_) = h.index else { return };
        let storage = h.ty.class == ResourceClass::Uav;
        let texel = h.ty.kind == ResourceKind::TypedBuffer;
        use Capability as C;
        let (dynamic, nonuniform) = match (h.ty.kind.is_typed(), storage, texel) {
            _ if h.ty.kind.is_subpass() => (C::InputAttachmentArrayDynamicIndexing, C::InputAttachmentArrayNonUniformIndexing),
            (true, false, true) => (C::UniformTexelBufferArrayDynamicIndexing, C::UniformTexelBufferArrayNonUniformIndexing),
            (true, true, true) => (C::StorageTexelBufferArrayDynamicIndexing, C::StorageTexelBufferArrayNonUniformIndexing),
            (true, true, false) => (C::StorageImageArrayDynamicIndexing, C::StorageImageArrayNonUniformIndexing),
            (true, false, false) => (C::SampledImageArrayDynamicIndexing, C::SampledImageArrayNonUniformIndexing),
            (false, ..) if h.ty.class == ResourceClass::Cbv => {
                (C::UniformBufferArrayDynamicIndexing, C::UniformBufferArrayNonUniformIndexing)
            }
            (false, ..) if matches!(h.ty.kind, ResourceKind::Sampler | ResourceKind::AccelerationStructure) => {
                (C::SampledImageArrayDynamicIndexing, C::SampledImageArrayNonUniformIndexing)
            }
            _ => (C::StorageBufferArrayDynamicIndexing, C::StorageBufferArrayNonUniformIndexing),
        };
        let why = self.reason(&format!("indexing `{}`", self.resource_name(h)));
        self.e.w.capability(dynamic, || why.clone());
        if h.nonuniform {
            self.e.w.capability(C::ShaderNonUniform, || why.clone());
            self.e.w.capability(nonuniform, || why.clone());
        }
        if h.nonuniform || texel || h.ty.kind.is_subpass() {
            self.e.w.extension("SPV_EXT_descriptor_indexing", || why);
        }
    }

    /// The sampled image of a texture and a sampler.
    pub(crate) fn sampled(&mut self, texture: &Handle, sampler: &Handle) -> Id {
        if self.e.has_sampler(&texture.ty, texture.global) {
            return self.texture(texture);
        }
        let image_ty = self.e.image_ty(&texture.ty, texture.global);
        let image = self.image(texture);
        let sampler_ty = self.e.w.ty(Op::TypeSampler, NONE);
        let p = self.descriptor(sampler, StorageClass::UniformConstant, sampler_ty);
        let s = self.op(Op::Load, sampler_ty, &[p]);
        let ty = self.e.w.ty(Op::TypeSampledImage, &[image_ty]);
        let id = self.op(Op::SampledImage, ty, &[image, s]);
        if texture.nonuniform || sampler.nonuniform {
            self.nonuniform(s);
            self.nonuniform(id);
        }
        id
    }

    /// The four-component type that image instructions give, and its scalar.
    pub(crate) fn texel_ty(&mut self, r: &rtc_ir::ResourceType) -> (TypeId, TypeId) {
        let scalar = self.e.channel_ty(r);
        (self.e.w.vector_ty(scalar, 4), scalar)
    }

    /// From the four components that an image instruction gives to the value that the IR expects.
    pub(crate) fn texel_to_value(&mut self, r: &rtc_ir::ResourceType, texel: Id, want: Type) -> Id {
        let (_, scalar) = self.texel_ty(r);
        let (s, lanes) = self.m.types.numeric(want).expect("texels are numbers");
        let ty = self.e.ty(want);
        if self.e.in_pairs(r) {
            let pair = self.e.w.vector_ty(scalar, 2);
            let one = self.e.scalar(s, false);
            let parts: Vec<Id> = (0..lanes)
                .map(|n| {
                    let words = self.shuffle(pair, [texel, texel], &[2 * n, 2 * n + 1]);
                    self.op(Op::Bitcast, one, &[words])
                })
                .collect();
            return if lanes == 1 { parts[0] } else { self.composite(ty, &parts) };
        }
        let mut id = texel;
        let raw = self.e.w.vector_ty(scalar, lanes);
        if lanes == 1 {
            id = self.extract(raw, id, &[0]);
        } else if lanes < 4 {
            id = self.shuffle(raw, [id, id], &[0, 1, 2][..lanes as usize]);
        }
        match s {
            Scalar::F16 => self.op(Op::FConvert, ty, &[id]),
            Scalar::I16 => {
                let word = self.e.w.u32_ty();
                let words = self.e.w.vector_ty(word, lanes);
                let id = if raw == words { id } else { self.op(Op::Bitcast, words, &[id]) };
                self.op(Op::UConvert, ty, &[id])
            }
            _ if raw == ty => id,
            _ => self.op(Op::Bitcast, ty, &[id]),
        }
    }

    /// The four components that an image write takes, from a value.
    fn value_to_texel(&mut self, r: &rtc_ir::ResourceType, v: Value) -> Id {
        let (texel, scalar) = self.texel_ty(r);
        let (s, lanes) = self.m.types.numeric(self.f.ty(v)).expect("texels are numbers");
        let mut id = self.val(v);
        let mut parts = Vec::new();
        if self.e.in_pairs(r) {
            let pair = self.e.w.vector_ty(scalar, 2);
            let one = self.e.scalar(s, false);
            for n in 0..lanes {
                let part = if lanes == 1 { id } else { self.extract(one, id, &[n]) };
                parts.push(self.op(Op::Bitcast, pair, &[part]));
            }
        } else {
            let raw = self.e.w.vector_ty(scalar, lanes);
            if self.ty_of(v) != raw {
                id = match s {
                    Scalar::F16 => self.op(Op::FConvert, raw, &[id]),
                    Scalar::I16 if r.comp == CompType::I16 => self.op(Op::SConvert, raw, &[id]),
                    Scalar::I16 => self.op(Op::UConvert, raw, &[id]),
                    _ => self.op(Op::Bitcast, raw, &[id]),
                };
            }
            if lanes == 4 {
                return id;
            }
            parts.push(id);
        }
        let channels = if self.e.in_pairs(r) { 2 * lanes } else { lanes };
        if channels < 4 {
            let zero = self.e.w.constant(Op::ConstantNull, scalar, NONE);
            parts.extend(vec![zero; 4 - channels as usize]);
        }
        self.composite(texel, &parts)
    }

    /// The size of an image: components as the image has them, as one id of that shape.
    pub(crate) fn image_size(&mut self, h: &Handle, level: Option<Id>) -> Id {
        let why = self.reason("asking for an image's size");
        self.e.w.capability(Capability::ImageQuery, || why);
        let image = self.image(h);
        let n = size_lanes(h.ty.kind);
        let word = self.e.w.u32_ty();
        let ty = self.e.w.vector_ty(word, n);
        match level {
            Some(l) => self.op(Op::ImageQuerySizeLod, ty, &[image, l]),
            None => self.op(Op::ImageQuerySize, ty, &[image]),
        }
    }

    pub(crate) fn image_inst(&mut self, i: Inst, op: Opcode, imm: u32, args: &[Value]) {
        let Some(h) = self.handle(args[0]) else { return self.undefined(i) };
        match op {
            Opcode::tex_store => self.tex_store(&h, args),
            Opcode::tex_atomic => self.tex_atomic(i, &h, imm, args),
            Opcode::tex_size => self.tex_size(i, &h, args),
            Opcode::sample_pos => self.sample_position(i, &h, args),
            _ => self.sampling_inst(i, op, imm, &h, args),
        }
    }

    /// Gives the results of an instruction that cannot be translated some value.
    pub(crate) fn undefined(&mut self, i: Inst) {
        for &v in self.f.results(i) {
            let ty = self.ty_of(v);
            let id = self.e.w.undef(ty);
            self.set(v, id);
        }
    }

    fn tex_store(&mut self, h: &Handle, args: &[Value]) {
        if self.e.image_format(&h.ty, h.global) == ImageFormat::Unknown {
            let why = self.reason("writing an image of any format");
            self.e.w.capability(Capability::StorageImageWriteWithoutFormat, || why);
        }
        let image = self.image(h);
        let at = self.val(args[1]);
        let texel = self.value_to_texel(&h.ty, args[2]);
        let mut operands = operands![image, at, texel].to_vec();
        if let Some(&sample) = args.get(3) {
            operands.extend(operands![ImageOperands::SAMPLE, self.val(sample)]);
        }
        self.stmt(Op::ImageWrite, &operands);
    }

    fn tex_atomic(&mut self, i: Inst, h: &Handle, imm: u32, args: &[Value]) {
        let result = self.f.result(i);
        let ty = self.e.image_ty(&h.ty, h.global);
        let (_, scalar) = self.texel_ty(&h.ty);
        if self.e.image_format(&h.ty, h.global) == ImageFormat::Unknown {
            self.error("an atomic operation on this texture has no Vulkan form: it needs texels of one 32-bit or 64-bit channel");
            return self.undefined(i);
        }
        let float = self.m.types.elem(self.f.ty(result)).is_float();
        if float && AtomicOp::from_number(imm) == Some(AtomicOp::CompareExchange) {
            self.error("SPIR-V compares and exchanges integers alone; declare the texture or typed buffer with `uint` and use `asuint`");
            return self.undefined(i);
        }
        if self.m.types.elem(self.f.ty(result)).bits() == 64 {
            let why = self.reason("a 64-bit atomic operation");
            self.e.w.capability(Capability::Int64Atomics, || why);
        }
        let p = self.descriptor(h, StorageClass::UniformConstant, ty);
        let pointer = self.e.w.pointer_ty(StorageClass::Image, scalar);
        let (at, zero) = (self.val(args[1]), self.e.w.u32(0));
        let texel = self.op(Op::ImageTexelPointer, pointer, &[p, at, zero]);
        if h.nonuniform {
            self.nonuniform(texel);
        }
        let want = self.ty_of(result);
        let mut ids = self.vals(&args[2..]);
        if want != scalar {
            ids = ids.iter().map(|&x| self.op(Op::Bitcast, scalar, &[x])).collect();
        }
        let scope = self.e.w.u32(spirv::Scope::Device as u32);
        let mut id = self.atomic(imm, scalar, texel, scope, &ids);
        if want != scalar {
            id = self.op(Op::Bitcast, want, &[id]);
        }
        self.set(result, id);
    }

    /// Width, height, depth or slices, and levels or samples, as DXIL gives them.
    fn tex_size(&mut self, i: Inst, h: &Handle, args: &[Value]) {
        let storage = h.ty.class == ResourceClass::Uav;
        let ms = h.ty.kind.is_multisampled();
        let leveled = !storage && !ms && h.ty.kind != ResourceKind::TypedBuffer;
        let level = leveled.then(|| self.val(args[1]));
        let size = self.image_size(h, level);
        let word = self.e.w.u32_ty();
        let n = size_lanes(h.ty.kind);
        let mut parts: Vec<Id> = (0..n).map(|k| if n == 1 { size } else { self.extract(word, size, &[k]) }).collect();
        let zero = self.e.w.u32(0);
        parts.resize(3, zero);
        let last = if leveled || ms {
            let image = self.image(h);
            let o = if ms { Op::ImageQuerySamples } else { Op::ImageQueryLevels };
            self.op(o, word, &[image])
        } else {
            zero
        };
        parts.push(last);
        let ty = self.e.w.vector_ty(word, 4);
        let id = self.composite(ty, &parts);
        let result = self.f.result(i);
        self.set(result, id);
    }
}

/// How many numbers a size query gives.
fn size_lanes(kind: ResourceKind) -> u32 {
    use ResourceKind::*;
    match kind {
        TextureCube => 2,
        TextureCubeArray => 3,
        k => k.coords(),
    }
}
