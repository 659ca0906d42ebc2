//! Meshes of a scene: triangles and boxes from inline lists, generated shapes, glTF files and clusters.

use super::clusters::{self, ClusterSource, DestinationMode, TemplateSource};
use super::fields::{bounds, rows};
use super::meshlets::Meshlets;
use super::micromaps::{self, MicromapSource};
use super::reader::{Node, SourceLocation, Table};
use super::shapes::{Shape, Triangles, cube, grid, sphere};
use crate::device::{
    GEOMETRY_NO_DUPLICATE_ANY_HIT, GEOMETRY_OPAQUE, Geometry, GeometryData, GeometryMicromaps, MicromapArrayDesc, Micromaps,
};
use crate::error::{Result, list};
use std::path::Path;

/// A mesh of the scene; becomes one bottom-level structure.
#[derive(Clone, PartialEq, Debug)]
pub struct Mesh {
    /// Its name.
    pub name: String,
    /// Its location in the scene file.
    pub location: SourceLocation,
    /// Its geometries; empty for a mesh of clusters.
    pub parts: Vec<Part>,
    /// Its clusters.
    pub clusters: Option<Vec<ClusterSource>>,
    /// Where its clusters are built.
    pub destinations: DestinationMode,
}

/// A geometry with its flags, transform and micromaps.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// Its primitives.
    pub shape: Shape,
    /// Geometry flags.
    pub flags: u32,
    /// Applied to the positions when it is built; boxes have none.
    pub transform: Option<[[f32; 4]; 3]>,
    /// Opacity micromaps; boxes have none.
    pub micromaps: Option<MicromapSource>,
}

/// The data of a mesh that a buffer may be filled with. Meshlets are those of one geometry.
pub const MESH_DATA: [&str; 8] = ["positions", "normals", "uvs", "indices", "boxes", "meshlets", "meshlet_vertices", "meshlet_triangles"];

impl Mesh {
    /// Its geometries for a bottom-level structure; `build` builds arrays of micromaps.
    ///
    /// # Errors
    /// Those of `build`.
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

    /// A mesh of these geometries.
    pub(super) fn of_parts(name: String, parts: Vec<Part>, location: SourceLocation) -> Mesh {
        Mesh { name, location, parts, clusters: None, destinations: DestinationMode::Handles }
    }

    /// How many triangles, boxes or clusters it has.
    pub fn primitives(&self) -> u64 {
        let of = |p: &Part| match &p.shape {
            Shape::Boxes(boxes) => boxes.len(),
            Shape::Triangles(t) => t.indices.as_ref().map_or(t.positions.len(), Vec::len) / 3,
        };
        let clusters = self.clusters.as_ref().map_or(0, Vec::len);
        (self.parts.iter().map(of).sum::<usize>() + clusters) as u64
    }

    /// One of [`MESH_DATA`] as bytes, the geometries one after another. Indices are written out for
    /// geometries without.
    pub fn bytes(&self, what: &str) -> Option<Vec<u8>> {
        if self.clusters.is_some() {
            return None;
        }
        part_bytes(&self.parts, what)
    }

    /// Reads one table of `[meshes]`.
    pub(super) fn read(name: &str, node: &Node<'_>, dir: &Path, templates: &[TemplateSource]) -> Result<Mesh> {
        let keys = ["triangles", "boxes", "grid", "sphere", "cube", "gltf", "parts", "clusters"];
        let (parts, clusters, destinations) = match node.table()?.iter().any(|(key, _)| key == "clusters") {
            true => {
                let t = node.table()?;
                let (_, what) = t.one_of(&keys)?;
                let destinations = t.or("placing", DestinationMode::read, DestinationMode::Handles)?;
                t.finish()?;
                (Vec::new(), Some(clusters::clusters(&what, templates)?), destinations)
            }
            false => (geometries(node, dir, &keys)?, None, DestinationMode::Handles),
        };
        Ok(Mesh { name: name.to_string(), location: node.location.clone(), parts, clusters, destinations })
    }
}

/// One of [`MESH_DATA`] of a mesh, `name`, or of one of its parts, `name[part]`.
pub(crate) fn mesh_bytes(meshes: &[Mesh], name: &str, what: &str) -> Option<Vec<u8>> {
    if let Some(mesh) = meshes.iter().find(|m| m.name == name) {
        return mesh.bytes(what);
    }
    let (mesh, part) = part_of(name)?;
    let part = meshes.iter().find(|m| m.name == mesh)?.parts.get(part)?;
    part_bytes(std::slice::from_ref(part), what)
}

