//! Meshes of a glTF file: each primitive is a geometry of triangles.

use super::accessors::Buffers;
use super::document::{File, LeftOut};
use super::{GeometryRecord, GltfData, HAS_COLORS, HAS_NORMALS, HAS_TANGENTS, HAS_UVS, NamedParts};
use crate::device::GEOMETRY_OPAQUE;
use crate::scene::{Part, Shape, Triangles};
use gltf::mesh::{Mode, Primitive, Semantic};

type Read<T> = Result<T, String>;

/// Reads all meshes: their parts, and records of their geometries.
pub(super) fn read(file: &mut File, data: &mut GltfData, name: &str) -> Read<Vec<NamedParts>> {
    let (document, buffers, left_out) = (&file.document, &file.buffers, &mut file.left_out);
    let mut out = Vec::new();
    let default = data.materials.len() - 1;
    let (mut first_index, mut first_vertex) = (0_u64, 0_u64);
    for mesh in document.meshes() {
        data.first_geometry.push(data.geometries.len() as u32);
        let mut parts = Vec::new();
        for primitive in mesh.primitives() {
            let at = |why: String| place(mesh.index(), &primitive, &why);
            let Some(t) = triangles(&primitive, buffers, left_out).map_err(at)? else { continue };
            let material = primitive.material().index().unwrap_or(default);
            let flag = |there: bool, flag: u32| if there { flag } else { 0 };
            let indices = t.indices.as_ref().map_or(0, Vec::len);
            let number = |n: u64| u32::try_from(n).map_err(|_| at("the file has more than 2^32 vertices or indices".into()));
            data.geometries.push(GeometryRecord {
                first_index: number(first_index)?,
                first_vertex: number(first_vertex)?,
                triangles: number(indices as u64 / 3)?,
                vertices: number(t.positions.len() as u64)?,
                material: material as u32,
                flags: flag(!t.normals.is_empty(), HAS_NORMALS)
                    | flag(!t.uvs.is_empty(), HAS_UVS)
                    | flag(!t.tangents.is_empty(), HAS_TANGENTS)
                    | flag(!t.colors.is_empty(), HAS_COLORS),
            });
            first_index += indices as u64;
            first_vertex += t.positions.len() as u64;
            let flags = if data.materials[material].flags & (super::ALPHA_MASK | super::ALPHA_BLEND) == 0 { GEOMETRY_OPAQUE } else { 0 };
            parts.push(Part { shape: Shape::Triangles(t), flags, transform: None, micromaps: None });
        }
        let called = mesh.name().map_or_else(|| mesh.index().to_string(), str::to_string);
        out.push((format!("{name}/{called}"), parts));
    }
    data.first_geometry.push(data.geometries.len() as u32);
    // `InstanceID()` has 24 bits.
    if data.geometries.len() > 1 << 24 {
        return Err(format!("the file has {} primitives, more than 2^24", data.geometries.len()));
    }
    Ok(out)
}

/// An error of a primitive.
pub(super) fn place(mesh: usize, primitive: &Primitive<'_>, why: &str) -> String {
    format!("primitive {} of mesh {mesh}: {why}", primitive.index())
}

