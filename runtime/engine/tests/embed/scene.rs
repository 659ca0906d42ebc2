//! Two squares in a picture of 16 × 16, and what the picture must be.

use crate::engine::Engine;
use rtc_engine::library::{Library, RawArgument};
use rtc_engine::slot::Slot;
use rtc_engine::tables::{Record, ShaderTables};
use rtc_engine::vulkan::accel::{self, Build, Geometry, Inputs, Scratch, Source, build_flag};
use rtc_engine::vulkan::{Accel, Buffer, DispatchRays, Layout, Pipeline};
use vulkanalia::vk::{self, DeviceV1_0, Handle, HasBuilder};

pub const SIDE: u32 = 16;
/// Colours of the left and the right square, and of `Sky`.
pub const LEFT: u32 = 0x11;
pub const RIGHT: u32 = 0x22;
pub const SKY: u32 = 1;

/// The structures with what they were built from.
pub struct Structures {
    pub top: Accel,
    pub bottom: Accel,
    pub inputs: [Inputs; 2],
    pub instances: Buffer,
    pub scratch: Buffer,
    _vertices: Buffer,
}

pub fn bytes<const N: usize>(words: [[f32; N]; 3]) -> Vec<u8> {
    words.iter().flatten().flat_map(|f| f.to_le_bytes()).collect()
}

/// 64 bytes of an instance.
pub fn instance(scale: [f32; 2], at: [f32; 2], hit: u32, address: u64) -> Vec<u8> {
    let mut out = bytes([[scale[0], 0.0, 0.0, at[0]], [0.0, scale[1], 0.0, at[1]], [0.0, 0.0, 1.0, 0.0]]);
    out.extend((0xffu32 << 24).to_le_bytes());
    out.extend(hit.to_le_bytes());
    out.extend(address.to_le_bytes());
    out
}

impl Structures {
    /// Room for both levels, and their inputs; `flags` of both.
    pub fn new(engine: &Engine, flags: u32) -> Structures {
        let device = &engine.device;
        let corners: [[f32; 3]; 6] =
            [[-0.5, -0.5, 0.0], [-0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [0.5, -0.5, 0.0]];
        let data: Vec<u8> = corners.as_flattened().iter().flat_map(|f| f.to_le_bytes()).collect();
        let vertices = engine.buffer(data.len() as u64, &data);
        let triangles = Geometry::Triangles {
            vertices: vertices.address(),
            stride: 12,
            format: vk::Format::R32G32B32_SFLOAT.as_raw(),
            vertex_count: 6,
            indices: None,
            transform: None,
            flags: 0,
        };
        let bottom_inputs = Inputs::Bottom { geometries: vec![triangles], flags };
        let bottom = Accel::new(device, &engine.memory, false, bottom_inputs.sizes(device).expect("sizes").result).expect("memory");
        let instances = engine.buffer(128, &[]);
        let top_inputs = Inputs::Top { instances: instances.address(), count: 2, pointers: false, flags };
        let top = Accel::new(device, &engine.memory, true, top_inputs.sizes(device).expect("sizes").result).expect("memory");
        let need = accel::scratch_for(device, &[(&bottom_inputs, false), (&top_inputs, false)]).expect("sizes");
        let scratch = engine.buffer(need, &[]);
        let made = Structures { top, bottom, inputs: [bottom_inputs, top_inputs], instances, scratch, _vertices: vertices };
        made.place([0.0; 2]);
        made
    }

    /// Writes the instances, moved.
    pub fn place(&self, by: [f32; 2]) {
        let mut data = instance([1.0, 2.0], [-0.5 + by[0], by[1]], 0, self.bottom.address());
        data.extend(instance([1.0, 1.0], [0.5 + by[0], -0.5 + by[1]], 1, self.bottom.address()));
        // SAFETY: no build runs now.
        unsafe { self.instances.write(0, &data).expect("room") };
    }

    pub fn scratch(&self) -> Scratch {
        Scratch { address: self.scratch.address(), size: self.scratch.size() }
    }

    /// Records the builds of both levels, or updates in place.
    pub fn build(&mut self, engine: &Engine, cmd: u64, update: bool) {
        let scratch = self.scratch();
        let source = || if update { Source::Target } else { Source::New };
        let [bottom, top] = self.inputs.clone();
        let mut builds = [
            Build { inputs: top, target: &mut self.top, source: source() },
            Build { inputs: bottom, target: &mut self.bottom, source: source() },
        ];
        // SAFETY: everything lives until the engine has waited.
        unsafe { accel::build(&engine.device, cmd, &mut builds, scratch).expect("builds") };
    }
}

/// The descriptor set of `base.hlsl` with an output buffer.
pub struct Set {
    pub raw: vk::DescriptorSet,
    pool: vk::DescriptorPool,
    pub output: Buffer,
}

impl Set {
    pub fn new(engine: &Engine, layout: &Layout, library: &Library, top: &Accel) -> Set {
        let output = engine.buffer(u64::from(SIDE * SIDE) * 4, &[]);
        let sizes: Vec<_> = layout
            .pool_sizes()
            .into_iter()
            .map(|(kind, n)| vk::DescriptorPoolSize { type_: vk::DescriptorType::from_raw(kind), descriptor_count: n })
            .collect();
        let layouts: Vec<_> = layout.sets().into_iter().map(vk::DescriptorSetLayout::from_raw).collect();
        assert_eq!(layouts.len(), 1, "one register space");
        let place = |name: &str| layout.place(library, &Slot::parse(name)).expect("a resource");
        let (scene, out) = (place("Scene"), place("Output"));
        // SAFETY: the structures that are pointed to live during the calls.
        unsafe {
            let pool = vk::DescriptorPoolCreateInfo::builder().max_sets(1).pool_sizes(&sizes);
            let pool = engine.raw.create_descriptor_pool(&pool, None).expect("a pool");
            let info = vk::DescriptorSetAllocateInfo::builder().descriptor_pool(pool).set_layouts(&layouts);
            let raw = engine.raw.allocate_descriptor_sets(&info).expect("a set")[0];
            let structures = [vk::AccelerationStructureKHR::from_raw(top.handle())];
            let mut next = vk::WriteDescriptorSetAccelerationStructureKHR::builder().acceleration_structures(&structures);
            let mut write = vk::WriteDescriptorSet::builder()
                .dst_set(raw)
                .dst_binding(scene.binding)
                .descriptor_type(vk::DescriptorType::from_raw(scene.descriptor_type.expect("a descriptor")))
                .push_next(&mut next)
                .build();
            write.descriptor_count = 1;
            let buffer = [vk::DescriptorBufferInfo { buffer: vk::Buffer::from_raw(output.handle()), offset: 0, range: vk::WHOLE_SIZE }];
            let second = vk::WriteDescriptorSet::builder()
                .dst_set(raw)
                .dst_binding(out.binding)
                .descriptor_type(vk::DescriptorType::from_raw(out.descriptor_type.expect("a descriptor")))
                .buffer_info(&buffer)
                .build();
            let none: [vk::CopyDescriptorSet; 0] = [];
            engine.raw.update_descriptor_sets(&[write, second], &none);
            Set { raw, pool, output }
        }
    }

