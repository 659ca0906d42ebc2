//! glTF files in scenes: what is read of them, and what damaged ones give.

use super::super::{Scene, Shape, Triangles};
use super::*;
use crate::device::{Address, GEOMETRY_OPAQUE};
use serde_json::{Value, json};

/// A file that is put together.
#[derive(Default)]
struct Builder {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

fn le(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

impl Builder {
    fn view(&mut self, bytes: &[u8], stride: usize) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
        let mut view = json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() });
        if stride != 0 {
            view["byteStride"] = stride.into();
        }
        self.bin.extend(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], stride: usize, mut accessor: Value) -> usize {
        accessor["bufferView"] = self.view(bytes, stride).into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

/// A PNG of one texel.
fn png() -> Vec<u8> {
    let mut out = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut out);
    image::ImageEncoder::write_image(encoder, &[255, 128, 0, 255], 1, 1, image::ExtendedColorType::Rgba8).unwrap();
    out
}

/// A quad with interleaved vertices and normalized coordinates, and a triangle whose last corner is sparse; a textured material; a camera; a
/// node that moves.
fn document() -> (Value, Vec<u8>) {
    let mut b = Builder::default();
    let mut vertices = Vec::new();
    for (x, y, u, v) in [(0.0, 0.0, 0_u8, 0_u8), (1.0, 0.0, 255, 0), (1.0, 1.0, 255, 255), (0.0, 1.0, 0, 255)] {
        vertices.extend(le(&[x, y, 2.0, 0.0, 0.0, 1.0]));
        vertices.extend([u, v, 0, 0]);
    }
    let view = b.view(&vertices, 28);
    b.accessors.push(json!({ "bufferView": view, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 2], "max": [1, 1, 2] }));
    b.accessors.push(json!({ "bufferView": view, "byteOffset": 12, "componentType": 5126, "count": 4, "type": "VEC3" }));
    b.accessors
        .push(json!({ "bufferView": view, "byteOffset": 24, "componentType": 5121, "normalized": true, "count": 4, "type": "VEC2" }));
    b.accessor(&[0, 1, 2, 0, 2, 3], 0, json!({ "componentType": 5121, "count": 6, "type": "SCALAR" }));
    let indices = b.view(&[2, 0], 0);
    let values = b.view(&le(&[0.0, 5.0, -1.0]), 0);
    let sparse = json!({ "count": 1, "indices": { "bufferView": indices, "componentType": 5123 }, "values": { "bufferView": values } });
    let triangle = json!({ "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, -1], "max": [1, 5, 0], "sparse": sparse });
    b.accessor(&le(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 9.0, 9.0, 9.0]), 0, triangle);
    b.accessor(&le(&[0.0, 2.0]), 0, json!({ "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [2] }));
    b.accessor(&le(&[0.0, 0.0, 0.0, 4.0, 0.0, 6.0]), 0, json!({ "componentType": 5126, "count": 2, "type": "VEC3" }));
    let picture = b.view(&png(), 0);
    let json = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 2] }],
        "nodes": [
            { "name": "mover", "mesh": 0, "children": [1] },
            { "mesh": 1, "translation": [0, 1, 0], "scale": [-1, 1, 1] },
            { "name": "eye", "camera": 0, "translation": [0, 0, 5] },
        ],
        "cameras": [{ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.5, "zfar": 50 } }],
        "meshes": [
            { "name": "quad", "primitives": [{ "attributes": { "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2 }, "indices": 3, "material": 0 }] },
            { "primitives": [{ "attributes": { "POSITION": 4 } }] },
        ],
        "materials": [{
            "pbrMetallicRoughness": { "baseColorFactor": [0.5, 1, 1, 1], "metallicFactor": 0.25, "roughnessFactor": 0.75, "baseColorTexture": { "index": 0 } },
            "normalTexture": { "index": 0, "scale": 2 },
            "emissiveFactor": [1, 0, 0.5],
            "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true,
            "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 4 } },
        }],
        "textures": [{ "source": 0, "sampler": 0 }],
        "samplers": [{ "wrapS": 33071, "magFilter": 9728 }],
        "images": [{ "bufferView": picture, "mimeType": "image/png" }],
        "animations": [{ "name": "move", "samplers": [{ "input": 5, "output": 6 }], "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }] }],
        "accessors": b.accessors,
        "bufferViews": b.views,
        "buffers": [{ "byteLength": b.bin.len() }],
        "extensionsUsed": ["KHR_materials_emissive_strength"],
    });
    (json, b.bin)
}

/// A binary glTF file.
fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bin = bin.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut out = b"glTF".to_vec();
    let words = |n: &[usize]| n.iter().flat_map(|n| (*n as u32).to_le_bytes()).collect::<Vec<u8>>();
    out.extend(words(&[2, 12 + 8 + text.len() + 8 + bin.len(), text.len()]));
    out.extend(b"JSON");
    out.extend(text);
    out.extend(words(&[bin.len()]));
    out.extend(b"BIN\0");
    out.extend(bin);
    out
}

/// A folder for a test.
fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("rtc-gltf-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

const SCENE: &str = "[shader]\nsource = 'a.hlsl'\n[dispatch]\nsize = [4, 2]\n[gltf.w]\nfile = 'w.glb'\ntextures = 'T[2]'\nsamplers = 'S'\n";

fn parse(dir: &Path, rest: &str) -> Result<Scene> {
    Scene::parse(&dir.join("scene.toml"), &format!("{SCENE}{rest}"))
}

#[test]
fn everything_is_read() {
    let dir = folder("whole");
    let (json, bin) = document();
    std::fs::write(dir.join("w.glb"), glb(&json, &bin)).unwrap();
    let rest = "[accel.A]\ngltf = 'w'\ninstances = [{ mesh = 'c' }]\n[meshes.c]\ncube = {}\n[camera]\ngltf = 'w'\nfov_y = 30\n[buffers.G]\nfrom = 'w.geometries'\n[buffers.M]\nfrom = 'w.materials'\n";
    let scene = parse(&dir, rest).unwrap_or_else(|e| panic!("{e}"));
    let g = &scene.gltfs[0];
    assert_eq!(scene.meshes[g.meshes.clone()].iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["w/quad", "w/1"]);
    let triangles = |mesh: usize| match &scene.meshes[g.meshes.start + mesh].parts[0].shape {
        Shape::Triangles(t) => t.clone(),
        Shape::Boxes(_) => Triangles::default(),
    };
    let quad = triangles(0);
    assert_eq!((quad.positions[2], quad.normals[0], quad.uvs[1]), ([1.0, 1.0, -2.0], [0.0, 0.0, -1.0], [1.0, 0.0]));
    assert_eq!(quad.indices.as_deref(), Some(&[0, 2, 1, 0, 3, 2][..]));
    // The sparse corner, of an accessor without indices.
    assert_eq!((triangles(1).positions[2], triangles(1).indices), ([0.0, 5.0, 1.0], Some(vec![0, 2, 1])));
    let m = g.data.materials[0];
    assert_eq!((m.emissive, m.metallic, m.roughness, m.normal_scale, m.alpha_cutoff), ([4.0, 0.0, 2.0], 0.25, 0.75, 2.0, 0.25));
    assert_eq!((m.flags, m.textures), (ALPHA_MASK | DOUBLE_SIDED, [0, NONE, 1, NONE]));
    assert_eq!(g.data.textures.iter().map(|t| t.srgb).collect::<Vec<_>>(), [true, false]);
    let s = g.data.textures[0].sampler;
    assert_eq!((s.address[0], s.address[1], s.mag_linear, s.min_linear), (Address::Clamp, Address::Wrap, false, true));
    assert!(g.data.textures[0].mips && s.mip_linear && s.max_lod > 1.0, "a sampler that does not say how it minifies has mip levels");
    assert_eq!(g.data.transforms, [[TextureTransform::IDENTITY; 4]; 2]);
    assert_eq!(g.data.pictures[0].texels, [255, 128, 0, 255]);
    assert_eq!(g.textures.iter().map(|t| t.slots[0].1).collect::<Vec<_>>(), [2, 3]);
    // Without a material: the default one, which is opaque.
    assert_eq!(g.data.geometries[1].material, 1);
    assert_eq!(scene.meshes[g.meshes.start + 1].parts[0].flags, GEOMETRY_OPAQUE);
    assert_eq!(scene.meshes[g.meshes.start].parts[0].flags, 0);
    assert_eq!(scene.gltf_bytes(0, GltfBuffer::Geometries).len(), 2 * 24);
    assert_eq!(scene.gltf_bytes(0, GltfBuffer::Materials).len(), 2 * 64);
    assert_eq!(scene.gltf_bytes(0, GltfBuffer::Normals).len(), 7 * 12);
    assert_eq!(scene.gltf_bytes(0, GltfBuffer::Colors), le(&[1.0; 7 * 4]));
    assert_eq!(scene.gltf_bytes(0, GltfBuffer::TextureTransforms), le(&[1.0, 0.0, 0.0, 1.0, 0.0, 0.0].repeat(8)));
    let instances = &scene.accels[0].instances;
    assert_eq!(
        instances.iter().map(|i| (i.id, i.flags)).collect::<Vec<_>>(),
        [(0, INSTANCE_CULL_DISABLE), (1, INSTANCE_FRONT_COUNTERCLOCKWISE), (0, 0)]
    );
    // After half of the animation; the child follows, and what is not of the file stays.
    let moved = scene.transforms_at(&scene.accels[0], 1.0).unwrap();
    assert_eq!([0, 1, 2].map(|r| moved[0][r][3]), [2.0, 0.0, -3.0]);
    assert_eq!([0, 1, 2].map(|r| moved[1][r][3]), [2.0, 1.0, -3.0]);
    assert_eq!(moved[2], crate::device::IDENTITY);
    let camera = scene.camera_at(0.0).unwrap().unwrap();
    assert_eq!((camera.eye, camera.look_at, camera.fov_y, camera.near, camera.far), ([0.0, 0.0, -5.0], [0.0, 0.0, -4.0], 30.0, 0.5, 50.0));
    assert_eq!(scene.files().len(), 1);
    // As text, with its data in a URI, and as a mesh of its own.
    let mut text = json.clone();
    use base64::Engine as _;
    let data = base64::engine::general_purpose::STANDARD.encode(&bin);
    text["buffers"][0]["uri"] = format!("data:application/octet-stream;base64,{data}").into();
    std::fs::write(dir.join("w.glb"), text.to_string()).unwrap();
    let again = parse(&dir, &format!("{rest}[meshes.whole]\ngltf = 'w.glb'\n")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.gltf_bytes(0, GltfBuffer::Positions), scene.gltf_bytes(0, GltfBuffer::Positions));
    let whole = again.meshes.iter().find(|m| m.name == "whole").unwrap();
    let Shape::Triangles(second) = &whole.parts[1].shape else { panic!("triangles") };
    assert_eq!(second.positions[2], [0.0, 6.0, 1.0]);
    // A file next to it.
    text["buffers"][0]["uri"] = "some%20data.bin".into();
    std::fs::write(dir.join("w.glb"), text.to_string()).unwrap();
    std::fs::write(dir.join("some data.bin"), &bin).unwrap();
    assert_eq!(parse(&dir, rest).unwrap_or_else(|e| panic!("{e}")).files().len(), 2);
    std::fs::remove_dir_all(&dir).unwrap();
}

/// Each mistake has an error of its own, with the line of the scene.
#[test]
fn broken_files() {
    let dir = folder("broken");
    let (good, bin) = document();
    let fails = |change: &dyn Fn(&mut Value), why: &str| {
        let mut json = good.clone();
        change(&mut json);
        std::fs::write(dir.join("w.glb"), glb(&json, &bin)).unwrap();
        let said = parse(&dir, "").expect_err(why).to_string();
        assert!(said.contains("scene.toml:6: `gltf.w.file`: ") && said.contains(why), "expected: {why}\nfound: {said}");
    };
    let set = |place: &'static str, value: Value| {
        move |json: &mut Value| match json.pointer_mut(place) {
            Some(v) => *v = value.clone(),
            None => {
                let (parent, key) = place.rsplit_once('/').unwrap();
                json.pointer_mut(parent).unwrap()[key] = value.clone();
            }
        }
    };
    fails(&set("/bufferViews/0/byteOffset", 1_000_000.into()), "bytes from byte 1000000 on are not within buffer 0");
    fails(&set("/accessors/0/byteOffset", 40.into()), "accessor 0: 4 elements from byte 40 on are not within bufferView 0");
    fails(&set("/accessors/0/count", 5.into()), "accessor 0: 5 elements");
    fails(&set("/accessors/0/count", 4_000_000_000_000_u64.into()), "accessor 0: 4000000000000 elements");
    fails(&set("/accessors/1/count", 3.into()), "primitive 0 of mesh 0: it has 4 positions and 3 normals");
    fails(&set("/accessors/0/type", "VEC2".into()), "accessor 0: its elements are Vec2, expected Vec3");
    fails(&set("/accessors/3/componentType", 5126.into()), "accessor 3: ");
    fails(&set("/accessors/3/count", 5.into()), "primitive 0 of mesh 0: 5 indices are not a multiple of 3");
    fails(&set("/accessors/3/count", 0.into()), "accessor 3: it has no elements");
    fails(&set("/accessors/4/sparse/indices/byteOffset", 9.into()), "accessor 4: sparse: 1 elements from byte 9 on");
    fails(&set("/accessors/4/count", 1.into()), "accessor 4: sparse: element 2 of 1");
    fails(&set("/bufferViews/0/byteStride", 4.into()), "accessor 0: its elements of 12 bytes are only 4 apart");
    fails(&set("/buffers/0/byteLength", 100_000.into()), "buffer 0: its length is 100000 bytes, but there are");
    fails(&set("/buffers/0/uri", "none.bin".into()), "buffer 0: cannot read");
    fails(&set("/buffers/0/uri", "http://x/y".into()), "buffer 0: `http://x/y` is neither a file nor a data URI");
    fails(&set("/buffers/0/uri", "data:;base64,A?".into()), "buffer 0: its base64 is wrong");
    fails(&set("/buffers/0/uri", "a%2".into()), "buffer 0: `a%2` has a % without two digits");
    fails(&set("/meshes/0/primitives/0/attributes/NORMAL", 77.into()), "primitive 0 of mesh 0 refers to an accessor that is not there");
    fails(&set("/nodes/1/children", json!([0])), "has two parents, or is below itself");
    fails(&set("/nodes/0/mesh", 9.into()), "it is no valid glTF");
    fails(&set("/scenes", json!([{ "nodes": [2] }])), "no node of its scene has a mesh");
    let transform = |value: Value| set("/materials/0/normalTexture/extensions", json!({ "KHR_texture_transform": value }));
    fails(&transform(json!({ "scale": [1] })), "material 0: KHR_texture_transform: `scale` is not two numbers");
    fails(&transform(json!({ "offset": [1, "x"] })), "material 0: KHR_texture_transform: `offset` is not two numbers");
    fails(&transform(json!({ "rotation": null })), "material 0: KHR_texture_transform: `rotation` is not a number");
    fails(&transform(json!({ "texCoord": -1 })), "material 0: KHR_texture_transform: `texCoord` is not a number of a set");
    fails(&set("/meshes/0/primitives/0/attributes/COLOR_0", 4.into()), "primitive 0 of mesh 0: it has 4 positions and 3 vertex colors");
    fails(&set("/meshes/0/primitives/0/attributes/COLOR_0", 2.into()), "accessor 2: its elements are Vec2, expected Vec4");
    fails(&set("/images/0/bufferView", 0.into()), "image 0: it is neither PNG nor JPEG that can be read");
    fails(&set("/images/0", json!({ "uri": "none.png" })), "image 0: cannot read");
    fails(&set("/animations/0/channels/0/sampler", 3.into()), "channel 0 of animation 0 refers to a sampler that is not there");
    fails(&set("/animations/0/channels/0/target/node", 7.into()), "channel 0 of animation 0 refers to a node that is not there");
    fails(&set("/animations/0/channels/0/target/path", "colour".into()), "channel 0 of animation 0 changes none of");
    fails(&set("/animations/0/samplers/0/output", 99.into()), "sampler 0 of animation 0 refers to an accessor that is not there");
    fails(&set("/animations/0/samplers/0/input", 6.into()), "channel 0 of animation 0: accessor 6");
    fails(&set("/animations/0/samplers/0/interpolation", "CUBICSPLINE".into()), "2 keys require 6 values, there are 2");
    let requires = |name: &str| set("/extensionsRequired", json!([name]));
    fails(
        &requires("KHR_draco_mesh_compression"),
        "its meshes are compressed by Draco (`KHR_draco_mesh_compression`), which is not supported",
    );
    fails(&requires("EXT_meshopt_compression"), "its meshes are compressed by meshopt (`EXT_meshopt_compression`), which is not supported");
    fails(&requires("KHR_texture_basisu"), "requires extensions that are not supported: `KHR_texture_basisu`");
    fails(&set("/asset/version", "1.0".into()), "it is of version 1.0 of glTF, and 2.0 is read");
    fails(&set("/asset/version", "".into()), "it does not say which version of glTF it is of");
    fails(&set("/asset/minVersion", "2.1".into()), "it is of version 2.1 of glTF");
    let unknown = parse(&dir, "[accel.A]\ngltf = 'x'\n");
    assert!(unknown.is_err());
    std::fs::remove_dir_all(&dir).unwrap();
}

/// What shaders of a scene do not see is left out, with a warning that has the line of the scene, and the rest is there.
#[test]
fn what_is_left_out() {
    let dir = folder("left-out");
    let (good, bin) = document();
    let read = |change: &dyn Fn(&mut Value), rest: &str| {
        let mut json = good.clone();
        change(&mut json);
        std::fs::write(dir.join("w.glb"), glb(&json, &bin)).unwrap();
        let scene = parse(&dir, rest).unwrap_or_else(|e| panic!("{e}"));
        let said = scene.warnings().join("\n");
        assert!(said.is_empty() || said.contains("scene.toml:6: `gltf.w.file`: "), "{said}");
        (scene, said)
    };
    let accel = "[accel.A]\ngltf = 'w'\n";
    assert_eq!(read(&|_| (), accel).1, "");
    let (scene, said) = read(&|json| json["meshes"][0]["primitives"][0]["mode"] = 1.into(), accel);
    assert!(said.ends_with("a primitive of points or lines is left out"), "{said}");
    // The other mesh alone has an instance, with the number of its geometry.
    assert_eq!(scene.accels[0].instances.iter().map(|i| i.id).collect::<Vec<_>>(), [0]);
    let (_, said) = read(&|json| json["meshes"][1]["primitives"][0]["targets"] = json!([{ "POSITION": 4 }]), accel);
    assert!(said.ends_with("morph targets are ignored, the mesh is at rest"), "{said}");
    let (scene, said) = read(&|json| json["animations"][0]["channels"][0]["target"]["path"] = "weights".into(), accel);
    assert!(said.ends_with("an animation of morph targets is ignored") && scene.transforms_at(&scene.accels[0], 1.0).is_none(), "{said}");
    let orthographic = json!({ "type": "orthographic", "orthographic": { "xmag": 1, "ymag": 1, "zfar": 2, "znear": 1 } });
    let (_, said) = read(&|json| json["cameras"][0] = orthographic.clone(), accel);
    assert!(said.contains("an orthographic camera is left out"), "{said}");
    for (place, n) in [("texCoord", 1), ("extensions", 2)] {
        let value = if n == 1 { json!(1) } else { json!({ "KHR_texture_transform": { "texCoord": 2 } }) };
        let (scene, said) = read(&|json| json["materials"][0]["normalTexture"][place] = value.clone(), accel);
        assert!(said.contains(&format!("a texture at TEXCOORD_{n} is left out")), "{said}");
        assert_eq!(scene.gltfs[0].data.materials[0].textures, [0, NONE, NONE, NONE]);
    }
    let (_, said) = read(&|json| json["extensionsRequired"] = json!(["KHR_materials_unlit", "KHR_lights_punctual"]), accel);
    assert!(said.contains("it requires `KHR_materials_unlit`, which is ignored") && said.contains("`KHR_lights_punctual`"), "{said}");
    // A skin: the joint (node 2, moved by 5 along z) puts the mesh, not its own node; the child of that node follows the node.
    let skinned = |json: &mut Value| {
        json["skins"] = json!([{ "joints": [2] }]);
        json["nodes"][0]["skin"] = 0.into();
        json["nodes"][0]["translation"] = json!([7, 0, 0]);
        json["animations"] = json!([]);
    };
    let (scene, said) = read(&skinned, accel);
    assert!(said.ends_with("a skin is ignored, its mesh is in its bind pose"), "{said}");
    let at = |i: usize| [0, 1, 2].map(|r| scene.accels[0].instances[i].transform[r][3]);
    assert_eq!(scene.accels[0].instances.iter().map(|i| i.id).collect::<Vec<_>>(), [1, 0]);
    assert_eq!((at(0), at(1)), ([7.0, 1.0, 0.0], [0.0, 0.0, -5.0]));
    // As a mesh of its own, too.
    let (_, said) = read(&skinned, "[meshes.m]\ngltf = 'w.glb'\n");
    assert!(said.contains("`meshes.m.gltf`: ") && said.matches("bind pose").count() == 2, "{said}");
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn odd_numbers() {
    let dir = folder("odd");
    let (json, mut bin) = document();
    bin[0..4].copy_from_slice(&f32::NAN.to_le_bytes());
    std::fs::write(dir.join("w.glb"), glb(&json, &bin)).unwrap();
    let said = parse(&dir, "").unwrap_err().to_string();
    assert!(said.contains("primitive 0 of mesh 0: accessor 0: element 0 is not a finite number"), "{said}");
    std::fs::write(dir.join("w.glb"), b"glTF and no more").unwrap();
    assert!(parse(&dir, "").unwrap_err().to_string().contains("it is no binary glTF"));
    std::fs::write(dir.join("w.glb"), b"{").unwrap();
    assert!(parse(&dir, "").unwrap_err().to_string().contains("it is no glTF"));
    std::fs::remove_file(dir.join("w.glb")).unwrap();
    assert!(parse(&dir, "").unwrap_err().to_string().contains("cannot be read"));
    let (json, bin) = document();
    std::fs::write(dir.join("w.glb"), glb(&json, &bin)).unwrap();
    for (rest, why) in [
        ("animation = 'none'\n", "`gltf.w.animation`: the file has no such animation\n  note: animations: `move`"),
        ("[accel.A]\ngltf = 'x'\n", "`accel.A.gltf`: the scene has no `x` under `gltf`\n  note: known: `w`"),
        ("[camera]\ngltf = 'w'\nnode = 'mover'\n", "`camera.gltf`: the file has no such camera in its scene"),
        ("[camera]\neye = [0, 0, 1]\nnode = 'mover'\n", "`camera.node`: `node` requires the `gltf` that has it"),
        ("[buffers.B]\nfrom = 'w.paint'\n", "`buffers.B.from`: a glTF file has no `paint`"),
    ] {
        let said = parse(&dir, rest).expect_err(why).to_string();
        assert!(said.contains(why), "{said}");
    }
    let still = parse(&dir, "animation = false\n[accel.A]\ngltf = 'w'\n").unwrap();
    assert_eq!(still.transforms_at(&still.accels[0], 1.0), None);
    std::fs::remove_dir_all(&dir).unwrap();
}

/// Whatever bytes are wrong, there is a scene or an error. `RTC_GLTF_ROUNDS=100000` looks longer.
#[test]
fn damaged_bytes_do_no_harm() {
    let dir = folder("damaged");
    let (json, bin) = document();
    let good = glb(&json, &bin);
    let mut state = 0x9e37_79b9_u32;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below
    };
    let (mut read, mut refused) = (0, 0);
    let iterations = std::env::var("RTC_GLTF_ROUNDS").map_or(3000, |n| n.parse().unwrap());
    for n in 0..iterations {
        let mut bytes = good.clone();
        for _ in 0..1 + random(3) {
            let at = random(bytes.len().max(1));
            match random(4) {
                _ if bytes.is_empty() => {}
                // Digits stay digits, so that the JSON is one more often.
                0 | 1 if bytes[at].is_ascii_digit() => bytes[at] = b'0' + random(10) as u8,
                0 | 1 => bytes[at] ^= 1 << random(8),
                2 => bytes[at] = random(256) as u8,
                _ if n % 10 == 0 => bytes.truncate(at),
                _ => bytes[at] = b'9',
            }
        }
        std::fs::write(dir.join("w.glb"), &bytes).unwrap();
        match parse(&dir, "[accel.A]\ngltf = 'w'\n[camera]\ngltf = 'w'\n[meshes.m]\ngltf = 'w.glb'\n") {
            Ok(scene) => {
                _ = scene.transforms_at(&scene.accels[0], 0.7);
                read += 1;
            }
            Err(e) => {
                assert!(!e.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} were read, {refused} refused");
    std::fs::remove_dir_all(&dir).unwrap();
}
