//! The mapping of D3D12's ray tracing to Vulkan: a test for each row, named after it.
//!
//! | rows | file |
//! |---|---|
//! | M01–M08: dispatches and state objects | `pipelines.rs` |
//! | M09–M23: acceleration structures | `structures.rs`, `copies.rs` |
//! | M24–M28: what shaders do beyond, and extensions that few devices have | `features.rs` |
//!
//! What a device lacks is refused with the names of extension and device, and the test asserts that.

mod copies;
mod features;
mod pipelines;
mod structures;

use crate::engine::{Engine, library};
use crate::scene::{SIDE, Set, put};
use rtc_engine::library::Library;
use rtc_engine::tables::{Record, ShaderTables};
use rtc_engine::vulkan::accel::{self, Build, Geometry, Inputs, Scratch, Source};
use rtc_engine::vulkan::{Accel, Buffer, Layout, LayoutOptions, Pipeline, PipelineOptions};
use std::sync::Arc;
use vulkanalia::vk;

/// The source of a library: a ray for each pixel with flags, a miss shader that draws 1, and `rest`.
pub fn source(ray_flags: &str, rest: &str) -> String {
    format!(
        r#"
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Output : register(u0);
struct Payload {{ uint color; }};
typedef BuiltInTriangleIntersectionAttributes Attributes;
RaytracingShaderConfig Shaders = {{4, 8}};
void put(uint color) {{ uint2 i = DispatchRaysIndex().xy; Output[i.y * DispatchRaysDimensions().x + i.x] = color; }}
RayDesc ray()
{{
    RayDesc ray;
    ray.Origin = float3((DispatchRaysIndex().xy + 0.5) / DispatchRaysDimensions().xy * 2 - 1, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    return ray;
}}
[shader("raygeneration")] void Gen()
{{
    Payload p = {{0}};
    TraceRay(Scene, {ray_flags}, 0xff, 0, 0, 0, ray(), p);
    put(p.color);
}}
[shader("miss")] void Sky(inout Payload p) {{ p.color = 1; }}
{rest}"#
    )
}

/// A hit group `Tri` of triangles that draws an expression.
pub fn triangles(color: &str) -> String {
    format!(
        "RaytracingPipelineConfig Pipeline = {{1}};
        TriangleHitGroup Tri = {{\"\", \"Hit\"}};
        [shader(\"closesthit\")] void Hit(inout Payload p, Attributes a) {{ p.color = {color}; }}"
    )
}

/// Tables of `Gen`, `Sky` and hit groups.
pub fn groups(hit: &[&str]) -> ShaderTables {
    let hit = hit.iter().map(|name| Record::of(*name)).collect();
    ShaderTables { raygen: Record::of("Gen"), miss: vec![Record::of("Sky")], hit, callable: Vec::new() }
}

/// What a pipeline of a library draws.
pub fn draw_with(engine: &Engine, pipeline: &Pipeline, library: &Library, tables: &ShaderTables, top: &Accel) -> Vec<u32> {
    let layout = pipeline.layout();
    let set = Set::new(engine, layout, library, top);
    let (_buffer, desc) = put(engine, pipeline, tables);
    engine.run(|cmd| {
        set.bind(engine, layout, cmd);
        // SAFETY: everything lives until the wait.
        unsafe { pipeline.dispatch_rays(cmd, &desc).expect("a dispatch") };
        engine.barrier(cmd);
    });
    let picture = set.picture();
    set.destroy(engine);
    picture
}

/// What a library draws.
pub fn draw(engine: &Engine, library: &Arc<Library>, tables: &ShaderTables, top: &Accel) -> Vec<u32> {
    let layout = Layout::new(&engine.device, &[library], LayoutOptions::default()).expect("a layout");
    let pipeline = Pipeline::new(library, &layout, &PipelineOptions::default()).expect("a pipeline");
    draw_with(engine, &pipeline, library, tables, top)
}

/// What the hit group `Tri` with a colour draws.
pub fn draw_color(engine: &Engine, ray_flags: &str, color: &str, top: &Accel) -> Vec<u32> {
    let library = library("color.hlsl", &source(ray_flags, &triangles(color)));
    draw(engine, &library, &groups(&["Tri"; 4]), top)
}

/// The colour at a place of a picture, from -1 to 1 along both axes.
pub fn at(picture: &[u32], x: f32, y: f32) -> u32 {
    let pixel = |v: f32| ((v + 1.0) / 2.0 * SIDE as f32) as usize;
    picture[pixel(y) * SIDE as usize + pixel(x)]
}

pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|f| f.to_le_bytes()).collect()
}

/// An instance at its place, with 24 bits of identifier, its mask and flags.
pub fn placed(id: u32, flags: u32, address: u64) -> Vec<u8> {
    let mut out = floats(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    out.extend((0xffu32 << 24 | id).to_le_bytes());
    out.extend((flags << 24).to_le_bytes());
    out.extend(address.to_le_bytes());
    out
}

/// A square over the whole picture.
pub const SQUARE: [f32; 18] = [-1.0, -1.0, 0.0, -1.0, 1.0, 0.0, 1.0, 1.0, 0.0, -1.0, -1.0, 0.0, 1.0, 1.0, 0.0, 1.0, -1.0, 0.0];

/// Triangles of vertices with three floats, without indices.
pub fn plain_triangles(vertices: u64, count: u32, flags: u32) -> Geometry {
    let format = vk::Format::R32G32B32_SFLOAT.as_raw();
    Geometry::Triangles { vertices, stride: 12, format, vertex_count: count, indices: None, transform: None, flags }
}

/// Structures that are built, with what they were built from.
pub struct Built {
    pub bottom: Accel,
    pub top: Accel,
    inputs: [Inputs; 2],
    scratch: Buffer,
    _instances: Buffer,
}

impl Built {
    /// A structure of geometries under the instances that `instances` makes for its address.
    pub fn new(engine: &Engine, geometries: Vec<Geometry>, flags: u32, instances: impl FnOnce(u64) -> Vec<u8>) -> Built {
        let device = &engine.device;
        let below = Inputs::Bottom { geometries, flags };
        let bottom = Accel::new(device, &engine.memory, false, below.sizes(device).expect("sizes").result).expect("memory");
        let data = instances(bottom.address());
        let buffer = engine.buffer(data.len() as u64, &data);
        let count = (data.len() / accel::INSTANCE_SIZE) as u32;
        let above = Inputs::Top { instances: buffer.address(), count, pointers: false, flags };
        let top = Accel::new(device, &engine.memory, true, above.sizes(device).expect("sizes").result).expect("memory");
        let need = accel::scratch_for(device, &[(&below, false), (&above, false)]).expect("sizes");
        let scratch = engine.buffer(need, &[]);
        let mut built = Built { bottom, top, inputs: [below, above], scratch, _instances: buffer };
        built.build(engine, false);
        built
    }

    /// Builds both levels again, or updates them.
    fn build(&mut self, engine: &Engine, update: bool) {
        let scratch = Scratch { address: self.scratch.address(), size: self.scratch.size() };
        let source = || if update { Source::Target } else { Source::New };
        let [below, above] = self.inputs.clone();
        engine.run(|cmd| {
            let mut builds = [
                Build { inputs: above, target: &mut self.top, source: source() },
                Build { inputs: below, target: &mut self.bottom, source: source() },
            ];
            // SAFETY: everything lives until the wait.
            unsafe { accel::build(&engine.device, cmd, &mut builds, scratch).expect("builds") };
        });
    }
}
