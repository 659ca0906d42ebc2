//! Generates a glTF scene of more than half a million triangles: rocky ground, knots and spheres in rows, a lattice with holes, a lamp, all
//! textured; one sphere moves.

use serde_json::{Value, json};
use std::path::Path;

/// A file that is put together.
#[derive(Default)]
struct Builder {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    /// Triangles of all meshes.
    triangles: usize,
}

/// A surface over the unit square: position, and whether it is closed in each direction.
type Surface<'a> = &'a dyn Fn(f32, f32) -> [f32; 3];

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f32; 3]) -> [f32; 3] {
    let length = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt();
    if length > 1e-12 { a.map(|x| x / length) } else { [0.0, 1.0, 0.0] }
}

impl Builder {
    fn accessor(&mut self, bytes: &[u8], mut accessor: Value) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() }));
        self.bin.extend(bytes);
        accessor["bufferView"] = (self.views.len() - 1).into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, rows: &[[f32; N]], bounds: bool) -> usize {
        let bytes: Vec<u8> = rows.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut accessor = json!({ "componentType": 5126, "count": rows.len(), "type": format!("VEC{N}") });
        if bounds {
            let of =
                |pick: fn(f32, f32) -> f32| (0..N).map(|i| rows.iter().map(|r| r[i]).reduce(pick).expect("a row")).collect::<Vec<f32>>();
            accessor["min"] = of(f32::min).into();
            accessor["max"] = of(f32::max).into();
        }
        self.accessor(&bytes, accessor)
    }

    /// A mesh over a grid of `columns` x `rows` cells, front along the cross product of both directions.
    fn surface(&mut self, name: &str, columns: u32, rows: u32, material: usize, repeat: f32, at: Surface<'_>) -> usize {
        let (mut positions, mut normals, mut tangents, mut uvs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let e = 1e-3;
        for y in 0..=rows {
            for x in 0..=columns {
                let (u, v) = (x as f32 / columns as f32, y as f32 / rows as f32);
                let along = sub(at(u + e, v), at(u - e, v));
                let normal = unit(cross(along, sub(at(u, v + e), at(u, v - e))));
                let t = unit(along);
                positions.push(at(u, v));
                normals.push(normal);
                tangents.push([t[0], t[1], t[2], 1.0]);
                uvs.push([u * repeat, v * repeat]);
            }
        }
        let mut indices = Vec::new();
        for y in 0..rows {
            for x in 0..columns {
                let a = y * (columns + 1) + x;
                let b = a + columns + 1;
                indices.extend([a, a + 1, b + 1, a, b + 1, b]);
            }
        }
        self.triangles += indices.len() / 3;
        let attributes = json!({
            "POSITION": self.floats(&positions, true), "NORMAL": self.floats(&normals, false),
            "TANGENT": self.floats(&tangents, false), "TEXCOORD_0": self.floats(&uvs, false),
        });
        // Small meshes have small indices.
        let (bytes, kind): (Vec<u8>, u32) = match positions.len() {
            n if n <= 1 << 16 => (indices.iter().flat_map(|i| (*i as u16).to_le_bytes()).collect(), 5123),
            _ => (indices.iter().flat_map(|i| i.to_le_bytes()).collect(), 5125),
        };
        let indices = self.accessor(&bytes, json!({ "componentType": kind, "count": indices.len(), "type": "SCALAR" }));
        self.meshes.push(json!({ "name": name, "primitives": [{ "attributes": attributes, "indices": indices, "material": material }] }));
        self.meshes.len() - 1
    }
}

/// Smooth noise over the plane.
fn height(x: f32, z: f32) -> f32 {
    let wave = |fx: f32, fz: f32, s: f32| (x * fx + s).sin() * (z * fz - s).cos();
    0.5 * wave(0.9, 0.7, 0.3) + 0.22 * wave(2.3, 1.9, 1.1) + 0.06 * wave(7.1, 8.3, 2.0) + 0.02 * wave(23.0, 19.0, 0.7)
}

fn save(folder: &Path, name: &str, size: u32, texel: impl Fn(u32, u32) -> [u8; 4]) {
    let picture = image::RgbaImage::from_fn(size, size, |x, y| image::Rgba(texel(x, y)));
    picture.save(folder.join(name)).expect("a picture");
}

