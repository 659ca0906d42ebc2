//! Acceleration structures of a scene: build flags and instances.

use super::AccelSource;
use super::fields::{bits24, target};
use super::gltf_file::{self, GltfSource};
use super::instances::instance;
use super::mesh::Mesh;
use super::partitions;
use super::reader::Node;
use crate::device::BuildFlags;
use crate::error::Result;

/// Reads one table of `[accel]`.
pub(super) fn accel(name: &str, n: &Node<'_>, meshes: &[Mesh], gltfs: &[GltfSource]) -> Result<AccelSource> {
    let t = n.table()?;
    let target = target(name, n, &t)?;
    let mut flags = BuildFlags::default();
    if let Some(n) = t.take("build") {
        for word in n.list()? {
            let set: fn(&mut BuildFlags) = word.word(&[
                ("allow_update", (|f| f.allow_update = true) as fn(&mut BuildFlags)),
                ("allow_compaction", |f| f.allow_compaction = true),
                ("prefer_fast_build", |f| f.prefer_fast_build = true),
                ("low_memory", |f| f.low_memory = true),
                ("allow_omm_update", |f| f.allow_omm_update = true),
                ("allow_disable_omms", |f| f.allow_disable_omms = true),
            ])?;
            set(&mut flags);
        }
    }
    let parts = t.take("partitioned");
    let gltf = t.take("gltf").map(|n| gltf_file::find(n.str()?, &n, gltfs)).transpose()?;
    let refit = t.or("update", |n| n.word(&[("rebuild", false), ("refit", true)]), false)?;
    let instances = match (t.take("instances"), gltf) {
        (Some(n), _) => n.list()?,
        (None, Some(_)) => Vec::new(),
        (None, None) => t.need("instances")?.list()?,
    };
    let (partitioned, mut instances) = match parts {
        Some(n) => {
            if gltf.is_some() {
                return Err(n.error("instances of a glTF file cannot be partitioned"));
            }
            let (p, instances) = partitions::read(&t, &n, &instances, meshes)?;
            (Some(p), instances)
        }
        None => {
            let one = |n: &Node<'_>| instance(&n.table()?, meshes, bits24);
            (None, instances.iter().map(one).collect::<Result<_>>()?)
        }
    };
    t.finish()?;
    if let Some(gltf) = gltf {
        instances.splice(0..0, gltfs[gltf].instances());
    }
    Ok(AccelSource { target, instances, flags, partitioned, gltf, refit })
}
