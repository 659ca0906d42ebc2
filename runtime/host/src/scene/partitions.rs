//! Partitioned top-level structures of a scene: the partition of each instance, and changes that are applied before the first dispatch.
//!
//! `partitioned = { partitions = 4 }` in a table of `[accel]` makes one; `instances` (rows of the table, by default as many as are listed),
//! `max_in_partition`, `max_in_global` (by default all rows), `fast_build`, `translation` and `in_memory` (built by indirect operations) are
//! optional. Instances have a `partition`, and `changes` is a list of builds on top of the first.

use super::SceneInstance;
use super::fields::{bits24, bounds};
use super::instances::instance;
use super::mesh::{Mesh, find_mesh};
use super::reader::{Node, Table};
use crate::device::{GLOBAL_PARTITION, INSTANCE_EXPLICIT_BOUNDS, PartitionTranslation, PartitionedDesc, PartitionedWrite};
use crate::error::Result;

/// The row and partition of an instance of a partitioned structure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PartitionRow {
    /// Its row in the table.
    pub index: u32,
    /// Its partition.
    pub partition: u32,
    /// The box that bounds it at all times, with [`INSTANCE_EXPLICIT_BOUNDS`] among its flags.
    pub bounds: [f32; 6],
}

impl PartitionRow {
    /// A write of `instance` to this row.
    pub fn write(&self, instance: crate::device::Instance) -> PartitionedWrite {
        PartitionedWrite { index: self.index, partition: self.partition, instance, bounds: self.bounds }
    }
}

/// Changes that one build applies.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SceneChanges {
    /// Instances that are written.
    pub writes: Vec<(PartitionRow, SceneInstance)>,
    /// Instances that get another mesh: row of the table, mesh, hit group offset.
    pub updates: Vec<(u32, usize, u32)>,
    /// Partitions that are moved.
    pub translations: Vec<PartitionTranslation>,
}

/// A partitioned structure.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionedSource {
    /// Whether indirect operations build it.
    pub in_memory: bool,
    /// Its size.
    pub desc: PartitionedDesc,
    /// Rows of the instances of the [`super::AccelSource`].
    pub rows: Vec<PartitionRow>,
    /// Changes that are applied after the first build.
    pub changes: Vec<SceneChanges>,
}