/// `name[part]`
fn part_of(name: &str) -> Option<(&str, usize)> {
    let (mesh, part) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((mesh, part.parse().ok()?))
}

/// Checks that a mesh, `name`, or one of its parts, `name[part]`, has one of [`MESH_DATA`].
pub(super) fn check_data(name: &str, what: &str, node: &Node<'_>, meshes: &[Mesh]) -> Result<()> {
    check_part(name, node, meshes)?;
    // Meshlets are not made to see whether there are some.
    let needed = if what.starts_with("meshlet") && !has_parts(name, meshes) { "indices" } else { what };
    match mesh_bytes(meshes, name, needed) {
        Some(_) => Ok(()),
        None if what.starts_with("meshlet") && has_parts(name, meshes) => {
            Err(node.error(format!("meshlets are those of one geometry: name a part, `{name}[0].{what}`")))
        }
        None => Err(node.error(format!("the mesh `{name}` has no {what}"))),
    }
}

/// Whether a mesh has several geometries.
fn has_parts(name: &str, meshes: &[Mesh]) -> bool {
    meshes.iter().any(|m| m.name == name && m.parts.len() > 1)
}

/// Checks that there is a mesh, `name`, or one of its parts, `name[part]`.
pub(super) fn check_part(name: &str, node: &Node<'_>, meshes: &[Mesh]) -> Result<()> {
    let Some((mesh, part)) = part_of(name).filter(|_| meshes.iter().all(|m| m.name != name)) else {
        return find_mesh(name, node, meshes).map(|_| ());
    };
    match meshes[find_mesh(mesh, node, meshes)?].parts.len() {
        n if part < n => Ok(()),
        n => Err(node.error(format!("the mesh `{mesh}` has no part {part}: it has {n}"))),
    }
}

/// One of [`MESH_DATA`] of geometries, one after another.
fn part_bytes(parts: &[Part], what: &str) -> Option<Vec<u8>> {
    fn put<const N: usize>(out: &mut Vec<u8>, rows: &[[f32; N]]) {
        out.extend(rows.as_flattened().iter().flat_map(|f| f.to_le_bytes()));
    }
    let words = |list: &[u32]| list.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<u8>>();
    if let ([Part { shape: Shape::Triangles(t), .. }], "meshlets" | "meshlet_vertices" | "meshlet_triangles") = (parts, what) {
        let made = Meshlets::new(t);
        return Some(match what {
            "meshlets" => words(made.meshlets.as_flattened()),
            "meshlet_vertices" => words(&made.vertices),
            _ => words(&made.triangles),
        });
    }
    let mut out = Vec::new();
    for part in parts {
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

/// Reads the geometries under one of `keys`. Parts cannot be nested.
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
            None => Err(what.error("expected at least one part")),
            Some(first) if parts.iter().any(|p| kind(p) != kind(first)) => Err(what.error("a mesh cannot mix triangles and boxes")),
            Some(_) => Ok(parts),
        };
    }
    let shapes = match kind {
        "triangles" => vec![Shape::Triangles(inline(&what.table()?)?)],
        "boxes" => {
            let boxes = what.list()?.iter().map(bounds).collect::<Result<_>>()?;
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
        return Err(n.error("boxes cannot have a transform: they are axis-aligned"));
    }
    let transform = transform.map(|n| super::transform::transform(&n)).transpose()?;
    let micromaps = t.take("micromaps");
    if let Some(n) = micromaps.as_ref().filter(|_| kind == "boxes") {
        return Err(n.error("boxes cannot have micromaps"));
    }
    let micromaps = micromaps.map(|n| micromaps::read(&n)).transpose()?;
    t.finish()?;
    let part = |shape| Part { shape, flags, transform, micromaps: micromaps.clone() };
    Ok(shapes.into_iter().map(part).collect())
}

fn inline(t: &Table<'_>) -> Result<Triangles> {
    let out = Triangles {
        positions: rows(&t.need("positions")?)?,
        normals: t.or("normals", rows, Vec::new())?,
        uvs: t.or("uvs", rows, Vec::new())?,
        tangents: Vec::new(),
        colors: Vec::new(),
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
        return Err(t.error(format!("{corners} indices are not a multiple of 3")));
    }
    if let Some(i) = out.indices.iter().flatten().find(|i| **i as usize >= n) {
        return Err(t.error(format!("index {i} is out of range: there are {n} positions")));
    }
    Ok(out)
}

