//! Everything of a glTF file that a scene takes.

use super::document::{nodes, open, refuse};
use super::{GltfData, NamedParts, Node, Shape, animations, materials, meshes};
use crate::error::Result;
use std::path::Path;

/// Reads `[gltf.x]`.
pub(super) fn whole(n: &Node<'_>, dir: &Path, animation: Option<&Node<'_>>, name: &str) -> Result<(GltfData, Vec<NamedParts>)> {
    let path = dir.join(n.str()?);
    let bad = |why: String| n.error(format!("{}: {why}", path.display()));
    let mut file = open(&path).map_err(bad)?;
    refuse(&file.document).map_err(bad)?;
    let mut data = GltfData { nodes: nodes(&file.document).map_err(bad)?, ..GltfData::default() };
    materials::read(&mut file, &mut data).map_err(bad)?;
    let made = meshes::read(&file, &mut data, name).map_err(bad)?;
    if data.nodes.list.iter().all(|n| n.mesh.is_none()) {
        return Err(bad("no node of its scene has a mesh".into()));
    }
    match animation {
        Some(n) if !n.is_text() && !n.is_number() && !n.bool()? => {}
        wanted => {
            let chosen = animations::choose(&file.document, wanted)?;
            if let Some(a) = chosen {
                data.nodes.channels = animations::channels(&file, &a, &data.nodes).map_err(bad)?;
            }
        }
    }
    data.files = file.files;
    Ok((data, made))
}

/// Reads `gltf` of a mesh: primitives in the order of the nodes, with their transforms applied.
pub(super) fn shapes(n: &Node<'_>, dir: &Path) -> Result<Vec<Shape>> {
    let path = dir.join(n.str()?);
    let bad = |why: String| n.error(format!("{}: {why}", path.display()));
    let file = open(&path).map_err(bad)?;
    let nodes = nodes(&file.document).map_err(bad)?;
    let meshes: Vec<_> = file.document.meshes().collect();
    let mut out = Vec::new();
    for (mesh, transform) in nodes.instances(0.0) {
        for primitive in meshes.iter().skip(mesh).take(1).flat_map(|m| m.primitives()) {
            let triangles = meshes::triangles(&primitive, &file.buffers).map_err(|why| bad(meshes::place(mesh, &primitive, &why)))?;
            out.push(Shape::Triangles(meshes::moved(triangles, &transform)));
        }
    }
    if out.is_empty() {
        return Err(bad("the file has no triangles".to_string()));
    }
    Ok(out)
}
