//! Shapes of a scene: triangles, boxes, and grids, spheres and cubes that are generated.
//!
//! Generated shapes face outwards with clockwise winding seen from outside in a left-handed view, which is
//! what D3D calls front.

use super::reader::{Node, Table};
use crate::error::Result;

/// Vertices with their attributes. `normals`, `uvs`, `tangents` and `colors` are empty or as long as
/// `positions`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Triangles {
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates.
    pub uvs: Vec<[f32; 2]>,
    /// Tangents; w is the sign of the bitangent. Those of glTF files.
    pub tangents: Vec<[f32; 4]>,
    /// Colours with alpha, linear. Those of glTF files.
    pub colors: Vec<[f32; 4]>,
    /// Three indices per triangle; without, three consecutive positions make a triangle.
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

/// A number from 1 to `max`.
fn count(n: &Node<'_>, max: u32) -> Result<u32> {
    let i = n.u32()?;
    if (1..=max).contains(&i) { Ok(i) } else { Err(n.error(format!("{i} is not between 1 and {max}"))) }
}

/// Largest number of subdivisions along one side of a generated shape.
const MAX_SUBDIVISIONS: u32 = 2048;

/// A flat rectangle around the origin in the plane y = 0, facing up.
pub(super) fn grid(t: &Table<'_>) -> Result<Triangles> {
    let size = t.or("size", |n| n.floats::<2>(), [1.0, 1.0])?;
    let cells = match t.take("cells") {
        None => [1, 1],
        Some(n) => match n.list()?.as_slice() {
            [x, z] => [count(x, MAX_SUBDIVISIONS)?, count(z, MAX_SUBDIVISIONS)?],
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
pub(super) fn sphere(t: &Table<'_>) -> Result<Triangles> {
    let radius = t.or("radius", |n| n.float(), 1.0)?;
    let segments = t.or("segments", |n| count(n, MAX_SUBDIVISIONS), 32)?.max(3);
    let rings = t.or("rings", |n| count(n, MAX_SUBDIVISIONS), 16)?.max(2);
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
pub(super) fn cube(t: &Table<'_>) -> Result<Triangles> {
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