/// The index of the mesh of that name.
pub(super) fn find_mesh(name: &str, node: &Node<'_>, meshes: &[Mesh]) -> Result<usize> {
    meshes.iter().position(|m| m.name == name).ok_or_else(|| {
        node.error(format!("the scene has no mesh `{name}`")).note(format!("meshes: {}", list(meshes.iter().map(|m| &m.name))))
    })
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
    fn data_of_parts_and_meshlets() {
        let scene = "[meshes.m]\nparts = [{ cube = {} }, { grid = {} }]\n[meshes.b]\nboxes = [[[0, 0, 0], [1, 1, 1]]]\n";
        let meshes = super::super::tests::meshes(scene);
        let size = |name: &str, what: &str| mesh_bytes(&meshes, name, what).map(|b| b.len());
        assert_eq!(size("m", "indices"), Some((36 + 6) * 4));
        assert_eq!((size("m[0]", "indices"), size("m[1]", "indices")), (Some(36 * 4), Some(6 * 4)));
        assert_eq!(mesh_bytes(&meshes, "m[1]", "indices"), mesh_bytes(&meshes, "m", "indices").map(|b| b[36 * 4..].to_vec()));
        assert_eq!(
            [size("m[1]", "meshlets"), size("m[1]", "meshlet_vertices"), size("m[1]", "meshlet_triangles")],
            [Some(16), Some(16), Some(8)]
        );
        assert_eq!(
            [size("m", "meshlets"), size("b", "meshlets"), size("m[2]", "indices"), size("m[", "indices"), size("m[-1]", "uvs")],
            [None; 5]
        );
        let fails = |from: &str, why: &str| {
            let why = format!("dir/scene.toml:10: `buffers.B.from`: {why}");
            super::super::tests::fails(&format!("{scene}[buffers.B]\nfrom = \"{from}\"\n"), &why);
        };
        fails("m.meshlets", "meshlets are those of one geometry: name a part, `m[0].meshlets`");
        fails("m[2].indices", "the mesh `m` has no part 2: it has 2");
        fails("n[0].indices", "the scene has no mesh `n`\n  note: meshes: `m`, `b`");
        fails("b.meshlets", "the mesh `b` has no meshlets");
        fails("Scene.transforms", "the scene has no `Scene` under `accel`\n  note: known: none");
        let data = "`positions`, `normals`, `uvs`, `indices`, `boxes`, `meshlets`, `meshlet_vertices`, `meshlet_triangles`";
        let note = "of an acceleration structure there are `accel.transforms`";
        fails("m.colors", &format!("expected a mesh and its data, `mesh.positions`; data are {data}\n  note: {note}"));
    }

    #[test]
    fn parts_are_geometries_with_flags_of_their_own() {
        let scene = "[meshes.m]\nparts = [{ cube = {}, opaque = true }, { grid = {} }]\n";
        let meshes = super::super::tests::meshes(scene);
        let flags: Vec<u32> = meshes[0].parts.iter().map(|p| p.flags).collect();
        assert_eq!(flags, [GEOMETRY_OPAQUE, 0]);
        let fails = |rest: &str, why: &str| super::super::tests::fails(&format!("[meshes.m]\n{rest}\n"), why);
        fails("parts = []", "dir/scene.toml:6: `meshes.m.parts`: expected at least one part");
        let mixed = "dir/scene.toml:6: `meshes.m.parts`: a mesh cannot mix triangles and boxes";
        fails("parts = [{ cube = {} }, { boxes = [[[0, 0, 0], [1, 1, 1]]] }]", mixed);
        let nested = "dir/scene.toml:6: `meshes.m.parts[0]`: one of `triangles`, `boxes`, `grid`, `sphere`, `cube`, `gltf` is missing";
        fails("parts = [{ parts = [{ cube = {} }] }]", nested);
        let moved = "[meshes.m]\nparts = [{ cube = {}, transform = { scale = 2, translate = [1, 0, 0] } }, { grid = {} }]\n";
        let parts = &super::super::tests::meshes(moved)[0].parts;
        let transform = |i: usize| parts[i].transform;
        assert_eq!(transform(0), Some([[2.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0]]));
        assert_eq!(transform(1), None);
        let along = "dir/scene.toml:7: `meshes.m.transform`: boxes cannot have a transform: they are axis-aligned";
        fails("boxes = [[[0, 0, 0], [1, 1, 1]]]\ntransform = { scale = 2 }", along);
        let own = "dir/scene.toml:7: `meshes.m.opaque`: unknown key `opaque`\n  note: known keys: `triangles`, `boxes`, `grid`, `sphere`, `cube`, `gltf`, `parts`, `clusters`";
        fails("parts = [{ cube = {} }]\nopaque = true", own);
    }
}
