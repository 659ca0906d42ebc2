//! Scenes from text to files, and scenes that are wrong.

use crate::package;
use crate::setup::{LEFT, Outcome, expected, fails};
use libtest_mimic::Failed;
use rtc_host::scene::Scene;
use rtc_host::{ErrorKind, RunOptions, run_scene};
use std::path::PathBuf;

/// A fresh folder under the target directory.
fn folder(name: &str) -> PathBuf {
    rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), name)
}

/// The scene of `Setup` as text.
const SCENE: &str = r#"
[shader]
package = "test.rtp"

[dispatch]
size = [48, 48]
raygen = "RayGen"
hit = [
    { export = "Tri", record = { Material = { Color = { float4 = [0.3, 0, 0, 0] } } } },
    { export = "Tri", record = { Material = { Color = { float4 = [0.9, 0, 0, 0] } } } },
    { export = "Box", record = { "b0.space1" = { Color = { float4 = [0.8, 0.4, 0.2, 1] } } } },
]
callable = [{ export = "Tint", record = { Material = { Color = { float4 = [1, 0.5, 2, 1] } } } }]

[constants.Camera]
View = { float4 = [1.5, -1.5, 0.25, 0] }

[meshes.triangle]
triangles = { positions = [[-0.5, -0.5, 0], [0, 0.5, 0], [0.5, -0.5, 0]] }

[meshes.box]
boxes = [[[-0.5, -1, 0], [0.5, -0.6, 1]]]
opaque = true

[accel.Scene]
build = ["allow_compaction"]
instances = [
    { mesh = "triangle", transform = { translate = [-0.5, 0.25, 0] }, hit_group_offset = 0 },
    { mesh = "triangle", transform = { translate = [0.75, 0.25, 0] }, hit_group_offset = 1 },
    { mesh = "box", hit_group_offset = 2 },
]

[images.Output]
size = [48, 48]
format = "rgba32_float"
save = "out/picture.png"

[images.Raw]
bind = []
size = [4, 4]
format = "r32_uint"
save = "raw.bin"

[buffers.Numbers]
layout = "uint"
elements = [5, 6, 7]
save = "numbers.json"

[constants.Pushed]
Factor = { uint = 1 }

[buffers.Addends]
format = "r32_uint"
size = 16

[buffers.Doubles]
format = "r32_uint"
size = 16
save = "doubles.json"

[buffers."Many[0]"]
size = 4

[textures."Textures[0]"]
file = "white.png"
[textures."Textures[1]"]
file = "white.png"
"#;

fn white_png(dir: &std::path::Path) {
    // A white pixel, written by the code under test in an earlier run and kept as bytes.
    let image: image::RgbaImage = image::ImageBuffer::from_pixel(1, 1, image::Rgba([255; 4]));
    image.save(dir.join("white.png")).expect("a PNG");
}

/// See the name.
pub fn scene_to_png() -> Outcome {
    let dir = folder("scene");
    white_png(&dir);
    let scene = Scene::parse(&dir.join("scene.toml"), SCENE)?;
    let package = package::package(1).write()?;
    let options = RunOptions { output: dir.join("results"), ..RunOptions::default() };
    let report = run_scene(&scene, &package, &options)?;
    let text = report.to_string();
    for part in ["device ", "pipeline ", "dispatch ", "48 x 48", "picture.png"] {
        if !text.contains(part) {
            return Err(format!("the report lacks `{part}`:\n{text}").into());
        }
    }
    if !report.warnings.is_empty() {
        return Err(format!("{:?}", report.warnings).into());
    }
    let png = image::open(dir.join("results/out/picture.png"))?.into_rgba8();
    for (x, y, got) in png.enumerate_pixels() {
        let Some(want) = expected(x, y, LEFT, true) else {
            continue;
        };
        let want = want.map(|f| (f.clamp(0.0, 1.0) * 255.0 + 0.5) as i32);
        if got.0.iter().zip(want).any(|(g, w)| (i32::from(*g) - w).abs() > 1) {
            return Err(format!("pixel {x}, {y}: {got:?} instead of {want:?}").into());
        }
    }
    let numbers = std::fs::read_to_string(dir.join("results/numbers.json"))?;
    if numbers != "[\n5,\n6,\n7\n]\n" {
        return Err(numbers.into());
    }
    if std::fs::read_to_string(dir.join("results/doubles.json"))? != "[\n0,\n0,\n0,\n0\n]\n" {
        return Err("the typed buffer is not zero".into());
    }
    if std::fs::read(dir.join("results/raw.bin"))? != [0; 64] {
        return Err("the raw image is not zero".into());
    }
    let files = std::fs::read_dir(dir.join("results"))?.count();
    if files == 4 { Ok(()) } else { Err(format!("{files} entries in the folder, 4 expected").into()) }
}