/// The triangles of a primitive in a left-handed space; none of one that has no triangles.
pub(super) fn triangles(primitive: &Primitive<'_>, buffers: &Buffers, left_out: &mut LeftOut) -> Read<Option<Triangles>> {
    if matches!(primitive.mode(), Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) {
        left_out.add("a primitive of points or lines is left out");
        return Ok(None);
    }
    if primitive.get(&Semantic::Positions).is_none() {
        left_out.add("a primitive without positions is left out");
        return Ok(None);
    }
    if primitive.morph_targets().len() != 0 {
        left_out.add("morph targets are ignored, the mesh is at rest");
    }
    let mirrored = |[x, y, z]: [f32; 3]| [x, y, -z];
    let positions = primitive.get(&Semantic::Positions).ok_or("it has no positions")?;
    let positions: Vec<[f32; 3]> = buffers.vectors::<3>(&positions)?.into_iter().map(mirrored).collect();
    let count = positions.len();
    let vertices = u32::try_from(count).map_err(|_| format!("{count} vertices are too many"))?;
    let as_many = |what: &str, n: usize| match n == count {
        true => Ok(()),
        false => Err(format!("it has {count} positions and {n} {what}")),
    };
    let normals: Vec<[f32; 3]> = match primitive.get(&Semantic::Normals) {
        Some(a) => buffers.vectors::<3>(&a)?.into_iter().map(mirrored).collect(),
        None => Vec::new(),
    };
    // Mirroring turns the bitangent around.
    let tangents: Vec<[f32; 4]> = match primitive.get(&Semantic::Tangents) {
        Some(a) => buffers.vectors::<4>(&a)?.into_iter().map(|[x, y, z, w]| [x, y, -z, -w]).collect(),
        None => Vec::new(),
    };
    let uvs: Vec<[f32; 2]> = match primitive.get(&Semantic::TexCoords(0)) {
        Some(a) => buffers.vectors::<2>(&a)?,
        None => Vec::new(),
    };
    let colors: Vec<[f32; 4]> = match primitive.get(&Semantic::Colors(0)) {
        Some(a) if a.dimensions() == gltf::accessor::Dimensions::Vec3 => {
            buffers.vectors::<3>(&a)?.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
        }
        Some(a) => buffers.vectors::<4>(&a)?,
        None => Vec::new(),
    };
    let lengths =
        [("normals", normals.len()), ("tangents", tangents.len()), ("texture coordinates", uvs.len()), ("vertex colors", colors.len())];
    for (what, n) in lengths {
        if n != 0 {
            as_many(what, n)?;
        }
    }
    let list: Vec<u32> = match primitive.indices() {
        Some(a) => buffers.indices(&a)?,
        None => (0..vertices).collect(),
    };
    if let Some(i) = list.iter().find(|i| **i >= vertices) {
        return Err(format!("index {i} is out of range: it has {vertices} vertices"));
    }
    let mut indices: Vec<u32> = match primitive.mode() {
        Mode::Triangles if !list.len().is_multiple_of(3) => return Err(format!("{} indices are not a multiple of 3", list.len())),
        Mode::Triangles => list,
        // Every other triangle of a strip is turned around.
        Mode::TriangleStrip => list.windows(3).enumerate().flat_map(|(n, w)| [w[n % 2], w[1 - n % 2], w[2]]).collect(),
        Mode::TriangleFan => list.windows(2).skip(1).flat_map(|w| [list[0], w[0], w[1]]).collect(),
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => Vec::new(),
    };
    if indices.is_empty() {
        left_out.add("a primitive without triangles is left out");
        return Ok(None);
    }
    for triangle in indices.chunks_exact_mut(3) {
        triangle.swap(1, 2);
    }
    Ok(Some(Triangles { positions, normals, uvs, tangents, colors, indices: Some(indices) }))
}

/// Triangles in another space. Normals are right for rotations and uniform scales, close for others.
pub(super) fn moved(mut t: Triangles, m: &[[f32; 4]; 3]) -> Triangles {
    let apply = |v: [f32; 3], w: f32| [0, 1, 2].map(|r| m[r][0] * v[0] + m[r][1] * v[1] + m[r][2] * v[2] + m[r][3] * w);
    let unit = |v: [f32; 3]| {
        let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt().max(f32::MIN_POSITIVE);
        v.map(|x| x / length)
    };
    t.positions.iter_mut().for_each(|p| *p = apply(*p, 1.0));
    t.normals.iter_mut().for_each(|n| *n = unit(apply(*n, 0.0)));
    for tangent in &mut t.tangents {
        let [x, y, z] = unit(apply([tangent[0], tangent[1], tangent[2]], 0.0));
        *tangent = [x, y, z, tangent[3]];
    }
    t
}
