//! glTF scenes on the devices: a small one whose instance moves, and one of more than half a million triangles that is path traced.
//!
//! The large one is generated into the target folder; `RTC_GLTF_SIZE=1280x720 RTC_GLTF_SAMPLES=64` render it larger. It stays there, and
//! `rtc run target/tmp/gltf-scene/world/scene.toml --device NAME --timings -` renders it on any device.
#![cfg(all(feature = "run", feature = "cpu"))]

#[path = "gltf/attributes.rs"]
mod attributes;
#[path = "gltf/generate.rs"]
mod generate;
#[path = "shared/runs.rs"]
mod runs;

use runs::devices;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder for a test.
fn folder(name: &str) -> PathBuf {
    runs::folder("gltf-scene", name)
}

fn run(folder: &Path, device: &str, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtc"));
    command.current_dir(folder).args(["run", "scene.toml", "--device", device]).args(args);
    let done = command.output().expect("rtc starts");
    assert!(done.status.success(), "{device}: {}", String::from_utf8_lossy(&done.stderr));
    done
}

fn floats(file: &Path) -> Vec<f32> {
    let bytes = std::fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    bytes.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// A triangle that moves along x by 4 in a second, seen from where it is at first: `1` where it is hit, with its transform's offset.
const MOVING: &str = r#"{
  "asset": { "version": "2.0" },
  "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
  "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
  "accessors": [
    { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0] },
    { "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
    { "bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3" }
  ],
  "bufferViews": [{ "buffer": 0, "byteLength": 36 }, { "buffer": 1, "byteLength": 8 }, { "buffer": 1, "byteOffset": 8, "byteLength": 24 }],
  "buffers": [
    { "byteLength": 36, "uri": "data:application/octet-stream;base64,AACAvwAAgL8AAAAAAAAAAAAAgD8AAAAAAACAPwAAgL8AAAAA" },
    { "byteLength": 32, "uri": "moves.bin" }
  ],
  "animations": [{ "samplers": [{ "input": 1, "output": 2 }], "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }] }]
}"#;

const HITS: &str = "
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
ByteAddressBuffer Transforms : register(t1);
RaytracingShaderConfig SC = { 4, 8 };
RaytracingPipelineConfig PC = { 1 };
TriangleHitGroup G = { \"\", \"CH\" };
struct P { uint v; };
[shader(\"raygeneration\")] void RG() {
    RayDesc r; r.Origin = float3(4.0 * DispatchRaysIndex().x, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 10;
    P p = { 0 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 0, 0, r, p);
    Out[DispatchRaysIndex().x] = float4(p.v, asfloat(Transforms.Load(12)), 0, 0);
}
[shader(\"miss\")] void MS(inout P p) { p.v = 7; }
[shader(\"closesthit\")] void CH(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.v = 1; }
";

#[test]
fn instances_follow_an_animation() {
    for device in devices() {
        for update in ["rebuild", "refit"] {
            let folder = folder(&format!("moving-{device}-{update}"));
            std::fs::write(folder.join("a.hlsl"), HITS).expect("a file");
            std::fs::write(folder.join("moving.gltf"), MOVING).expect("a file");
            let moves: Vec<u8> = [0.0_f32, 1.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
            std::fs::write(folder.join("moves.bin"), moves).expect("a file");
            let scene = format!(
                "[shader]\nsource = 'a.hlsl'\n[dispatch]\nsize = [2]\n[gltf.m]\nfile = 'moving.gltf'\n[frames]\ncount = 3\nrate = 2\n\
                 [accel.Scene]\ngltf = 'm'\nupdate = '{update}'\n[buffers.Transforms]\nfrom = 'Scene.transforms'\n\
                 [buffers.Out]\nsize = 32\nlayout = 'float4'\nsave = 'out%d.bin'\n"
            );
            std::fs::write(folder.join("scene.toml"), scene).expect("a file");
            run(&folder, device, &[]);
            let hits = |n: u32| {
                let f = floats(&folder.join(format!("out{n}.bin")));
                [f[0], f[4], f[1]]
            };
            // At first the ray of the origin hits, then none, then the one four units to the right.
            assert_eq!([hits(0), hits(1), hits(2)], [[1.0, 7.0, 0.0], [7.0, 7.0, 2.0], [7.0, 1.0, 4.0]], "{device}, {update}");
        }
    }
}

#[test]
fn colors_transforms_and_mip_levels() {
    for device in devices() {
        let folder = folder(&format!("attributes-{device}"));
        attributes::write(&folder);
        run(&folder, device, &[]);
        let found = ["Color", "Level0", "Level1"].map(|name| floats(&folder.join(format!("{name}.bin"))));
        for y in 0..attributes::SIZE {
            for x in 0..attributes::SIZE {
                let at = (y * attributes::SIZE + x) as usize * 4;
                for (what, (found, expected)) in found.iter().zip(attributes::expected(x, y)).enumerate() {
                    let near = found[at..at + 4].iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4);
                    assert!(near, "{device}, picture {what}, {x} {y}: {:?}, expected {expected:?}", &found[at..at + 4]);
                }
            }
        }
    }
}

/// A number pair or a number from the environment.
fn given(name: &str) -> Option<Vec<u32>> {
    let text = std::env::var(name).ok()?;
    Some(text.split('x').map(|n| n.parse().unwrap_or_else(|_| panic!("{name}: `{text}`"))).collect())
}

/// Pictures are equal within a tolerance: of each pixel, and on average.
#[track_caller]
fn alike(a: &[f32], b: &[f32]) {
    assert_eq!(a.len(), b.len());
    let apart: Vec<f32> = a.iter().zip(b).map(|(x, y)| (x - y).abs() / (1.0 + x.abs().min(y.abs()))).collect();
    let mean = apart.iter().sum::<f32>() / apart.len() as f32;
    let far = apart.chunks(4).filter(|c| c.iter().any(|x| *x > 0.02)).count();
    let share = far as f32 / (apart.len() / 4) as f32;
    println!("pictures differ by {mean:.6} on average, {:.2} % of pixels by more than 0.02", share * 100.0);
    assert!(a.iter().all(|x| x.is_finite()) && mean < 0.003 && share < 0.04);
}

#[test]
fn half_a_million_triangles() {
    let folder = folder("world");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let size = given("RTC_GLTF_SIZE").and_then(|s| s.try_into().ok()).unwrap_or([128, 72]);
    let samples = given("RTC_GLTF_SAMPLES").map_or(1, |s| s[0]);
    let triangles = generate::world(&folder, workspace, size, samples);
    assert!(triangles >= 500_000, "{triangles}");
    let mut pictures = Vec::new();
    for device in devices() {
        let out = format!("{device}.json");
        run(&folder, device, &["--format", "bin", "-o", device, "--frames", "2", "--accumulate", "--timings", &out]);
        let picture = floats(&folder.join(device).join("world.bin"));
        let text = std::fs::read_to_string(folder.join(&out)).expect("timings");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let ms = |name: &str| json["steps"].as_array().expect("a list").iter().find(|s| s["name"] == name).expect("a step")["ms"].as_f64();
        let built: u64 = json["structures"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|s| s["level"] == "bottom")
            .filter_map(|s| s["primitives"].as_u64())
            .sum();
        assert_eq!(built, triangles as u64);
        println!(
            "{}: {triangles} triangles; compile {:.0} ms, load {:.0} ms, structures {:.0} ms, frame {:.0} ms, {:.3} million paths/s",
            json["device"]["name"].as_str().unwrap_or_default(),
            ms("compile").unwrap_or_default(),
            ms("load").unwrap_or_default(),
            ms("structures").unwrap_or_default(),
            json["percentiles_ms"]["work"]["p50"].as_f64().unwrap_or_default(),
            json["rays"]["per_second"].as_f64().unwrap_or_default() * f64::from(samples) / 1e6,
        );
        // Neither black nor the sky alone.
        let mean = picture.iter().sum::<f32>() / picture.len() as f32;
        assert!((0.1..2.0).contains(&mean), "{mean}");
        pictures.push(picture);
    }
    if let [a, b] = pictures.as_slice() {
        alike(a, b);
    }
}
