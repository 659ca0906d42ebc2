//! Meshes: triangles and boxes from inline lists, from shapes made by formula, and from glTF files.
//!
//! Generated shapes face outwards with clockwise winding seen from outside in a left-handed view, which is
//! what D3D calls front.

use super::clusters::{self, ClusterSource, Placing, TemplateSource};
use super::micromaps::{self, MicromapSource};
use super::reader::{Node, Place, Table};
use crate::device::{
    GEOMETRY_NO_DUPLICATE_ANY_HIT, GEOMETRY_OPAQUE, Geometry, GeometryData, GeometryMicromaps, MicromapArrayDesc, Micromaps,
};
use crate::error::Result;
use std::path::Path;

/// Vertices with what shaders may want to know of them. `normals` and `uvs` are empty or as long as
/// `positions`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Triangles {
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates.
    pub uvs: Vec<[f32; 2]>,
    /// Three per triangle; none: consecutive positions.
    pub indices: Option<Vec<u32>>,
}

/// One geometry of a mesh.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// Triangles.
    Triangles(Triangles),
    /// Boxes: minimum and maximum corner.
    Boxes(Vec<[f32; 6]>),
}

/// A mesh of the scene; becomes one bottom-level structure.
#[derive(Clone, PartialEq, Debug)]
pub struct Mesh {
    /// Its name.
    pub name: String,
    /// Where it is said.
    pub place: Place,
    /// Its geometries; none if it is of clusters.
    pub parts: Vec<Part>,
    /// Its clusters.
    pub clusters: Option<Vec<ClusterSource>>,
    /// Who places its clusters in memory.
    pub placing: Placing,
}

/// A geometry with what is said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// Its primitives.
    pub shape: Shape,
    /// Geometry flags.
    pub flags: u32,
    /// What is applied to the positions when it is built; boxes have none.
    pub transform: Option<[[f32; 4]; 3]>,
    /// Opacity micromaps; boxes have none.
    pub micromaps: Option<MicromapSource>,
}

/// What a buffer may take from a mesh.
pub const MESH_DATA: [&str; 5] = ["positions", "normals", "uvs", "indices", "boxes"];

impl Mesh {
    /// As geometries of a bottom-level structure; `build` makes arrays of micromaps.
    ///
    /// Errors: those of `build`.
    pub fn geometries(&self, build: &mut dyn FnMut(&MicromapArrayDesc) -> Result<Micromaps>) -> Result<Vec<Geometry>> {
        let geometry = |p: &Part| {
            let data = match &p.shape {
                Shape::Boxes(boxes) => GeometryData::Boxes(boxes.clone()),
                Shape::Triangles(t) => {
                    let (positions, indices) = (t.positions.clone(), t.indices.clone());
                    GeometryData::Triangles { positions, indices, transform: p.transform }
                }
            };
            let mut out = Geometry::new(data, p.flags);
            if let Some(m) = &p.micromaps {
                let array = m.array.as_ref().map(&mut *build).transpose()?;
                out.micromaps = Some(GeometryMicromaps { array, indices: m.indices.clone(), base: m.base });
            }
            Ok(out)
        };
        self.parts.iter().map(geometry).collect()
    }

    /// One of [`MESH_DATA`] as bytes, the geometries one after another. Indices are written out for
    /// geometries without.
    pub fn bytes(&self, what: &str) -> Option<Vec<u8>> {
        fn put<const N: usize>(out: &mut Vec<u8>, rows: &[[f32; N]]) {
            out.extend(rows.as_flattened().iter().flat_map(|f| f.to_le_bytes()));
        }
        if self.clusters.is_some() {
            return None;
        }
        let mut out = Vec::new();
        for part in &self.parts {
            match (&part.shape, what) {
                (Shape::Triangles(t), "positions") => put(&mut out, &t.positions),
                (Shape::Triangles(t), "normals") if !t.normals.is_empty() => put(&mut out, &t.normals),
                (Shape::Triangles(t), "uvs") if !t.uvs.is_empty() => put(&mut out, &t.uvs),
                (Shape::Triangles(t), "indices") => match &t.indices {
                    Some(list) => out.extend(list.iter().flat_map(|i| i.to_le_bytes())),
                    None => out.extend((0..t.positions.len() as u32).flat_map(u32::to_le_bytes)),
                },
                (Shape::Boxes(b), "boxes") => put(&mut out, b),
                _ => return None,
            }
        }
        Some(out)
    }

