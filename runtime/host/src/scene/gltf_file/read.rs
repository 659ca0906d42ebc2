//! Everything of a glTF file that a scene takes.

use super::document::{nodes, open};
use super::{GltfData, NamedParts, Node, Shape, animations, materials, meshes};
use crate::error::Result;
use std::path::Path;

/// Reads `[gltf.x]`.
pub(super) fn whole(n: &Node<'_>, dir: &Path, animation: Option<&Node<'_>>, name: &str) -> Result<(GltfData, Vec<NamedParts>)> {
    let path = dir.join(n.str()?);
    let bad = |why: String| n.error(format!("{}: {why}", path.display()));
    let mut file = open(&path).map_err(bad)?;
    let mut data = GltfData { nodes: nodes(&mut file).map_err(bad)?, ..GltfData::default() };
    materials::read(&mut file, &mut data).map_err(bad)?;
    let made = meshes::read(&mut file, &mut data, name).map_err(bad)?;
    // What has no triangles is nowhere.
    for node in &mut data.nodes.list {
        node.mesh = node.mesh.filter(|mesh| made.get(*mesh).is_some_and(|m| !m.1.is_empty()));
    }
    if data.nodes.list.iter().all(|n| n.mesh.is_none()) {
        return Err(bad("no node of its scene has a mesh of triangles".into()));
    }
    match animation {
        Some(n) if !n.is_text() && !n.is_number() && !n.bool()? => {}
        wanted => {
            let chosen = animations::choose(&file.document, wanted)?;
            if let Some(a) = chosen {
                data.nodes.channels = animations::channels(&file.buffers, &a, &data.nodes, &mut file.left_out).map_err(bad)?;
            }
        }
    }
    data.files = file.files;
    file.left_out.sentences().for_each(|what| n.warn(format!("{}: {what}", path.display())));
    Ok((data, made))
}

/// Reads `gltf` of a mesh: primitives in the order of the nodes, with their transforms applied.
pub(super) fn shapes(n: &Node<'_>, dir: &Path) -> Result<Vec<Shape>> {
    let path = dir.join(n.str()?);
    let bad = |why: String| n.error(format!("{}: {why}", path.display()));
    let mut file = open(&path).map_err(bad)?;
    let nodes = nodes(&mut file).map_err(bad)?;
    let meshes: Vec<_> = file.document.meshes().collect();
    let mut out = Vec::new();
    for (mesh, transform) in nodes.instances(0.0) {
        for primitive in meshes.iter().skip(mesh).take(1).flat_map(|m| m.primitives()) {
            let read = meshes::triangles(&primitive, &file.buffers, &mut file.left_out);
            let Some(triangles) = read.map_err(|why| bad(meshes::place(mesh, &primitive, &why)))? else { continue };
            out.push(Shape::Triangles(meshes::moved(triangles, &transform)));
        }
    }
    if out.is_empty() {
        return Err(bad("the file has no triangles".to_string()));
    }
    file.left_out.sentences().for_each(|what| n.warn(format!("{}: {what}", path.display())));
    Ok(out)
}