/// See the name.
pub fn wrong_scenes() -> Outcome {
    let dir = folder("wrong");
    white_png(&dir);
    let package = package::package(1).write()?;
    let run = |from: &str, to: &str| {
        assert!(SCENE.contains(from), "{from}");
        let scene = Scene::parse(&dir.join("scene.toml"), &SCENE.replacen(from, to, 1))?;
        run_scene(&scene, &package, &RunOptions { output: dir.join("results"), ..RunOptions::default() })
    };
    let scene = ErrorKind::Scene;
    for (from, to, what) in [
        ("raygen = \"RayGen\"", "raygen = \"RayGun\"", "scene.toml:7: `dispatch.raygen`: the library exports no `RayGun`"),
        ("raygen = \"RayGen\"", "raygen = \"RayGun\"", "`RayGen (raygeneration)`, `Fill (raygeneration)`"),
        ("raygen = \"RayGen\"", "raygen = \"Miss\"", "`Miss` is a miss shader and cannot be a raygeneration record"),
        ("raygen = \"RayGen\"", "", "several ray generation shaders"),
        ("export = \"Box\"", "export = \"BoxHit\"", "`BoxHit` is a closesthit shader and cannot be a hit group record"),
        (
            "export = \"Tint\", record = { Material",
            "export = \"Tint\", record = { Matter",
            "`dispatch.callable[0]`: shader record of `Tint`: unknown argument `Matter`",
        ),
        ("float4 = [1, 0.5, 2, 1]", "float4x4 = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]", "has room for 16 bytes, 64 are given"),
        (
            "{ export = \"Box\", record = { \"b0.space1\" = { Color = { float4 = [0.8, 0.4, 0.2, 1] } } } }",
            "'Box'",
            "missing argument `Material`",
        ),
        ("View = { float4 = [1.5, -1.5, 0.25, 0] }", "View = { float2 = [1, 2] }", "constant buffer `Camera` has 16 bytes, 8 are given"),
        ("[constants.Camera]", "[constants.Scene]", "`Scene` is a acceleration structure and cannot be set to a buffer"),
        ("[constants.Camera]", "[constants.Kamera]", "`Camera` (b0, a uniform buffer) is used by the shaders but not set"),
        ("file = \"white.png\"", "file = \"black.png\"", "cannot read"),
        ("file = \"white.png\"", "file = \"scene.toml\"", "cannot read"),
        ("Textures[1]", "Textures[2]", "has 2 element(s), 2 is not one of them"),
    ] {
        fails(run(from, to), scene, what).map_err(|e| Failed::from(format!("{from} -> {to}: {}", e.message().unwrap_or(""))))?;
    }
    let warned = run("[textures.\"Textures[1]\"]", "[samplers.Unused]\n[textures.\"Textures[1]\"]")?.warnings;
    if warned.len() != 1 || !warned[0].contains("the library has no resource `Unused`") {
        return Err(format!("{warned:?}").into());
    }
    // A run that fails leaves no file.
    let _ = std::fs::remove_dir_all(dir.join("results"));
    let _ = run("raygen = \"RayGen\"", "raygen = \"RayGun\"");
    if dir.join("results").exists() { Err("files of a failed run".into()) } else { Ok(()) }
}