    /// Reads one table of `[meshes]`.
    pub(super) fn read(name: &str, node: &Node<'_>, dir: &Path, templates: &[TemplateSource]) -> Result<Mesh> {
        let keys = ["triangles", "boxes", "grid", "sphere", "cube", "gltf", "parts", "clusters"];
        let (parts, clusters, placing) = match node.table()?.iter().any(|(key, _)| key == "clusters") {
            true => {
                let t = node.table()?;
                let (_, what) = t.one_of(&keys)?;
                let placing = t.or("placing", Placing::read, Placing::Numbered)?;
                t.finish()?;
                (Vec::new(), Some(clusters::clusters(&what, templates)?), placing)
            }
            false => (geometries(node, dir, &keys)?, None, Placing::Numbered),
        };
        Ok(Mesh { name: name.to_string(), place: node.place.clone(), parts, clusters, placing })
    }
}

/// What one of `keys` makes. Parts are geometries that have no parts.
fn geometries(node: &Node<'_>, dir: &Path, keys: &[&'static str]) -> Result<Vec<Part>> {
    let t = node.table()?;
    let (kind, what) = t.one_of(keys)?;
    if kind == "parts" {
        t.finish()?;
        let keys = keys.strip_suffix(&["parts", "clusters"]).unwrap_or(keys);
        let mut parts = Vec::new();
        for part in what.list()? {
            parts.extend(geometries(&part, dir, keys)?);
        }
        let kind = |p: &Part| matches!(p.shape, Shape::Boxes(_));
        return match parts.first() {
            None => Err(what.error("a mesh has at least one part")),
            Some(first) if parts.iter().any(|p| kind(p) != kind(first)) => {
                Err(what.error("the parts of a mesh are either all of triangles or all of boxes"))
            }
            Some(_) => Ok(parts),
        };
    }
    let shapes = match kind {
        "triangles" => vec![Shape::Triangles(inline(&what.table()?)?)],
        "boxes" => {
            let boxes = what.list()?.iter().map(corners).collect::<Result<_>>()?;
            vec![Shape::Boxes(boxes)]
        }
        "grid" => vec![Shape::Triangles(grid(&what.table()?)?)],
        "sphere" => vec![Shape::Triangles(sphere(&what.table()?)?)],
        "cube" => vec![Shape::Triangles(cube(&what.table()?)?)],
        _ => super::gltf_file::read(&what, dir)?,
    };
    let mut flags = 0;
    if t.or("opaque", |n| n.bool(), false)? {
        flags |= GEOMETRY_OPAQUE;
    }
    if t.or("no_duplicate_any_hit", |n| n.bool(), false)? {
        flags |= GEOMETRY_NO_DUPLICATE_ANY_HIT;
    }
    let transform = t.take("transform");
    if let Some(n) = transform.as_ref().filter(|_| kind == "boxes") {
        return Err(n.error("boxes are along the axes and stay so: only triangles have a transform"));
    }
    let transform = transform.map(|n| super::placing::transform(&n)).transpose()?;
    let micromaps = t.take("micromaps");
    if let Some(n) = micromaps.as_ref().filter(|_| kind == "boxes") {
        return Err(n.error("boxes have no micromaps"));
    }
    let micromaps = micromaps.map(|n| micromaps::read(&n)).transpose()?;
    t.finish()?;
    let part = |shape| Part { shape, flags, transform, micromaps: micromaps.clone() };
    Ok(shapes.into_iter().map(part).collect())
}

/// A box: `[[min], [max]]`.
pub(super) fn corners(n: &Node<'_>) -> Result<[f32; 6]> {
    let ends = n.list()?;
    let [a, b] = ends.as_slice() else {
        return Err(n.error("a box is two corners: [[min], [max]]"));
    };
    let (a, b) = (a.floats::<3>()?, b.floats::<3>()?);
    Ok([a[0], a[1], a[2], b[0], b[1], b[2]])
}

pub(super) fn rows<const N: usize>(n: &Node<'_>) -> Result<Vec<[f32; N]>> {
    n.list()?.iter().map(Node::floats).collect()
}

fn inline(t: &Table<'_>) -> Result<Triangles> {
    let out = Triangles {
        positions: rows(&t.need("positions")?)?,
        normals: t.or("normals", rows, Vec::new())?,
        uvs: t.or("uvs", rows, Vec::new())?,
        indices: match t.take("indices") {
            None => None,
            Some(n) => {
                let mut list = Vec::new();
                for item in n.list()? {
                    if item.is_array() {
                        for i in item.list()? {
                            list.push(i.u32()?);
                        }
                    } else {
                        list.push(item.u32()?);
                    }
                }
                Some(list)
            }
        },
    };
    t.finish()?;
    let n = out.positions.len();
    for (what, len) in [("normals", out.normals.len()), ("uvs", out.uvs.len())] {
        if len != 0 && len != n {
            return Err(t.error(format!("{len} {what} for {n} positions")));
        }
    }
    let corners = out.indices.as_ref().map_or(n, Vec::len);
    if !corners.is_multiple_of(3) {
        return Err(t.error(format!("{corners} corners do not make whole triangles")));
    }
    if let Some(i) = out.indices.iter().flatten().find(|i| **i as usize >= n) {
        return Err(t.error(format!("index {i}, but there are {n} positions")));
    }
    Ok(out)
}

