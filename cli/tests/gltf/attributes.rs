//! A quad with vertex colours and a texture that is moved, turned and scaled, at its mip levels: what shaders read of it has a closed form.

use serde_json::json;
use std::path::Path;

/// Pixels along a side.
pub const SIZE: u32 = 16;

/// A texel of the texture.
fn texel(x: u32, y: u32) -> [u8; 4] {
    [(x * 60) as u8, (y * 50) as u8, (x * y * 10) as u8, 255]
}

const SHADER: &str = r#"
struct Geometry { uint firstIndex, firstVertex, triangles, vertices, material, flags; };
struct Move { float2 u, v, offset; };
RaytracingAccelerationStructure Scene : register(t0);
StructuredBuffer<Geometry> Geometries : register(t1);
StructuredBuffer<Move> Moves : register(t2);
ByteAddressBuffer Uvs : register(t3);
ByteAddressBuffer Colors : register(t4);
ByteAddressBuffer Indices : register(t5);
Texture2D<float4> Textures[] : register(t0, space1);
SamplerState Samplers[] : register(s0, space1);
RWTexture2D<float4> Color : register(u0);
RWTexture2D<float4> Level0 : register(u1);
RWTexture2D<float4> Level1 : register(u2);
RaytracingShaderConfig SC = { 4, 8 };
RaytracingPipelineConfig PC = { 1 };
TriangleHitGroup G = { "", "CH" };
struct P { uint hit; };
[shader("raygeneration")] void RG()
{
    uint2 i = DispatchRaysIndex().xy;
    RayDesc r; r.Origin = float3((i.x + 0.5) / 8 - 1, 1 - (i.y + 0.5) / 8, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 10;
    P p = { 0 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 0, 0, r, p);
}
[shader("miss")] void MS(inout P p) { p.hit = 7; }
[shader("closesthit")] void CH(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    Geometry g = Geometries[InstanceID() + GeometryIndex()];
    uint3 c = Indices.Load3((g.firstIndex + PrimitiveIndex() * 3) * 4) + g.firstVertex;
    float3 b = float3(1 - a.barycentrics.x - a.barycentrics.y, a.barycentrics);
    uint2 i = DispatchRaysIndex().xy;
    Color[i] = (g.flags & 8) ? Colors.Load<float4>(c.x * 16) * b.x + Colors.Load<float4>(c.y * 16) * b.y + Colors.Load<float4>(c.z * 16) * b.z : -1;
    float2 uv = Uvs.Load<float2>(c.x * 8) * b.x + Uvs.Load<float2>(c.y * 8) * b.y + Uvs.Load<float2>(c.z * 8) * b.z;
    // The texture of metal and roughness is the second of a material.
    Move m = Moves[g.material * 4 + 1];
    uv = uv.x * m.u + uv.y * m.v + m.offset;
    Level0[i] = Textures[0].SampleLevel(Samplers[0], uv, 0);
    Level1[i] = Textures[0].SampleLevel(Samplers[0], uv, 1);
    p.hit = 1;
}
"#;

/// Writes file, texture, shader and scene.
pub fn write(folder: &Path) {
    let mut bin: Vec<u8> = Vec::new();
    let corners = [[0.0f32, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    bin.extend(corners.iter().flat_map(|[u, v]| [u * 2.0 - 1.0, 1.0 - v * 2.0, 0.0]).flat_map(f32::to_le_bytes));
    bin.extend(corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    // Red goes along u, green along v: colours in between are those of the corners, weighted.
    bin.extend(corners.iter().flat_map(|[u, v]| [(u * 255.0) as u8, (v * 255.0) as u8, 255, 0]));
    bin.extend([0u16, 2, 1, 1, 2, 3].iter().flat_map(|i| i.to_le_bytes()));
    let document = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_texture_transform"], "extensionsRequired": ["KHR_texture_transform"],
        "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "TEXCOORD_0": 1, "COLOR_0": 2 }, "indices": 3, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "metallicRoughnessTexture": { "index": 0, "texCoord": 3, "extensions": { "KHR_texture_transform": {
            "offset": [0.25, 0.5], "rotation": std::f32::consts::FRAC_PI_2, "scale": [2, 1], "texCoord": 0 } } } } }],
        "textures": [{ "source": 0, "sampler": 0 }],
        // The nearest texel of the nearest level.
        "samplers": [{ "magFilter": 9728, "minFilter": 9984 }],
        "images": [{ "uri": "texture.png" }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0] },
            { "bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2" },
            { "bufferView": 2, "componentType": 5121, "normalized": true, "count": 4, "type": "VEC3" },
            { "bufferView": 3, "componentType": 5123, "count": 6, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 }, { "buffer": 0, "byteOffset": 48, "byteLength": 32 },
            { "buffer": 0, "byteOffset": 80, "byteLength": 16, "byteStride": 4 }, { "buffer": 0, "byteOffset": 96, "byteLength": 12 },
        ],
        "buffers": [{ "byteLength": bin.len(), "uri": "quad.bin" }],
    });
    let image = |name: &str| format!("[images.{name}]\nsize = [{SIZE}, {SIZE}]\nformat = 'rgba32_float'\nsave = '{name}.bin'\n");
    let buffer = |name: &str, from: &str| format!("[buffers.{name}]\nfrom = 'q.{from}'\n");
    let scene = [
        "[shader]\nsource = 'a.hlsl'\nprofile = 'lib_6_6'\n[dispatch]\nsize = [16, 16]\n".to_owned(),
        "[gltf.q]\nfile = 'quad.gltf'\ntextures = 'Textures'\nsamplers = 'Samplers'\n[accel.Scene]\ngltf = 'q'\n".to_owned(),
        buffer("Geometries", "geometries") + &buffer("Moves", "texture_transforms") + &buffer("Uvs", "uvs"),
        buffer("Colors", "colors") + &buffer("Indices", "indices"),
        image("Color") + &image("Level0") + &image("Level1"),
    ]
    .concat();
    let document = document.to_string();
    let files: [(&str, &[u8]); 4] =
        [("quad.bin", &bin), ("quad.gltf", document.as_bytes()), ("a.hlsl", SHADER.as_bytes()), ("scene.toml", scene.as_bytes())];
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).expect("a file");
    }
    image::RgbaImage::from_fn(4, 4, |x, y| image::Rgba(texel(x, y))).save(folder.join("texture.png")).expect("a picture");
}

/// What a pixel has: the vertex colour, and the texel at two levels.
pub fn expected(x: u32, y: u32) -> [[f32; 4]; 3] {
    let [u, v] = [x, y].map(|n| (n as f32 + 0.5) / SIZE as f32);
    // Scaled, turned counter-clockwise by a quarter, moved.
    let at = [v + 0.25, 0.5 - 2.0 * u].map(|t| t.rem_euclid(1.0));
    let [x0, y0] = at.map(|t| (t * 4.0) as u32);
    let level0 = texel(x0, y0).map(|c| f32::from(c) / 255.0);
    let [x1, y1] = at.map(|t| (t * 2.0) as u32 * 2);
    let level1 = [0, 1, 2, 3].map(|c| {
        let sum: u32 = [(0, 0), (1, 0), (0, 1), (1, 1)].iter().map(|(dx, dy)| u32::from(texel(x1 + dx, y1 + dy)[c])).sum();
        (sum as f32 / 4.0 + 0.5).floor() / 255.0
    });
    [[u, v, 1.0, 1.0], level0, level1]
}