fn textures(folder: &Path) {
    let noise = |x: u32, y: u32| ((x * 7919 + y * 104_729) ^ (x * y * 31)) % 64;
    save(folder, "ground.png", 256, |x, y| {
        let n = noise(x, y) as u8;
        [90 + n, 80 + n / 2, 60 + n / 3, 255]
    });
    save(folder, "tiles.png", 128, |x, y| if (x / 16 + y / 16) % 2 == 0 { [230, 220, 200, 255] } else { [150, 50, 40, 255] });
    save(folder, "bumps.png", 128, |x, y| {
        let wave = |n: u32| ((n as f32 / 128.0 * std::f32::consts::TAU * 4.0).sin() * 40.0 + 128.0) as u8;
        [wave(x), wave(y), 235, 255]
    });
    save(folder, "metal.png", 64, |x, y| [0, 40 + (noise(x, y) * 2) as u8, 255, 255]);
    save(folder, "lattice.png", 64, |x, y| if x % 16 < 6 || y % 16 < 6 { [60, 140, 70, 255] } else { [60, 140, 70, 0] });
}

/// Copies the shader and what it includes, so that the folder can be moved.
fn shaders(folder: &Path, workspace: &Path) {
    let common = "../../../samples/common/";
    let text = std::fs::read_to_string(workspace.join("cli/tests/gltf/pathtracer.hlsl")).expect("the shader");
    std::fs::write(folder.join("pathtracer.hlsl"), text.replace(common, "")).expect("a file");
    for name in ["camera", "core", "gltf", "random", "sampling"].map(|name| format!("{name}.hlsli")) {
        std::fs::copy(workspace.join("samples/common").join(&name), folder.join(name)).expect("an include");
    }
}

