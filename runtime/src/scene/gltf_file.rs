//! Meshes from glTF files: every primitive of every node becomes one geometry, with the node's transform
//! applied to its vertices.
//!
//! glTF is right-handed with counter-clockwise fronts, D3D left-handed with clockwise ones: z is negated and every
//! triangle turned around. Materials, textures, animation and skins are ignored.

use super::reader::Node;
use super::shapes::Shape;
use crate::error::Result;
use std::path::Path;

/// Reads `gltf = "file.glb"`.
#[cfg(not(feature = "gltf"))]
pub(super) fn read(node: &Node<'_>, _dir: &Path) -> Result<Vec<Shape>> {
    Err(node.error("glTF files are not supported by this build (cargo feature `gltf` of rtc-runtime)"))
}

/// Reads `gltf = "file.glb"`.
#[cfg(feature = "gltf")]
pub(super) fn read(node: &Node<'_>, dir: &Path) -> Result<Vec<Shape>> {
    let path = dir.join(node.str()?);
    let bad = |why: String| node.error(format!("{}: {why}", path.display()));
    // The file is opened first, for its own message; images are not loaded.
    let file = gltf::Gltf::open(&path).map_err(|e| bad(e.to_string()))?;
    let buffers = gltf::import_buffers(&file.document, path.parent(), file.blob).map_err(|e| bad(e.to_string()))?;
    let document = file.document;
    let Some(scene) = document.default_scene().or_else(|| document.scenes().next()) else {
        return Err(bad("the file has no scene".to_string()));
    };
    let mut shapes = Vec::new();
    // Nodes form a forest; a worklist replaces recursion. In a file whose nodes form a
    // cycle the number of visits exceeds the number of nodes.
    let mut todo: Vec<_> = scene.nodes().map(|n| (n, IDENTITY)).collect();
    todo.reverse();
    let mut visits = document.nodes().len();
    while let Some((n, parent)) = todo.pop() {
        visits = visits.checked_sub(1).ok_or_else(|| bad("the nodes form a cycle".to_string()))?;
        let world = multiply(parent, n.transform().matrix());
        for primitive in n.mesh().iter().flat_map(|m| m.primitives()) {
            if primitive.mode() != gltf::mesh::Mode::Triangles {
                return Err(bad("only triangle lists are supported".to_string()));
            }
            shapes.push(triangles(&primitive, &buffers, world).map_err(bad)?);
        }
        let first = todo.len();
        todo.extend(n.children().map(|c| (c, world)));
        todo[first..].reverse();
    }
    if shapes.is_empty() {
        return Err(bad("the file has no triangles".to_string()));
    }
    Ok(shapes)
}

#[cfg(feature = "gltf")]
type Matrix = [[f32; 4]; 4];

#[cfg(feature = "gltf")]
const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Column-major product, as glTF stores matrices.
#[cfg(feature = "gltf")]
fn multiply(a: Matrix, b: Matrix) -> Matrix {
    let mut out = [[0.0; 4]; 4];
    for (c, column) in out.iter_mut().enumerate() {
        for (r, x) in column.iter_mut().enumerate() {
            *x = (0..4).map(|k| a[k][r] * b[c][k]).sum();
        }
    }
    out
}

#[cfg(feature = "gltf")]
fn triangles(primitive: &gltf::Primitive<'_>, buffers: &[gltf::buffer::Data], world: Matrix) -> std::result::Result<Shape, String> {
    use super::shapes::Triangles;
    let reader = primitive.reader(|b| buffers.get(b.index()).map(|d| d.0.as_slice()));
    let apply = |p: [f32; 3], w: f32| {
        let mut q = [0.0; 3];
        for (r, x) in q.iter_mut().enumerate() {
            *x = world[0][r] * p[0] + world[1][r] * p[1] + world[2][r] * p[2] + world[3][r] * w;
        }
        q[2] = -q[2];
        q
    };
    let mut out = Triangles::default();
    let positions = reader.read_positions().ok_or("a primitive has no positions")?;
    out.positions = positions.map(|p| apply(p, 1.0)).collect();
    if let Some(normals) = reader.read_normals() {
        // Right for rotations and uniform scales, close for others: normals are renormalised.
        out.normals = normals
            .map(|n| {
                let v = apply(n, 0.0);
                let l = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt().max(f32::MIN_POSITIVE);
                v.map(|x| x / l)
            })
            .collect();
    }
    if let Some(uvs) = reader.read_tex_coords(0) {
        out.uvs = uvs.into_f32().collect();
    }
    let vertices = out.positions.len() as u32;
    let mut indices: Vec<u32> = reader.read_indices().map_or_else(|| (0..vertices).collect(), |i| i.into_u32().collect());
    if !indices.len().is_multiple_of(3) {
        return Err("the number of indices of a primitive is not a multiple of 3".to_string());
    }
    if indices.iter().any(|i| *i >= vertices) {
        return Err("an index of a primitive is out of range".to_string());
    }
    for triangle in indices.chunks_exact_mut(3) {
        triangle.swap(1, 2);
    }
    out.indices = Some(indices);
    Ok(Shape::Triangles(out))
}