/// Between 1 and `most`.
fn count(n: &Node<'_>, most: u32) -> Result<u32> {
    let i = n.u32()?;
    if (1..=most).contains(&i) { Ok(i) } else { Err(n.error(format!("{i} is not between 1 and {most}"))) }
}

/// Most subdivisions along one side of a generated shape.
const MAX: u32 = 2048;

/// A flat rectangle around the origin in the plane y = 0, facing up.
fn grid(t: &Table<'_>) -> Result<Triangles> {
    let size = t.or("size", |n| n.floats::<2>(), [1.0, 1.0])?;
    let cells = match t.take("cells") {
        None => [1, 1],
        Some(n) => match n.list()?.as_slice() {
            [x, z] => [count(x, MAX)?, count(z, MAX)?],
            other => return Err(n.error(format!("expected 2 numbers, found {}", other.len()))),
        },
    };
    t.finish()?;
    let mut out = Triangles::default();
    let mut indices = Vec::new();
    for z in 0..=cells[1] {
        for x in 0..=cells[0] {
            let uv = [x as f32 / cells[0] as f32, z as f32 / cells[1] as f32];
            out.positions.push([(uv[0] - 0.5) * size[0], 0.0, (uv[1] - 0.5) * size[1]]);
            out.normals.push([0.0, 1.0, 0.0]);
            out.uvs.push(uv);
        }
    }
    let row = cells[0] + 1;
    for z in 0..cells[1] {
        for x in 0..cells[0] {
            let a = z * row + x;
            // Clockwise from above: along +z first, then +x.
            indices.extend([a, a + row, a + row + 1, a, a + row + 1, a + 1]);
        }
    }
    out.indices = Some(indices);
    Ok(out)
}

/// A sphere of meridians and parallels around the origin.
fn sphere(t: &Table<'_>) -> Result<Triangles> {
    let radius = t.or("radius", |n| n.float(), 1.0)?;
    let segments = t.or("segments", |n| count(n, MAX), 32)?.max(3);
    let rings = t.or("rings", |n| count(n, MAX), 16)?.max(2);
    t.finish()?;
    let mut out = Triangles::default();
    for r in 0..=rings {
        let v = r as f32 / rings as f32;
        let (sin_v, cos_v) = (v * std::f32::consts::PI).sin_cos();
        for s in 0..=segments {
            let u = s as f32 / segments as f32;
            let (sin_u, cos_u) = (u * std::f32::consts::TAU).sin_cos();
            let n = [sin_v * cos_u, cos_v, sin_v * sin_u];
            out.positions.push(n.map(|x| x * radius));
            out.normals.push(n);
            out.uvs.push([u, v]);
        }
    }
    let row = segments + 1;
    let mut indices = Vec::new();
    for r in 0..rings {
        for s in 0..segments {
            let a = r * row + s;
            // The triangles that touch a pole are single; the other half of their cell has no area.
            if r > 0 {
                indices.extend([a, a + 1, a + row + 1]);
            }
            if r + 1 < rings {
                indices.extend([a, a + row + 1, a + row]);
            }
        }
    }
    out.indices = Some(indices);
    Ok(out)
}

