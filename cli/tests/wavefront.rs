//! Software reordering on a Vulkan device: the conformance set with sorted rays, in tiles of every size, and what a run reports about its sorts.
#![cfg(feature = "run")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rtc_oracles::skip;

/// The shaders of the conformance set, which check their own results.
fn conformance_set() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("lit-tests/tests/ser")
}

fn rtc_run(args: &[&str]) -> Output {
    // The validation layer watches where it is installed.
    let watched = if rtc_oracles::vulkan::validation_layer() { "1" } else { "0" };
    Command::new(env!("CARGO_BIN_EXE_rtc-run")).env("RTC_VK_VALIDATION", watched).args(args).output().expect("rtc-run starts")
}

/// A shader of the set with its rays sorted; the report of its dispatch as JSON. None: there is no Vulkan device.
fn sorting_of(shader: &str, settings: &[&str]) -> Option<serde_json::Value> {
    let path = conformance_set().join(shader);
    let out = env!("CARGO_TARGET_TMPDIR");
    let usual = [path.to_str().expect("a path"), "-o", out, "--device", "vulkan", "--timings", "-"];
    let done = rtc_run(&[&usual, settings, &["--", "-no-warnings", "-fspv-ser=wavefront"]].concat());
    let said = String::from_utf8_lossy(&done.stderr);
    if done.status.code() == Some(3) {
        skip::skip(said.trim());
        return None;
    }
    assert!(done.status.success(), "{shader}: {said}");
    let report: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    Some(report["dispatches"][0]["sorting"].clone())
}

/// Shaders of the set that are divided. Others take a software driver most of a minute to compile; `rtc-run --all` runs them.
const DIVIDED: [&str; 6] = ["reorder_hint", "reorder_loop", "reorder_memory", "reorder_nop", "reorder_wave", "unused"];

/// Shaders find what they find in every other form, whether all rays are one tile or few are, and wherever the sorts end.
#[test]
fn the_conformance_set_with_sorted_rays() {
    for name in DIVIDED {
        let shader = format!("{name}.hlsl");
        let Some(all) = sorting_of(&shader, &[]) else { return };
        assert_eq!(all["tiles"], 1, "{name}: {all}");
        let rays = all["rays"].as_u64().unwrap_or(0);
        assert!(rays >= 16 && all["sorts"].as_u64().is_some_and(|n| n > 0), "{name}: {all}");
        // Memory for few rays, and one sort after which they stop again.
        let tiles = sorting_of(&shader, &["--wavefront-memory", "2", "--wavefront-iterations", "1"]).expect("a device");
        assert!(tiles["rays"].as_u64().is_some_and(|n| (16..=rays).contains(&n)), "{name}: {tiles}, {all}");
    }
}

#[test]
fn a_run_reports_its_sorts() {
    // A loop of four points, which rays leave at different times.
    let Some(sorting) = sorting_of("reorder_loop.hlsl", &[]) else { return };
    assert_eq!((&sorting["tiles"], &sorting["sorts"]), (&1.into(), &4.into()), "{sorting}");
    let rays = sorting["rays"].as_u64().expect("a number");
    assert!((16..=64).contains(&rays), "{sorting}");
    // In tiles all rays stop as often.
    let tiles = sorting_of("reorder_loop.hlsl", &["--wavefront-memory", "2"]).expect("a device");
    assert!(tiles["tiles"].as_u64().is_some_and(|n| n > 1), "{tiles}");
    assert_eq!(tiles["rays"].as_u64(), Some(rays), "{tiles}");
    // After the first sort no ray stops any more.
    let once = sorting_of("reorder_loop.hlsl", &["--wavefront-iterations", "0"]).expect("a device");
    assert_eq!((&once["tiles"], &once["sorts"]), (&1.into(), &1.into()), "{once}");
    // A shader without points is dispatched as any other.
    assert_eq!(sorting_of("hit_is.hlsl", &[]), Some(serde_json::Value::Null));
}

