//! The camera of a scene: what its table says, of a glTF file, along a path.

use super::gltf_file::{self, GltfSource};
use super::reader::Table;
use super::{Camera, CameraPath};
use crate::error::Result;
use std::path::Path;

/// The camera at first, and what it follows.
#[derive(Default)]
pub(super) struct Viewpoint {
    pub camera: Option<Camera>,
    pub camera_path: Option<CameraPath>,
    pub camera_node: Option<(usize, usize)>,
}

/// Reads `[camera]`.
pub(super) fn viewpoint(t: &Table<'_>, aspect: f32, dir: &Path, gltfs: &[GltfSource]) -> Result<Viewpoint> {
    let node = t.take("node");
    let camera_node = match t.take("gltf") {
        None => node.map_or(Ok(None), |n| Err(n.error("`node` requires the `gltf` that has it")))?,
        Some(n) => {
            let index = gltf_file::find(n.str()?, &n, gltfs)?;
            let name = node.map(|n| n.str()).transpose()?;
            let found = gltfs[index].data.nodes.camera(name);
            Some((index, found.ok_or_else(|| n.error("the file has no such camera in its scene"))?))
        }
    };
    let given = camera_node.map(|(gltf, node)| gltfs[gltf].data.nodes.lens(node, aspect));
    let camera = Camera::read(t, aspect, given)?;
    let camera_path = CameraPath::read(t, &camera, dir)?;
    t.finish()?;
    camera.check().map_err(|why| t.error(why))?;
    Ok(Viewpoint { camera: Some(camera), camera_path, camera_node })
}
