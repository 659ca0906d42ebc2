//! M01–M08: dispatches, state objects, identifiers, stack sizes, recursion, pipeline flags.

use super::{at, draw, draw_with, groups, placed, source};
use crate::engine::{Engine, addition, base, library};
use crate::mapping::{Built, SQUARE, plain_triangles};
use crate::open;
use crate::scene::{FLAGS, SIDE, SKY, Set, Structures, colored, compare, put, tables, usual};
use rtc_engine::library::Library;
use rtc_engine::state_object::{Overrides, PIPELINE_SKIP_PROCEDURAL, PIPELINE_SKIP_TRIANGLES, PipelineConfig};
use rtc_engine::tables::{Record, ShaderTables};
use rtc_engine::vulkan::accel::Geometry;
use rtc_engine::vulkan::{Collection, Layout, LayoutOptions, Pipeline, PipelineOptions};
use std::sync::Arc;
use vulkanalia::vk::{self, Handle, KhrRayTracingPipelineExtensionDeviceCommands};

/// The pipeline of `base.hlsl`.
fn pipeline(engine: &Engine, options: &PipelineOptions) -> (Arc<Library>, Pipeline) {
    let library = base();
    let layout = Layout::new(&engine.device, &[&library, &addition()], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&library, &layout, options).unwrap();
    (library, pipeline)
}

fn built(engine: &Engine) -> Structures {
    let mut structures = Structures::new(engine, FLAGS);
    engine.run(|cmd| structures.build(engine, cmd, false));
    structures
}

#[test]
fn m01_dispatch_rays() {
    let Some((_one, engine)) = open() else { return };
    let (library, pipeline) = pipeline(&engine, &PipelineOptions::default());
    compare(&draw_with(&engine, &pipeline, &library, &tables(), &built(&engine).top), usual);
}

#[test]
fn m02_execute_indirect() {
    let Some((_one, engine)) = open() else { return };
    let (library, pipeline) = pipeline(&engine, &PipelineOptions::default());
    let structures = built(&engine);
    let set = Set::new(&engine, pipeline.layout(), &library, &structures.top);
    let (_buffer, desc) = put(&engine, &pipeline, &tables());
    let arguments = engine.buffer(104, &desc.to_bytes());
    engine.run(|cmd| {
        set.bind(&engine, pipeline.layout(), cmd);
        // SAFETY: everything lives until the wait.
        unsafe { pipeline.dispatch_rays_indirect(cmd, arguments.address(), 1, 104).unwrap() };
        engine.barrier(cmd);
    });
    compare(&set.picture(), usual);
    set.destroy(&engine);
}

/// Boxes with an intersection shader that hits at a depth of its own.
const PROCEDURAL: &str = r#"
RaytracingPipelineConfig Pipeline = {1};
struct Found { uint of; };
ProceduralPrimitiveHitGroup Box = {"Some", "Inside", "Cross"};
TriangleHitGroup Tri = {"", "Hit"};
[shader("closesthit")] void Hit(inout Payload p, Attributes a) { p.color = 3; }
[shader("intersection")] void Cross() { Found found = {PrimitiveIndex() + 40}; ReportHit(0.5, 0, found); }
[shader("anyhit")] void Some(inout Payload p, Found found) { if (DispatchRaysIndex().y < 4) IgnoreHit(); }
[shader("closesthit")] void Inside(inout Payload p, Found found) { p.color = found.of; }
"#;

/// Two boxes, one over the left half and one over the right half of the picture.
fn boxes(engine: &Engine) -> (Built, rtc_engine::vulkan::Buffer) {
    let data = super::floats(&[-1.0, -1.0, -0.2, -0.01, 1.0, 0.2, 0.01, -1.0, -0.2, 1.0, 1.0, 0.2]);
    let buffer = engine.buffer(48, &data);
    let geometry = Geometry::Boxes { address: buffer.address(), stride: 24, count: 2, flags: 0 };
    (Built::new(engine, vec![geometry], 0, |address| placed(0, 0, address)), buffer)
}

/// General shaders, and hit groups of both kinds.
#[test]
fn m03_create_state_object() {
    let Some((_one, engine)) = open() else { return };
    let library = library("boxes.hlsl", &source("0", PROCEDURAL));
    let (over, _data) = boxes(&engine);
    let picture = draw(&engine, &library, &groups(&["Box"]), &over.top);
    assert_eq!((at(&picture, -0.5, 0.5), at(&picture, 0.5, 0.5)), (40, 41));
    assert_eq!(at(&picture, -0.5, -0.9), SKY, "the any-hit shader");
    let picture = draw_square(&engine, &library, "Tri");
    assert_eq!(at(&picture, 0.5, 0.5), 3);
}

/// What a hit group draws on a square of triangles.
fn draw_square(engine: &Engine, library: &Arc<Library>, group: &str) -> Vec<u32> {
    let vertices = engine.buffer(72, &super::floats(&SQUARE));
    let over = Built::new(engine, vec![plain_triangles(vertices.address(), 6, 0)], 0, |address| placed(0, 0, address));
    draw(engine, library, &groups(&[group]), &over.top)
}