    pub fn bind(&self, engine: &Engine, layout: &Layout, cmd: u64) {
        let cmd = vk::CommandBuffer::from_raw(cmd as usize);
        let layout = vk::PipelineLayout::from_raw(layout.handle());
        let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
        // SAFETY: the set is of this layout.
        unsafe { engine.raw.cmd_bind_descriptor_sets(cmd, point, layout, 0, &[self.raw], &[]) };
    }

    /// The picture; the engine has waited.
    pub fn picture(&self) -> Vec<u32> {
        // SAFETY: the device is done with it.
        let bytes = unsafe { self.output.read(0, self.output.size()).expect("mapped") };
        bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
    }

    pub fn destroy(&self, engine: &Engine) {
        // SAFETY: the device is done with it.
        unsafe { engine.raw.destroy_descriptor_pool(self.pool, None) };
    }
}

/// A record with its colour.
pub fn colored(group: &str, color: u32) -> Record {
    Record::of(group).with("Material", RawArgument::Constants(color.to_le_bytes().to_vec()))
}

pub fn tables() -> ShaderTables {
    ShaderTables {
        raygen: Record::of("Gen"),
        miss: vec![Record::of("Sky")],
        hit: vec![colored("Tri", LEFT), colored("Tri", RIGHT)],
        callable: Vec::new(),
    }
}

/// Tables in a buffer, and the dispatch.
pub fn put(engine: &Engine, pipeline: &Pipeline, tables: &ShaderTables) -> (Buffer, DispatchRays) {
    let image = pipeline.tables(tables).expect("tables");
    let buffer = engine.buffer(image.size(), &[]);
    let (bytes, regions) = image.at(buffer.address());
    // SAFETY: it has no user yet.
    unsafe { buffer.write(0, &bytes).expect("room") };
    let desc = DispatchRays::of(buffer.address(), &regions, [SIDE, SIDE, 1]);
    (buffer, desc)
}

/// The colours by a function of the pixel: whether it is on the left square, on the right one, and the row.
pub fn compare(picture: &[u32], color: impl Fn(bool, bool, u32) -> u32) {
    for y in 0..SIDE {
        for x in 0..SIDE {
            let (left, right) = (x < SIDE / 2, x >= SIDE / 2 && y < SIDE / 2);
            assert_eq!(picture[(y * SIDE + x) as usize], color(left, right, y), "pixel {x}, {y}");
        }
    }
}

/// The picture of [`tables`].
pub fn usual(left: bool, right: bool, _: u32) -> u32 {
    match (left, right) {
        (true, _) => LEFT,
        (_, true) => RIGHT,
        _ => SKY,
    }
}

pub const FLAGS: u32 = build_flag::ALLOW_UPDATE | build_flag::ALLOW_COMPACTION | build_flag::PREFER_FAST_TRACE;
