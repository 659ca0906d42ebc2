//! A small ray-tracing library, assembled by hand: what a compiler would make of
//!
//! ```hlsl
//! RaytracingAccelerationStructure Scene : register(t0);
//! RWTexture2D<float4> Output : register(u0);
//! cbuffer Camera : register(b0) { float4 View; };           // scale x, y, offset x, y
//! RWStructuredBuffer<uint> Numbers : register(u1);
//! Buffer<uint> Addends : register(t3);                      // typed: R32_UINT
//! RWBuffer<uint> Doubles : register(u2);
//! StructuredBuffer<uint> Many[] : register(t0, space3);     // no bound
//! [[vk::push_constant]] struct { uint Factor; } Pushed;
//! Texture2D<float4> Textures[2] : register(t1);
//! SamplerState Smooth : register(s0);                       // static
//! cbuffer Material : register(b0, space1) { float4 Color; }; // local root constants
//!
//! RayGen   Output[id] = Tint(trace from (uv * scale + offset, -1) along +z)
//! Fill     Numbers[x] = Factor * x + Addends[x] + Many[1][0]; Doubles[x] = 2 * x
//! Sample   Output[id] = Textures[id.x & 1].SampleLevel(Smooth, uv, 0)
//! Miss     payload = (0.1, 0.2, 0.4, 1)
//! Hit      payload = (barycentrics, Color.x, 1)
//! Cut      any-hit: IgnoreHit() where barycentrics.x > 0.5
//! BoxTest  ReportHit(1.5, 7, (0.25, 0.75))
//! BoxHit   payload = Color * attributes.y * (HitKind() / 7)
//! Tint     callable: data *= Color
//! TriangleHitGroup Tri = { "Cut", "Hit" };  ProceduralPrimitiveHitGroup Box = { "", "BoxHit", "BoxTest" };
//! ```

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, Dim, ExecutionModel, FunctionControl, ImageFormat, ImageOperands, MemoryModel,
    SelectionControl, StorageClass, Word,
};

/// The module's words.
pub fn words() -> Vec<u32> {
    let mut m = Module::new();
    m.raygen();
    m.fill();
    m.sample();
    m.miss();
    m.hit();
    m.cut();
    m.box_test();
    m.box_hit();
    m.tint();
    m.b.module().assemble()
}

/// Types, constants and variables that several entry points use.
struct Module {
    b: Builder,
    void: Word,
    f32: Word,
    u32: Word,
    bool: Word,
    f2: Word,
    f3: Word,
    f4: Word,
    u2: Word,
    u3: Word,
    function: Word,
    accel: Word,
    image: Word,
    texture: Word,
    sampler: Word,
    scene: Word,
    output: Word,
    camera: Word,
    texels: Word,
    texels_out: Word,
    numbers: Word,
    addends: Word,
    doubles: Word,
    many: Word,
    pushed: Word,
    textures: Word,
    smooth: Word,
    material: Word,
}

