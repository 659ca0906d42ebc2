//! M24–M28: ray queries, reordering, micromaps, positions, clusters. M26 and M28 are refusals on devices without the extensions.

use super::{Built, SQUARE, at, draw, floats, groups, placed, plain_triangles, source, triangles};
use crate::engine::{ALL_USES, Engine, library_for, package_with};
use crate::{ONE, open};
use rtc_engine::ErrorKind;
use rtc_engine::library::Library;
use rtc_engine::state_object::{Overrides, PIPELINE_ALLOW_CLUSTERS, PIPELINE_ALLOW_MICROMAPS, PipelineConfig};
use rtc_engine::tables::ShaderTables;
use rtc_engine::vulkan::accel::build_flag;
use rtc_engine::vulkan::{Layout, LayoutOptions, Pipeline, PipelineOptions, Requirements};
use std::sync::Arc;

/// Draws a square with a library on a device that has what the library needs. Where there is none, the refusal names `extension`.
fn draws(library: &Arc<Library>, tables: &ShaderTables, flags: u32, extension: &str, expected: u32) {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let engine = match Engine::with(&Requirements::of(&[library], ALL_USES), true, None) {
        Ok(engine) => engine,
        Err(why) if why.contains("no device:") && why.contains(extension) => return,
        Err(why) => return rtc_oracles::skip::skip(why),
    };
    let vertices = engine.buffer(72, &floats(&SQUARE));
    let built = Built::new(&engine, vec![plain_triangles(vertices.address(), 6, 0)], flags, |address| placed(6, 0, address));
    assert_eq!(at(&draw(&engine, library, tables, &built.top), 0.5, 0.5), expected);
}

/// A device that was made without a feature refuses the library and names what it lacks.
fn refused(library: &Arc<Library>, what: &str) {
    let Some((_one, engine)) = open() else { return };
    let layout = Layout::new(&engine.device, &[library], LayoutOptions::default()).unwrap();
    let e = Pipeline::new(library, &layout, &PipelineOptions::default()).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Limit);
    assert!(e.to_string().contains(what), "{e}");
    assert!(e.message.contains(engine.device.name()), "{e}");
}

#[test]
fn m24_ray_query() {
    let rest = r#"
RaytracingPipelineConfig Pipeline = {1};
[shader("raygeneration")] void Query()
{
    RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
    query.TraceRayInline(Scene, 0, 0xff, ray());
    query.Proceed();
    put(query.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? 60 + query.CommittedInstanceID() : 0);
}"#;
    let library = library_for("lib_6_5", &source("0", rest));
    let mut tables = groups(&[]);
    tables.raygen = rtc_engine::tables::Record::of("Query");
    draws(&library, &tables, 0, "VK_KHR_ray_query", 66);
    refused(&library, "rayQuery");
}

/// Hit objects run on every device; as an extension they are refused where there is none.
#[test]
fn m25_shader_execution_reordering() {
    let rest = format!(
        r#"{}
[shader("raygeneration")] void Sorted()
{{
    Payload p = {{0}};
    dx::HitObject hit = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(), p);
    dx::MaybeReorderThread(hit);
    dx::HitObject::Invoke(hit, p);
    put(p.color + 100);
}}"#,
        triangles("InstanceID()")
    );
    let source = source("0", &rest);
    let mut tables = groups(&["Tri"]);
    tables.raygen = rtc_engine::tables::Record::of("Sorted");
    draws(&library_for("lib_6_9", &source), &tables, 0, "none", 106);
    for (how, extension) in
        [(rtc::Ser::Ext, "VK_EXT_ray_tracing_invocation_reorder"), (rtc::Ser::Nv, "VK_NV_ray_tracing_invocation_reorder")]
    {
        let package = package_with("reorder.hlsl", &source, "lib_6_9", |o| {
            o.payload_qualifiers = Some(false);
            o.vulkan.ser = how;
        });
        let library = Arc::new(Library::read(&package, &Overrides::default()).unwrap());
        draws(&library, &tables, 0, extension, 106);
        refused(&library, extension);
    }
}

/// A library with flags in its pipeline config.
fn with_flags(flags: u32) -> Arc<Library> {
    let package = package_with("flags.hlsl", &source("0", &triangles("1")), "lib_6_3", |_| {});
    let overrides = Overrides { pipeline: Some(PipelineConfig { max_recursion: 1, flags }), ..Overrides::default() };
    Arc::new(Library::read(&package, &overrides).unwrap())
}

#[test]
fn m26_opacity_micromaps() {
    refused_by_flag(PIPELINE_ALLOW_MICROMAPS, "micromap", "VK_EXT_opacity_micromap");
}

#[test]
fn m28_clusters() {
    refused_by_flag(PIPELINE_ALLOW_CLUSTERS, "clusterAccelerationStructure", "VK_NV_cluster_acceleration_structure");
}

fn refused_by_flag(flag: u32, feature: &str, extension: &str) {
    let Some((_one, engine)) = open() else { return };
    if engine.device.enabled().has(feature) {
        return rtc_oracles::skip::skip(format!("the device has {extension}, with which `native` draws"));
    }
    drop(engine);
    drop(_one);
    refused(&with_flags(flag), extension);
}

/// Positions of hits: the structure allows access, and the shader reads.
#[test]
fn m27_positions() {
    let rest = triangles("uint(TriangleObjectPositions().p0.x * -10) + uint(TriangleObjectPositions().p2.x * 5)");
    let library = library_for("lib_6_10", &source("0", &rest));
    draws(&library, &groups(&["Tri"]), build_flag::ALLOW_DATA_ACCESS, "VK_KHR_ray_tracing_position_fetch", 15);
    refused(&library, "rayTracingPositionFetch");
}