/// Three traces, whose shaders read the index of the ray: the host says which point each launch resumes.
const INDEX_IS_READ: &str = "
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Out : register(u0);
struct P { float3 c; uint n; };
[shader(\"miss\")] void Sky(inout P p) { p.c += float3(DispatchRaysIndex().xy, DispatchRaysDimensions().x) * 0.01; p.n += 1; }
[shader(\"closesthit\")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) { p.c += float3(DispatchRaysIndex().yx, 1) * 0.02; p.n += 100; }
[shader(\"raygeneration\")] void Main() {
    uint2 i = DispatchRaysIndex().xy;
    float2 at = float2(i) / DispatchRaysDimensions().xy * 2 - 1;
    RayDesc r = { float3(at, -1), 0, float3(0, 0, 1), 9 };
    P p = { float3(0, 0, 0), 0 };
    TraceRay(Scene, 0, 255, 0, 1, 0, r, p);
    if (((i.x + i.y) & 1) != 0) { r.Origin.x += 0.3; TraceRay(Scene, 0, 255, 0, 1, 0, r, p); }
    if ((i.x & 2) != 0) { r.Origin.y += 0.3; TraceRay(Scene, 0, 255, 0, 1, 0, r, p); }
    Out[i] = float4(p.c, p.n);
}
";
/// Its scene.
const SCENE: &str = "
shader = { source = 'index.hlsl', profile = 'lib_6_3', args = ['-Gis'] }
pipeline = { max_recursion = 1, max_payload_size = 16, max_attribute_size = 8 }
dispatch = { size = [64, 48] }
[[hit_group]]
name = 'G'
type = 'triangles'
closest_hit = 'Hit'
[meshes.m]
triangles = { positions = [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0, 0.5, 0]], indices = [0, 1, 2] }
[accel.Scene]
instances = [{ mesh = 'm' }]
[images.Out]
size = [64, 48]
format = 'rgba32_float'
save = 'index.bin'
";

/// The validation layer, where it is, watches the word that says which point it is.
#[test]
fn launches_of_several_points_find_their_rays() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wavefront-index");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("index.hlsl"), INDEX_IS_READ).expect("written");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("written");
    let run = |options: &[&str]| {
        let (scene, out) = (folder.join("scene.toml"), folder.to_str().expect("a path"));
        let usual = [scene.to_str().expect("a path"), "-o", out, "--device", "vulkan", "--timings", "-", "--", "-no-warnings"];
        let done = rtc_run(&[&usual, options].concat());
        let said = String::from_utf8_lossy(&done.stderr);
        if done.status.code() == Some(3) {
            skip::skip(said.trim());
            return None;
        }
        assert!(done.status.success(), "{options:?}: {said}");
        let report: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        Some((report["dispatches"][0]["sorting"].clone(), std::fs::read(folder.join("index.bin")).expect("a picture")))
    };
    let Some((_, plain)) = run(&[]) else { return };
    let (sorting, sorted) = run(&["-fspv-ser=wavefront", "-fspv-wavefront"]).expect("a device");
    // Each ray stops at its first trace, half of them at the second, and half at the third.
    assert_eq!((&sorting["sorts"], &sorting["rays"]), (&3.into(), &(2 * 64 * 48).into()), "{sorting}");
    assert!(plain == sorted, "another picture");
}

#[test]
fn what_is_wrong_is_named() {
    let shader = conformance_set().join("reorder_loop.hlsl");
    let shader = shader.to_str().expect("a path");
    for (settings, why) in [
        (["--wavefront-memory", "none"], "expected a whole number from 1 to 4294967295, found `none`"),
        (["--wavefront-memory", "99999999999"], "expected a whole number from 1 to 4294967295, found `99999999999`"),
        (["--wavefront-memory", "0"], "expected a whole number from 1 to 4294967295, found `0`"),
        (["--wavefront-iterations", "-1"], "expected a number up to 1000, found `-1`"),
        (["--wavefront-iterations", "1001"], "expected a number up to 1000, found `1001`"),
    ] {
        let done = rtc_run(&[&[shader][..], &settings].concat());
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.code() == Some(1) && said.contains(why), "{said} instead of {why}");
    }
    // Not even one ray fits.
    let done = rtc_run(&[shader, "--device", "vulkan", "--wavefront-memory", "1", "--", "-no-warnings", "-fspv-ser=wavefront"]);
    let said = String::from_utf8_lossy(&done.stderr);
    match done.status.code() {
        Some(3) => skip::skip(said.trim()),
        code => assert!(code == Some(1) && said.contains("bytes of memory are needed, there are 1024"), "{said}"),
    }
}