impl Module {
    fn new() -> Module {
        let mut b = Builder::new();
        b.set_version(1, 4);
        b.capability(Capability::Shader);
        b.capability(Capability::RayTracingKHR);
        b.capability(Capability::SampledBuffer);
        b.capability(Capability::ImageBuffer);
        b.capability(Capability::RuntimeDescriptorArray);
        b.extension("SPV_EXT_descriptor_indexing");
        b.extension("SPV_KHR_ray_tracing");
        b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
        let void = b.type_void();
        let bool = b.type_bool();
        let f32 = b.type_float(32, None);
        let u32 = b.type_int(32, 0);
        let f2 = b.type_vector(f32, 2);
        let f3 = b.type_vector(f32, 3);
        let f4 = b.type_vector(f32, 4);
        let u2 = b.type_vector(u32, 2);
        let u3 = b.type_vector(u32, 3);
        let function = b.type_function(void, []);
        let accel = b.type_acceleration_structure_khr();
        let image = b.type_image(f32, Dim::Dim2D, 0, 0, 0, 2, ImageFormat::Rgba32f, None);
        let texture = b.type_image(f32, Dim::Dim2D, 0, 0, 0, 1, ImageFormat::Unknown, None);
        let sampler = b.type_sampler();
        let two = b.constant_bit32(u32, 2);
        let array = b.type_array(texture, two);
        let block = |b: &mut Builder, member: Word, stride: Option<u32>| {
            let s = b.type_struct([member]);
            b.decorate(s, Decoration::Block, []);
            b.member_decorate(s, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
            if let Some(stride) = stride {
                b.decorate(member, Decoration::ArrayStride, [Operand::LiteralBit32(stride)]);
            }
            s
        };
        let camera = block(&mut b, f4, None);
        let runtime = b.type_runtime_array(u32);
        let numbers = block(&mut b, runtime, Some(4));
        // One block type serves both: equal types are one in the builder.
        let material = camera;
        let texels = b.type_image(u32, Dim::DimBuffer, 0, 0, 0, 1, ImageFormat::Unknown, None);
        let texels_out = b.type_image(u32, Dim::DimBuffer, 0, 0, 0, 2, ImageFormat::R32ui, None);
        let many = b.type_runtime_array(numbers);
        let pushed = block(&mut b, u32, None);
        let variable = |b: &mut Builder, ty: Word, class: StorageClass, place: Option<(u32, u32)>| {
            let pointer = b.type_pointer(None, class, ty);
            let v = b.variable(pointer, None, class, None);
            if let Some((set, binding)) = place {
                b.decorate(v, Decoration::DescriptorSet, [Operand::LiteralBit32(set)]);
                b.decorate(v, Decoration::Binding, [Operand::LiteralBit32(binding)]);
            }
            v
        };
        let constant = StorageClass::UniformConstant;
        let scene = variable(&mut b, accel, constant, Some((0, 0)));
        let output = variable(&mut b, image, constant, Some((0, 1)));
        let camera = variable(&mut b, camera, StorageClass::Uniform, Some((0, 2)));
        let numbers = variable(&mut b, numbers, StorageClass::StorageBuffer, Some((0, 3)));
        let addends = variable(&mut b, texels, constant, Some((1, 4)));
        let doubles = variable(&mut b, texels_out, constant, Some((1, 5)));
        let many = variable(&mut b, many, StorageClass::StorageBuffer, Some((3, 0)));
        let pushed = variable(&mut b, pushed, StorageClass::PushConstant, None);
        let textures = variable(&mut b, array, constant, Some((2, 0)));
        let smooth = variable(&mut b, sampler, constant, Some((2, 5)));
        let material = variable(&mut b, material, StorageClass::ShaderRecordBufferKHR, None);
        Module {
            b,
            void,
            f32,
            u32,
            bool,
            f2,
            f3,
            f4,
            u2,
            u3,
            function,
            accel,
            image,
            texture,
            sampler,
            scene,
            output,
            camera,
            texels,
            texels_out,
            numbers,
            addends,
            doubles,
            many,
            pushed,
            textures,
            smooth,
            material,
        }
    }

    fn f(&mut self, x: f32) -> Word {
        self.b.constant_bit32(self.f32, x.to_bits())
    }

    fn u(&mut self, x: u32) -> Word {
        self.b.constant_bit32(self.u32, x)
    }

    fn variable(&mut self, ty: Word, class: StorageClass) -> Word {
        let pointer = self.b.type_pointer(None, class, ty);
        self.b.variable(pointer, None, class, None)
    }

    fn builtin(&mut self, ty: Word, which: BuiltIn) -> Word {
        let v = self.variable(ty, StorageClass::Input);
        self.b.decorate(v, Decoration::BuiltIn, [Operand::BuiltIn(which)]);
        v
    }

    fn load(&mut self, ty: Word, from: Word) -> Word {
        self.b.load(ty, None, from, None, []).unwrap()
    }

    /// The first member of a block.
    fn member(&mut self, ty: Word, class: StorageClass, block: Word) -> Word {
        let pointer = self.b.type_pointer(None, class, ty);
        let zero = self.u(0);
        let at = self.b.access_chain(pointer, None, block, [zero]).unwrap();
        self.load(ty, at)
    }

    fn color(&mut self) -> Word {
        self.member(self.f4, StorageClass::ShaderRecordBufferKHR, self.material)
    }

    fn x(&mut self, ty: Word, of: Word, i: u32) -> Word {
        self.b.composite_extract(ty, None, of, [i]).unwrap()
    }

    fn vector(&mut self, ty: Word, of: impl IntoIterator<Item = Word>) -> Word {
        self.b.composite_construct(ty, None, of).unwrap()
    }

    /// An entry point whose body `body` makes; it returns where `body` does not end otherwise.
    fn entry(&mut self, model: ExecutionModel, name: &str, interface: &[Word], body: impl FnOnce(&mut Module)) {
        let f = self.b.begin_function(self.void, None, FunctionControl::NONE, self.function).unwrap();
        self.b.begin_block(None).unwrap();
        body(self);
        self.b.ret().unwrap();
        self.b.end_function().unwrap();
        self.b.entry_point(model, f, name, interface);
    }

    /// Launch index as 2 unsigned, and its place in the picture from 0 to 1.
    fn pixel(&mut self, id: Word, size: Word) -> (Word, Word) {
        let id = self.load(self.u3, id);
        let size = self.load(self.u3, size);
        let id2 = self.b.vector_shuffle(self.u2, None, id, id, [0, 1]).unwrap();
        let size2 = self.b.vector_shuffle(self.u2, None, size, size, [0, 1]).unwrap();
        let idf = self.b.convert_u_to_f(self.f2, None, id2).unwrap();
        let sizef = self.b.convert_u_to_f(self.f2, None, size2).unwrap();
        let half = self.f(0.5);
        let half = self.b.constant_composite(self.f2, [half, half]);
        let center = self.b.f_add(self.f2, None, idf, half).unwrap();
        (id2, self.b.f_div(self.f2, None, center, sizef).unwrap())
    }

    fn raygen(&mut self) {
        let id = self.builtin(self.u3, BuiltIn::LaunchIdKHR);
        let size = self.builtin(self.u3, BuiltIn::LaunchSizeKHR);
        let payload = self.variable(self.f4, StorageClass::RayPayloadKHR);
        let data = self.variable(self.f4, StorageClass::CallableDataKHR);
        let interface = [id, size, payload, data, self.scene, self.output, self.camera];
        self.entry(ExecutionModel::RayGenerationKHR, "main_raygen", &interface, |m| {
            let (pixel, uv) = m.pixel(id, size);
            let view = m.member(m.f4, StorageClass::Uniform, m.camera);
            let (two, minus, ten) = (m.f(2.0), m.f(-1.0), m.f(10.0));
            let two = m.b.constant_composite(m.f2, [two, two]);
            let minus2 = m.b.constant_composite(m.f2, [minus, minus]);
            let ndc = m.b.f_mul(m.f2, None, uv, two).unwrap();
            let ndc = m.b.f_add(m.f2, None, ndc, minus2).unwrap();
            let scale = m.b.vector_shuffle(m.f2, None, view, view, [0, 1]).unwrap();
            let offset = m.b.vector_shuffle(m.f2, None, view, view, [2, 3]).unwrap();
            let at = m.b.f_mul(m.f2, None, ndc, scale).unwrap();
            let at = m.b.f_add(m.f2, None, at, offset).unwrap();
            let (x, y) = (m.x(m.f32, at, 0), m.x(m.f32, at, 1));
            let origin = m.vector(m.f3, [x, y, minus]);
            let (zero, one) = (m.f(0.0), m.f(1.0));
            let direction = m.b.constant_composite(m.f3, [zero, zero, one]);
            let black = m.b.constant_composite(m.f4, [zero; 4]);
            m.b.store(payload, black, None, []).unwrap();
            let (none, all, stride) = (m.u(0), m.u(0xff), m.u(1));
            let scene = m.load(m.accel, m.scene);
            m.b.trace_ray_khr(scene, none, all, none, stride, none, origin, zero, direction, ten, payload).unwrap();
            let color = m.load(m.f4, payload);
            m.b.store(data, color, None, []).unwrap();
            m.b.execute_callable_khr(none, data).unwrap();
            let color = m.load(m.f4, data);
            let image = m.load(m.image, m.output);
            m.b.image_write(image, pixel, color, None, []).unwrap();
        });
    }

    fn fill(&mut self) {
        let id = self.builtin(self.u3, BuiltIn::LaunchIdKHR);
        let interface = [id, self.numbers, self.addends, self.doubles, self.many, self.pushed];
        let u4 = self.b.type_vector(self.u32, 4);
        self.entry(ExecutionModel::RayGenerationKHR, "main_fill", &interface, |m| {
            let id = m.load(m.u3, id);
            let x = m.x(m.u32, id, 0);
            let (zero, one, two) = (m.u(0), m.u(1), m.u(2));
            let pointer = m.b.type_pointer(None, StorageClass::StorageBuffer, m.u32);
            let factor = m.member(m.u32, StorageClass::PushConstant, m.pushed);
            let value = m.b.i_mul(m.u32, None, x, factor).unwrap();
            let addends = m.load(m.texels, m.addends);
            let addend = m.b.image_fetch(u4, None, addends, x, None, []).unwrap();
            let addend = m.x(m.u32, addend, 0);
            let value = m.b.i_add(m.u32, None, value, addend).unwrap();
            let second = m.b.access_chain(pointer, None, m.many, [one, zero, zero]).unwrap();
            let second = m.load(m.u32, second);
            let value = m.b.i_add(m.u32, None, value, second).unwrap();
            let at = m.b.access_chain(pointer, None, m.numbers, [zero, x]).unwrap();
            m.b.store(at, value, None, []).unwrap();
            let double = m.b.i_mul(m.u32, None, x, two).unwrap();
            let double = m.vector(u4, [double, zero, zero, zero]);
            let doubles = m.load(m.texels_out, m.doubles);
            m.b.image_write(doubles, x, double, None, []).unwrap();
        });
    }

    fn sample(&mut self) {
        self.b.capability(Capability::SampledImageArrayDynamicIndexing);
        let id = self.builtin(self.u3, BuiltIn::LaunchIdKHR);
        let size = self.builtin(self.u3, BuiltIn::LaunchSizeKHR);
        let sampled = self.b.type_sampled_image(self.texture);
        let interface = [id, size, self.output, self.textures, self.smooth];
        self.entry(ExecutionModel::RayGenerationKHR, "main_sample", &interface, |m| {
            let (pixel, uv) = m.pixel(id, size);
            // Both textures are read, so that every index is uniform; the parity of x chooses.
            let (zero, one) = (m.u(0), m.u(1));
            let lod = m.f(0.0);
            let pointer = m.b.type_pointer(None, StorageClass::UniformConstant, m.texture);
            let sampler = m.load(m.sampler, m.smooth);
            let read = |m: &mut Module, i: Word| {
                let at = m.b.access_chain(pointer, None, m.textures, [i]).unwrap();
                let texture = m.load(m.texture, at);
                let both = m.b.sampled_image(sampled, None, texture, sampler).unwrap();
                let lod = Operand::IdRef(lod);
                m.b.image_sample_explicit_lod(m.f4, None, both, uv, ImageOperands::LOD, [lod]).unwrap()
            };
            let (a, b) = (read(m, zero), read(m, one));
            let x = m.x(m.u32, pixel, 0);
            let odd = m.b.bitwise_and(m.u32, None, x, one).unwrap();
            let odd = m.b.i_equal(m.bool, None, odd, one).unwrap();
            let color = m.b.select(m.f4, None, odd, b, a).unwrap();
            let image = m.load(m.image, m.output);
            m.b.image_write(image, pixel, color, None, []).unwrap();
        });
    }

    fn miss(&mut self) {
        let payload = self.variable(self.f4, StorageClass::IncomingRayPayloadKHR);
        self.entry(ExecutionModel::MissKHR, "main_miss", &[payload], |m| {
            let sky = [0.1, 0.2, 0.4, 1.0].map(|x| m.f(x));
            let sky = m.b.constant_composite(m.f4, sky);
            m.b.store(payload, sky, None, []).unwrap();
        });
    }

    fn hit(&mut self) {
        let payload = self.variable(self.f4, StorageClass::IncomingRayPayloadKHR);
        let attributes = self.variable(self.f2, StorageClass::HitAttributeKHR);
        let interface = [payload, attributes, self.material];
        self.entry(ExecutionModel::ClosestHitKHR, "main_hit", &interface, |m| {
            let at = m.load(m.f2, attributes);
            let color = m.color();
            let parts = [m.x(m.f32, at, 0), m.x(m.f32, at, 1), m.x(m.f32, color, 0), m.f(1.0)];
            let out = m.vector(m.f4, parts);
            m.b.store(payload, out, None, []).unwrap();
        });
    }

    fn cut(&mut self) {
        let payload = self.variable(self.f4, StorageClass::IncomingRayPayloadKHR);
        let attributes = self.variable(self.f2, StorageClass::HitAttributeKHR);
        self.entry(ExecutionModel::AnyHitKHR, "main_cut", &[payload, attributes], |m| {
            let at = m.load(m.f2, attributes);
            let (x, half) = (m.x(m.f32, at, 0), m.f(0.5));
            let beyond = m.b.f_ord_greater_than(m.bool, None, x, half).unwrap();
            let (ignore, keep) = (m.b.id(), m.b.id());
            m.b.selection_merge(keep, SelectionControl::NONE).unwrap();
            m.b.branch_conditional(beyond, ignore, keep, []).unwrap();
            m.b.begin_block(Some(ignore)).unwrap();
            m.b.ignore_intersection_khr().unwrap();
            m.b.begin_block(Some(keep)).unwrap();
        });
    }

    fn box_test(&mut self) {
        let attributes = self.variable(self.f2, StorageClass::HitAttributeKHR);
        self.entry(ExecutionModel::IntersectionKHR, "main_box_test", &[attributes], |m| {
            let (a, b, t, kind) = (m.f(0.25), m.f(0.75), m.f(1.5), m.u(7));
            let both = m.b.constant_composite(m.f2, [a, b]);
            m.b.store(attributes, both, None, []).unwrap();
            m.b.report_intersection_khr(m.bool, None, t, kind).unwrap();
        });
    }

    fn box_hit(&mut self) {
        let payload = self.variable(self.f4, StorageClass::IncomingRayPayloadKHR);
        let attributes = self.variable(self.f2, StorageClass::HitAttributeKHR);
        let kind = self.builtin(self.u32, BuiltIn::HitKindKHR);
        let interface = [payload, attributes, kind, self.material];
        self.entry(ExecutionModel::ClosestHitKHR, "main_box_hit", &interface, |m| {
            let at = m.load(m.f2, attributes);
            let y = m.x(m.f32, at, 1);
            let kind = m.load(m.u32, kind);
            let kind = m.b.convert_u_to_f(m.f32, None, kind).unwrap();
            let seven = m.f(7.0);
            let kind = m.b.f_div(m.f32, None, kind, seven).unwrap();
            let factor = m.b.f_mul(m.f32, None, y, kind).unwrap();
            let color = m.color();
            let out = m.b.vector_times_scalar(m.f4, None, color, factor).unwrap();
            m.b.store(payload, out, None, []).unwrap();
        });
    }

    fn tint(&mut self) {
        let data = self.variable(self.f4, StorageClass::IncomingCallableDataKHR);
        let interface = [data, self.material];
        self.entry(ExecutionModel::CallableKHR, "main_tint", &interface, |m| {
            let (color, value) = (m.color(), m.load(m.f4, data));
            let out = m.b.f_mul(m.f4, None, value, color).unwrap();
            m.b.store(data, out, None, []).unwrap();
        });
    }
}