/// Reads `partitioned`, `changes` and the instances of a partitioned structure.
pub(super) fn read(
    t: &Table<'_>,
    n: &Node<'_>,
    instances: &[Node<'_>],
    meshes: &[Mesh],
) -> Result<(PartitionedSource, Vec<SceneInstance>)> {
    let size = n.table()?;
    let listed = u32::try_from(instances.len()).map_err(|_| n.error("there are too many instances"))?;
    let rows = size.or("instances", Node::u32, listed)?;
    let desc = PartitionedDesc {
        instances: rows,
        partitions: size.need("partitions")?.u32()?,
        max_in_partition: size.or("max_in_partition", Node::u32, rows)?,
        max_in_global: size.or("max_in_global", Node::u32, rows)?,
        fast_build: size.or("fast_build", Node::bool, false)?,
        allow_translation: size.or("translation", Node::bool, false)?,
    };
    let in_memory = size.or("in_memory", Node::bool, false)?;
    size.finish()?;
    let written: Vec<(PartitionRow, SceneInstance)> =
        (0..).zip(instances).map(|(i, n)| write(n, Some(i), meshes)).collect::<Result<_>>()?;
    let mut changes = Vec::new();
    if let Some(n) = t.take("changes") {
        for n in n.list()? {
            changes.push(change(&n, meshes)?);
        }
    }
    let (rows, instances) = written.into_iter().unzip();
    Ok((PartitionedSource { in_memory, desc, rows, changes }, instances))
}

/// An instance with its row; `index` if the row follows from its position in the list.
fn write(n: &Node<'_>, index: Option<u32>, meshes: &[Mesh]) -> Result<(PartitionRow, SceneInstance)> {
    let t = n.table()?;
    let index = match index {
        Some(i) => i,
        None => t.need("index")?.u32()?,
    };
    let partition = partition(&t.need("partition")?)?;
    let bounds = t.take("bounds").map(|n| bounds(&n)).transpose()?;
    let mut out = instance(&t, meshes, |n| n.u32())?;
    if bounds.is_some() {
        out.flags |= INSTANCE_EXPLICIT_BOUNDS;
    }
    Ok((PartitionRow { index, partition, bounds: bounds.unwrap_or_default() }, out))
}

/// A number, or `"global"`.
fn partition(n: &Node<'_>) -> Result<u32> {
    match n.str() {
        Ok("global") => Ok(GLOBAL_PARTITION),
        Ok(other) => Err(n.error(format!("unknown partition `{other}`: expected a number or `global`"))),
        Err(_) => n.u32(),
    }
}

fn change(n: &Node<'_>, meshes: &[Mesh]) -> Result<SceneChanges> {
    let t = n.table()?;
    let list = |key: &'static str| t.take(key).map_or(Ok(Vec::new()), |n| n.list());
    let mut out = SceneChanges::default();
    for n in list("write")? {
        out.writes.push(write(&n, None, meshes)?);
    }
    for n in list("update")? {
        let u = n.table()?;
        let mesh = u.need("mesh")?;
        let mesh = find_mesh(mesh.str()?, &mesh, meshes)?;
        out.updates.push((u.need("index")?.u32()?, mesh, u.or("hit_group_offset", bits24, 0)?));
        u.finish()?;
    }
    for n in list("translate")? {
        let m = n.table()?;
        let partition = partition(&m.need("partition")?)?;
        out.translations.push(PartitionTranslation { partition, by: m.need("by")?.floats::<3>()? });
        m.finish()?;
    }
    t.finish()?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use super::super::tests::fails;
    use super::*;

    const HEAD: &str = "[meshes.m]\ncube = {}\n[accel.S]\n";

    #[test]
    fn partitioned_structures_are_read() {
        let text = "partitioned = { partitions = 2, instances = 9, translation = true }\ninstances = [{ mesh = \"m\", partition = 1, id = 4000000000 }, { partition = \"global\", bounds = [[0, 0, 0], [1, 2, 3]] }]\nchanges = [{ write = [{ index = 8, partition = 0, mesh = \"m\" }], update = [{ index = 1, mesh = \"m\", hit_group_offset = 5 }] }, { translate = [{ partition = \"global\", by = [1, 2, 3] }] }]\n";
        let scene = super::super::tests::scene(&format!("{HEAD}{text}"));
        let a = &scene.accels[0];
        let p = a.partitioned.as_ref().expect("partitions");
        assert_eq!((p.desc.instances, p.desc.partitions, p.desc.max_in_global), (9, 2, 9));
        assert!(!p.in_memory);
        assert_eq!((a.instances[0].id, p.rows[0].partition), (4_000_000_000, 1));
        assert_eq!((a.instances[1].flags, p.rows[1].partition), (INSTANCE_EXPLICIT_BOUNDS, GLOBAL_PARTITION));
        assert_eq!(p.rows[1].bounds, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
        assert_eq!((p.changes[0].writes[0].0.index, p.changes[0].updates[0]), (8, (1, 0, 5)));
        assert_eq!(p.changes[1].translations[0].by, [1.0, 2.0, 3.0]);
        let plain = format!("{HEAD}instances = [{{ mesh = \"m\" }}]\n");
        assert_eq!(super::super::tests::scene(&plain).accels[0].partitioned, None);
        assert!(Scene::parse("x".as_ref(), &plain).is_err());
    }

    #[test]
    fn mistakes_are_named() {
        let f = |rest: &str, why: &str| fails(&format!("{HEAD}{rest}\n"), why);
        f("partitioned = {}\ninstances = []", "dir/scene.toml:8: `accel.S.partitioned`: the key `partitions` is missing");
        let p = "partitioned = { partitions = 1 }\ninstances = ";
        f(&format!("{p}[{{ mesh = \"m\" }}]"), "dir/scene.toml:9: `accel.S.instances[0]`: the key `partition` is missing");
        let word = "unknown partition `x`: expected a number or `global`";
        f(&format!("{p}[{{ partition = \"x\" }}]"), &format!("dir/scene.toml:9: `accel.S.instances[0].partition`: {word}"));
        let update = "changes = [{ update = [{ index = 0, mesh = \"z\" }] }]";
        let why = "dir/scene.toml:10: `accel.S.changes[0].update[0].mesh`: the scene has no mesh `z`\n  note: meshes: `m`";
        f(&format!("{p}[]\n{update}"), why);
        let own = "instances = []\nchanges = []";
        let known = "known keys: `bind`, `build`, `partitioned`, `gltf`, `update`, `instances`";
        f(own, &format!("dir/scene.toml:9: `accel.S.changes`: unknown key `changes`\n  note: {known}"));
    }
}