#[test]
fn m04_collections_and_additions() {
    let Some((_one, engine)) = open() else { return };
    let growing = PipelineOptions { allow_additions: true, ..PipelineOptions::default() };
    let (library, first) = pipeline(&engine, &growing);
    let structures = built(&engine);
    let collections = [base(), addition()].map(|l| Collection::new(&l, first.layout(), 0, &growing).unwrap());
    let linked = Pipeline::link(&collections.each_ref(), &growing).unwrap();
    let grown = first.add(&addition(), &growing).unwrap();
    let mixed = ShaderTables { miss: vec![Record::of("Night")], hit: vec![colored("Tri", 5), colored("Tri2", 6)], ..tables() };
    for pipeline in [&linked, &grown] {
        compare(&draw_with(&engine, pipeline, &library, &mixed, &structures.top), |left, right, row| match (left, right) {
            (true, _) => 5,
            (_, true) if row >= SIDE / 4 => 1006,
            _ => 2,
        });
    }
}

#[test]
fn m05_get_shader_identifier() {
    let Some((_one, engine)) = open() else { return };
    let (_, pipeline) = pipeline(&engine, &PipelineOptions::default());
    let mut handles = vec![0; 3 * 32];
    // SAFETY: the pipeline has three groups.
    unsafe { engine.raw.get_ray_tracing_shader_group_handles_khr(vk::Pipeline::from_raw(pipeline.handle_raw()), 0, 3, &mut handles) }
        .unwrap();
    for (name, handle) in ["Gen", "Sky", "Tri"].iter().zip(handles.chunks(32)) {
        assert_eq!(pipeline.handle_of(name).unwrap(), handle, "{name}");
        assert_eq!(pipeline.handle(&pipeline.identifier(name).unwrap()).unwrap(), handle);
    }
    assert!(pipeline.identifier("Hit").is_none(), "a shader of a hit group has none");
}

#[test]
fn m06_pipeline_stack_size() {
    let Some((_one, engine)) = open() else { return };
    let (library, pipeline) = pipeline(&engine, &PipelineOptions { dynamic_stack: true, ..PipelineOptions::default() });
    let raw = vk::Pipeline::from_raw(pipeline.handle_raw());
    use vk::ShaderGroupShaderKHR as S;
    for (group, which, name) in [(0, S::GENERAL, "Gen"), (1, S::GENERAL, "Sky"), (2, S::CLOSEST_HIT, "Tri::closesthit")] {
        // SAFETY: the group has this shader.
        let size = unsafe { engine.raw.get_ray_tracing_shader_group_stack_size_khr(raw, group, which) };
        assert_eq!(pipeline.shader_stack_size(name), Some(size), "{name}");
    }
    assert_eq!(pipeline.shader_stack_size("Tri::anyhit"), None);
    assert_eq!(pipeline.stack_size(), pipeline.default_stack_size());
    pipeline.set_stack_size(pipeline.default_stack_size() + 256).unwrap();
    compare(&draw_with(&engine, &pipeline, &library, &tables(), &built(&engine).top), usual);
}

/// Rays that hit shaders trace, as deep as the pipeline config says.
#[test]
fn m07_max_trace_recursion_depth() {
    let Some((_one, engine)) = open() else { return };
    let depth = engine.device.limits().max_recursion.min(8);
    let deep = |declared: u32| {
        let rest = format!(
            "RaytracingPipelineConfig Pipeline = {{{declared}}};
            TriangleHitGroup Tri = {{\"\", \"Hit\"}};
            [shader(\"closesthit\")] void Hit(inout Payload p, Attributes a)
            {{
                p.color += 100;
                if (p.color < {declared}00) TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(), p);
            }}"
        );
        library("deep.hlsl", &source("0", &rest))
    };
    assert_eq!(at(&draw_square(&engine, &deep(depth), "Tri"), 0.5, 0.5), depth * 100);
    let library = deep(engine.device.limits().max_recursion + 1);
    let layout = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
    let e = Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap_err();
    assert!(e.message.contains("a recursion depth of"), "{e}");
}

#[test]
fn m08_skip_triangles_and_procedural_primitives() {
    let Some((_one, engine)) = open() else { return };
    let package = crate::engine::package("boxes.hlsl", &source("0", PROCEDURAL));
    let with = |flags| {
        let overrides = Overrides { pipeline: Some(PipelineConfig { max_recursion: 1, flags }), ..Overrides::default() };
        Arc::new(Library::read(&package, &overrides).unwrap())
    };
    if !engine.device.enabled().has("rayTraversalPrimitiveCulling") {
        let library = with(PIPELINE_SKIP_TRIANGLES);
        let layout = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
        let e = Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap_err();
        assert!(e.to_string().contains("feature rayTraversalPrimitiveCulling is missing"), "{e}");
        // A device with it draws.
        drop(layout);
        drop(engine);
        let Ok(engine) = Engine::with(&rtc_engine::vulkan::Requirements::of(&[&library], crate::engine::ALL_USES), true, None) else {
            return;
        };
        return skipped_primitives(&engine, &with);
    }
    skipped_primitives(&engine, &with);
}

fn skipped_primitives(engine: &Engine, with: &dyn Fn(u32) -> Arc<Library>) {
    let (over, _data) = boxes(engine);
    for (flags, tri, cube) in [(PIPELINE_SKIP_TRIANGLES, SKY, 41), (PIPELINE_SKIP_PROCEDURAL, 3, SKY)] {
        assert_eq!(at(&draw_square(engine, &with(flags), "Tri"), 0.5, 0.5), tri, "triangles with {flags:#x}");
        assert_eq!(at(&draw(engine, &with(flags), &groups(&["Box"]), &over.top), 0.5, 0.5), cube, "boxes with {flags:#x}");
    }
}