/// Writes `world.gltf` with its files, the shaders, and `scene.toml`, which renders it. Returns its triangles without instances.
pub fn world(folder: &Path, workspace: &Path, size: [u32; 2], samples: u32) -> usize {
    use std::f32::consts::{PI, TAU};
    textures(folder);
    shaders(folder, workspace);
    let mut b = Builder::default();
    let ground = b.surface("ground", 440, 440, 0, 24.0, &|u, v| {
        // Front is up: the second direction goes to -z.
        let (x, z) = ((u - 0.5) * 24.0, (0.5 - v) * 24.0);
        [x, height(x, z) - 1.0, z]
    });
    let sphere = b.surface("sphere", 256, 128, 1, 8.0, &|u, v| {
        let (a, h) = (u * TAU, v * PI);
        [-h.sin() * a.cos(), -h.cos(), h.sin() * a.sin()]
    });
    let knot = b.surface("knot", 640, 48, 2, 12.0, &|u, v| {
        let center = |u: f32| {
            let a = u * TAU;
            let r = 1.0 + 0.4 * (3.0 * a).cos();
            [r * (2.0 * a).cos(), 0.5 * (3.0 * a).sin(), r * (2.0 * a).sin()]
        };
        let (c, t) = (center(u), unit(sub(center(u + 1e-3), center(u - 1e-3))));
        let side = unit(cross(t, [0.0, 1.0, 0.0]));
        let up = cross(side, t);
        let (s, k) = ((v * TAU).sin() * 0.18, (v * TAU).cos() * 0.18);
        [0, 1, 2].map(|i| c[i] + side[i] * k + up[i] * s)
    });
    let lattice = b.surface("lattice", 8, 8, 3, 4.0, &|u, v| [(u - 0.5) * 4.0, v * 2.5, 0.0]);
    let lamp = b.surface("lamp", 32, 16, 4, 1.0, &|u, v| {
        let (a, h) = (u * TAU, v * PI);
        [-h.sin() * a.cos() * 0.3, -h.cos() * 0.3, h.sin() * a.sin() * 0.3]
    });
    let mut nodes = vec![json!({ "name": "ground", "mesh": ground })];
    for i in 0..24_usize {
        let (x, z) = ((i % 6) as f32 * 2.6 - 6.5, -(f32::from(i as u8 / 6)) * 2.8 + 1.5);
        let mesh = if i % 3 == 0 { knot } else { sphere };
        let scale = if i % 3 == 0 { 0.75 } else { 0.7 };
        let turn = (i as f32 * 0.7).sin_cos();
        // The last one mirrors.
        let scale = if i == 23 { json!([-scale, scale, scale]) } else { json!([scale, scale, scale]) };
        nodes.push(json!({ "mesh": mesh, "translation": [x, height(x, z) + 0.1, z], "rotation": [0, turn.0, 0, turn.1], "scale": scale }));
    }
    nodes.push(json!({ "mesh": lattice, "translation": [1.5, -0.6, 4.0], "rotation": [0, 0.2588, 0, 0.9659] }));
    nodes.push(json!({ "mesh": lamp, "translation": [-1.5, 0.4, 4.2] }));
    nodes.push(json!({ "name": "eye", "camera": 0, "translation": [0, 2.6, 9.5], "rotation": [-0.1305, 0, 0, 0.9914] }));
    let times: Vec<u8> = [0.0_f32, 1.0, 2.0].iter().flat_map(|t| t.to_le_bytes()).collect();
    let input = b.accessor(&times, json!({ "componentType": 5126, "count": 3, "type": "SCALAR", "min": [0], "max": [2] }));
    let output = b.floats(&[[-1.5, 0.4, 4.2], [0.0, 1.6, 4.2], [1.5, 0.4, 5.2]], false);
    let moving = nodes.len() - 2;
    let texture = |source: u32| json!({ "source": source, "sampler": 0 });
    let all: Vec<usize> = (0..nodes.len()).collect();
    let document = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": all }], "nodes": nodes,
        "meshes": b.meshes,
        "cameras": [{ "type": "perspective", "perspective": { "yfov": 0.7, "znear": 0.1, "zfar": 100 } }],
        "materials": [
            { "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 }, "metallicFactor": 0 } },
            { "pbrMetallicRoughness": { "baseColorTexture": { "index": 1 }, "metallicFactor": 0 }, "normalTexture": { "index": 2, "scale": 0.5 } },
            { "pbrMetallicRoughness": { "baseColorFactor": [0.95, 0.75, 0.4, 1], "metallicRoughnessTexture": { "index": 3 } } },
            { "pbrMetallicRoughness": { "baseColorTexture": { "index": 4 }, "metallicFactor": 0 }, "alphaMode": "MASK", "doubleSided": true },
            { "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0 }, "emissiveFactor": [1, 0.8, 0.5],
              "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 6 } } },
        ],
        "textures": [texture(0), texture(1), texture(2), texture(3), json!({ "source": 4, "sampler": 1 })],
        "samplers": [{ "magFilter": 9729, "minFilter": 9729 }, { "magFilter": 9728, "minFilter": 9728 }],
        "images": [{ "uri": "ground.png" }, { "uri": "tiles.png" }, { "uri": "bumps.png" }, { "uri": "metal.png" }, { "uri": "lattice.png" }],
        "animations": [{ "samplers": [{ "input": input, "output": output }],
            "channels": [{ "sampler": 0, "target": { "node": moving, "path": "translation" } }] }],
        "accessors": b.accessors, "bufferViews": b.views,
        "buffers": [{ "uri": "world.bin", "byteLength": b.bin.len() }],
        "extensionsUsed": ["KHR_materials_emissive_strength"],
    });
    std::fs::write(folder.join("world.bin"), &b.bin).expect("a file");
    std::fs::write(folder.join("world.gltf"), document.to_string()).expect("a file");
    let [width, height] = size;
    let scene = format!(
        r#"[shader]
source = "pathtracer.hlsl"
profile = "lib_6_5"
args = ["-HV", "2021", "-Gis"]
[gltf.world]
file = "world.gltf"
textures = "g_GltfTextures"
samplers = "g_GltfSamplers"
[camera]
gltf = "world"
[frames]
rate = 4
[constants.g_Frame]
clipToWorld = {{ camera = "clip_to_world" }}
worldToClip = {{ camera = "world_to_clip" }}
eye = {{ camera = "eye" }}
tanHalfFov = {{ camera = "tan_half_fov" }}
index = {{ frame = "index" }}
samples = {{ uint = {samples} }}
maxBounces = {{ uint = 4 }}
[accel.g_Scene]
gltf = "world"
[buffers.g_GltfGeometries]
from = "world.geometries"
[buffers.g_GltfMaterials]
from = "world.materials"
[buffers.g_GltfPositions]
from = "world.positions"
[buffers.g_GltfNormals]
from = "world.normals"
[buffers.g_GltfTangents]
from = "world.tangents"
[buffers.g_GltfUvs]
from = "world.uvs"
[buffers.g_GltfIndices]
from = "world.indices"
[images.g_Output]
size = [{width}, {height}]
format = "rgba32_float"
encode = "srgb"
save = "world.png"
"#
    );
    std::fs::write(folder.join("scene.toml"), scene).expect("a file");
    b.triangles
}