/// A cube around the origin; each face has its own four vertices.
fn cube(t: &Table<'_>) -> Result<Triangles> {
    let size = match t.take("size") {
        None => [1.0; 3],
        Some(n) if n.is_array() => n.floats::<3>()?,
        Some(n) => [n.float()?; 3],
    };
    t.finish()?;
    let mut out = Triangles::default();
    let mut indices = Vec::new();
    for axis in 0..3 {
        for sign in [-1.0f32, 1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let base = out.positions.len() as u32;
            for corner in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0f32, 1.0]] {
                let mut p = [0.0; 3];
                p[axis] = sign * 0.5 * size[axis];
                p[u] = corner[0] * 0.5 * size[u];
                p[v] = corner[1] * 0.5 * size[v];
                let mut n = [0.0; 3];
                n[axis] = sign;
                out.positions.push(p);
                out.normals.push(n);
                out.uvs.push([corner[0] * 0.5 + 0.5, corner[1] * 0.5 + 0.5]);
            }
            // u × v points along +axis, so this order is counter-clockwise seen from +axis in a right-handed
            // view and clockwise in a left-handed one.
            let order = if sign > 0.0 { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
            indices.extend(order.map(|i| base + i));
        }
    }
    out.indices = Some(indices);
    Ok(out)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Every triangle's geometric normal, by the left-handed clockwise rule, agrees with its vertex normals.
    #[track_caller]
    fn faces_outwards(t: &Triangles, triangles: usize) {
        let indices = t.indices.as_ref().unwrap();
        assert_eq!(indices.len(), triangles * 3);
        for tri in indices.chunks(3) {
            let p = |i: usize| t.positions[tri[i] as usize];
            let d = |a: [f32; 3], b: [f32; 3]| [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
            let (a, b) = (d(p(0), p(1)), d(p(0), p(2)));
            let n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
            let vn = t.normals[tri[0] as usize];
            assert!(n[0] * vn[0] + n[1] * vn[1] + n[2] * vn[2] > 0.0, "{tri:?}");
        }
    }

    fn shape(text: &str) -> Triangles {
        let scene = format!("[meshes.m]\n{text}\n");
        match &super::super::tests::meshes(&scene)[0].parts[0].shape {
            Shape::Triangles(t) => t.clone(),
            Shape::Boxes(_) => panic!("triangles expected"),
        }
    }

    #[test]
    fn generated_shapes_face_outwards() {
        faces_outwards(&shape("grid = { size = [2, 3], cells = [4, 5] }"), 40);
        faces_outwards(&shape("sphere = { radius = 2, segments = 8, rings = 4 }"), 2 * 8 * 3);
        faces_outwards(&shape("cube = { size = 2 }"), 12);
    }

    #[test]
    fn data_for_buffers() {
        let scene = "[meshes.m]\ncube = {}\n[meshes.b]\nboxes = [[[0, 0, 0], [1, 1, 1]]]\n";
        let meshes = super::super::tests::meshes(scene);
        assert_eq!(meshes[0].bytes("positions").unwrap().len(), 24 * 12);
        assert_eq!(meshes[0].bytes("uvs").unwrap().len(), 24 * 8);
        assert_eq!(meshes[0].bytes("indices").unwrap().len(), 36 * 4);
        assert_eq!(meshes[0].bytes("boxes"), None);
        assert_eq!(meshes[1].bytes("boxes").unwrap().len(), 24);
        assert_eq!(meshes[1].bytes("normals"), None);
    }

    #[test]
    fn parts_are_geometries_with_flags_of_their_own() {
        let scene = "[meshes.m]\nparts = [{ cube = {}, opaque = true }, { grid = {} }]\n";
        let meshes = super::super::tests::meshes(scene);
        let flags: Vec<u32> = meshes[0].parts.iter().map(|p| p.flags).collect();
        assert_eq!(flags, [GEOMETRY_OPAQUE, 0]);
        let fails = |rest: &str, why: &str| super::super::tests::fails(&format!("[meshes.m]\n{rest}\n"), why);
        fails("parts = []", "dir/scene.toml:6: `meshes.m.parts`: a mesh has at least one part");
        let mixed = "dir/scene.toml:6: `meshes.m.parts`: the parts of a mesh are either all of triangles or all of boxes";
        fails("parts = [{ cube = {} }, { boxes = [[[0, 0, 0], [1, 1, 1]]] }]", mixed);
        let nested = "dir/scene.toml:6: `meshes.m.parts[0]`: one of `triangles`, `boxes`, `grid`, `sphere`, `cube`, `gltf` is missing";
        fails("parts = [{ parts = [{ cube = {} }] }]", nested);
        let moved = "[meshes.m]\nparts = [{ cube = {}, transform = { scale = 2, translate = [1, 0, 0] } }, { grid = {} }]\n";
        let parts = &super::super::tests::meshes(moved)[0].parts;
        let transform = |i: usize| parts[i].transform;
        assert_eq!(transform(0), Some([[2.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0]]));
        assert_eq!(transform(1), None);
        let along = "dir/scene.toml:7: `meshes.m.transform`: boxes are along the axes and stay so: only triangles have a transform";
        fails("boxes = [[[0, 0, 0], [1, 1, 1]]]\ntransform = { scale = 2 }", along);
        let own = "dir/scene.toml:7: `meshes.m.opaque`: nothing here is called `opaque`\n  note: known keys: `triangles`, `boxes`, `grid`, `sphere`, `cube`, `gltf`, `parts`, `clusters`";
        fails("parts = [{ cube = {} }]\nopaque = true", own);
    }
}
