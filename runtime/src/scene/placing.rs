//! Acceleration structures of a scene: instances of meshes, and where they are.

use super::mesh::Mesh;
use super::parse::{find_mesh, target};
use super::partitions;
use super::reader::{Node, Table};
use super::{AccelSource, SceneInstance};
use crate::device::{
    BuildFlags, IDENTITY, INSTANCE_CULL_DISABLE, INSTANCE_DISABLE_OMMS, INSTANCE_FORCE_NON_OPAQUE, INSTANCE_FORCE_OMM_2_STATE,
    INSTANCE_FORCE_OPAQUE, INSTANCE_FRONT_COUNTERCLOCKWISE,
};
use crate::error::Result;

/// Reads one table of `[accel]`.
pub(super) fn accel(name: &str, n: &Node<'_>, meshes: &[Mesh]) -> Result<AccelSource> {
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
    let instances = t.need("instances")?.list()?;
    let (partitioned, instances) = match parts {
        Some(n) => {
            let (p, instances) = partitions::read(&t, &n, &instances, meshes)?;
            (Some(p), instances)
        }
        None => {
            let one = |n: &Node<'_>| instance(&n.table()?, meshes, bits24);
            (None, instances.iter().map(one).collect::<Result<_>>()?)
        }
    };
    t.finish()?;
    Ok(AccelSource { target, instances, flags, partitioned })
}

/// A number of 24 bits.
pub(super) fn bits24(n: &Node<'_>) -> Result<u32> {
    let i = n.u32()?;
    if i < 1 << 24 { Ok(i) } else { Err(n.error(format!("{i} has more than 24 bits"))) }
}

/// Reads an instance; nothing else may be left in its table. `id` reads its id.
pub(super) fn instance(t: &Table<'_>, meshes: &[Mesh], id: fn(&Node<'_>) -> Result<u32>) -> Result<SceneInstance> {
    let mesh = t.take("mesh");
    let mask = t.take("mask");
    let mask = match &mask {
        None => 0xff,
        Some(n) => u8::try_from(n.u32()?).map_err(|_| n.error("a mask has 8 bits"))?,
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

/// Twelve numbers, or what moves something.
pub(super) fn transform(n: &Node<'_>) -> Result<[[f32; 4]; 3]> {
    if n.is_array() {
        let mut out = [[0.0; 4]; 3];
        let items = n.list()?;
        if items.first().is_some_and(Node::is_array) {
            if items.len() != 3 {
                return Err(n.error(format!("expected 3 rows, found {}", items.len())));
            }
            for (row, item) in out.iter_mut().zip(&items) {
                *row = item.floats::<4>()?;
            }
        } else {
            out.as_flattened_mut().copy_from_slice(&n.floats::<12>()?);
        }
        return Ok(out);
    }
    let t = n.table()?;
    let scale = match t.take("scale") {
        None => [1.0; 3],
        Some(n) if n.is_array() => n.floats::<3>()?,
        Some(n) => [n.float()?; 3],
    };
    let mut rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    if let Some(n) = t.take("rotate") {
        let r = n.table()?;
        let axis_node = r.need("axis")?;
        let a = axis_node.floats::<3>()?;
        let degrees = r.need("degrees")?.float()?;
        r.finish()?;
        let length = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt();
        if length.is_nan() || length <= 0.0 {
            return Err(axis_node.error("an axis has a direction"));
        }
        rotation = rotate(a.map(|x| x / length), degrees.to_radians());
    }
    let translate = t.or("translate", |n| n.floats::<3>(), [0.0; 3])?;
    t.finish()?;
    let mut out = [[0.0; 4]; 3];
    for (r, row) in out.iter_mut().enumerate() {
        for c in 0..3 {
            row[c] = rotation[r][c] * scale[c];
        }
        row[3] = translate[r];
    }
    Ok(out)
}

/// The rotation about a unit axis.
fn rotate(a: [f32; 3], angle: f32) -> [[f32; 3]; 3] {
    let (s, c) = angle.sin_cos();
    let k = 1.0 - c;
    [
        [c + a[0] * a[0] * k, a[0] * a[1] * k - a[2] * s, a[0] * a[2] * k + a[1] * s],
        [a[1] * a[0] * k + a[2] * s, c + a[1] * a[1] * k, a[1] * a[2] * k - a[0] * s],
        [a[2] * a[0] * k - a[1] * s, a[2] * a[1] * k + a[0] * s, c + a[2] * a[2] * k],
    ]
}
