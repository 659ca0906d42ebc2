//! Instances of meshes in a scene.

use super::SceneInstance;
use super::fields::bits24;
use super::mesh::{Mesh, find_mesh};
use super::reader::{Node, Table};
use super::transform::transform;
use crate::device::{
    IDENTITY, INSTANCE_CULL_DISABLE, INSTANCE_DISABLE_OMMS, INSTANCE_FORCE_NON_OPAQUE, INSTANCE_FORCE_OMM_2_STATE, INSTANCE_FORCE_OPAQUE,
    INSTANCE_FRONT_COUNTERCLOCKWISE,
};
use crate::error::Result;

/// Reads an instance and checks that no key of its table is left; `id` reads its id.
pub(super) fn instance(t: &Table<'_>, meshes: &[Mesh], id: fn(&Node<'_>) -> Result<u32>) -> Result<SceneInstance> {
    let mesh = t.take("mesh");
    let mask = t.take("mask");
    let mask = match &mask {
        None => 0xff,
        Some(n) => u8::try_from(n.u32()?).map_err(|_| n.error("expected a mask of 8 bits"))?,
    };
    let mut flags = 0;
    if let Some(n) = t.take("flags") {
        for word in n.list()? {
            flags |= word.word(&[
                ("cull_disable", INSTANCE_CULL_DISABLE),
                ("front_counterclockwise", INSTANCE_FRONT_COUNTERCLOCKWISE),
                ("force_opaque", INSTANCE_FORCE_OPAQUE),
                ("force_non_opaque", INSTANCE_FORCE_NON_OPAQUE),
                ("force_omm_2_state", INSTANCE_FORCE_OMM_2_STATE),
                ("disable_omms", INSTANCE_DISABLE_OMMS),
            ])?;
        }
        if flags & INSTANCE_FORCE_OPAQUE != 0 && flags & INSTANCE_FORCE_NON_OPAQUE != 0 {
            return Err(n.error("`force_opaque` and `force_non_opaque` exclude each other"));
        }
    }
    let out = SceneInstance {
        mesh: mesh.map(|n| find_mesh(n.str()?, &n, meshes)).transpose()?,
        transform: t.or("transform", transform, IDENTITY)?,
        id: t.or("id", id, 0)?,
        mask,
        hit_group_offset: t.or("hit_group_offset", bits24, 0)?,
        flags,
    };
    t.finish()?;
    Ok(out)
}
