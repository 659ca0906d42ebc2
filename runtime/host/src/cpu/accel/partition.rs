//! Partitioned top-level structures: an instance table, a BVH for each partition, and a small BVH over those.
//!
//! Writing an instance rebuilds the trees of the partitions that it leaves and enters; replacing its structure or translating a
//! partition only refits one. Then the trees are joined into a [`Top`], which rays traverse. A rejected update changes nothing.
//! The rules of the table are those of every device ([`InstanceTable`]).

use super::Bottom;
use super::build::{Effort, build};
use super::bvh::{self, Bvh};
use super::math::Bounds;
use super::top::{Placed, Top, TopInstance};
use crate::device::instance_table::{self, InstanceTable, PartitionState};
use crate::device::{BuildFlags, IDENTITY, PartitionTranslation, PartitionedDesc};
use crate::error::Result;
use std::sync::Arc;

/// [`crate::device::PartitionedWrite`] with its structure resolved.
pub type Written = instance_table::ResolvedWrite<Arc<Bottom>>;
/// [`crate::device::PartitionedUpdate`] with its structure resolved.
pub type Swapped = instance_table::Swapped<Arc<Bottom>>;

/// A built partitioned structure.
#[derive(Clone, Debug)]
pub struct Partitioned {
    table: InstanceTable<Arc<Bottom>>,
    /// One for each partition; the global partition's is last.
    trees: Vec<Tree>,
    top: Top,
}

#[derive(Clone, Debug, Default)]
struct Tree {
    bvh: Bvh,
    /// The instance of each leaf.
    order: Vec<u32>,
}

/// The bounds of an instance in a translated partition, if the host gave explicit bounds: no smaller than the translated ones.
fn moved(b: [f32; 6], by: [f32; 3]) -> Bounds {
    Bounds {
        lo: std::array::from_fn(|a| if by[a] == 0.0 { b[a] } else { (b[a] + by[a]).next_down() }),
        hi: std::array::from_fn(|a| if by[a] == 0.0 { b[a + 3] } else { (b[a + 3] + by[a]).next_up() }),
    }
}

impl Partitioned {
    /// A table of inactive instances with changes applied.
    ///
    /// # Errors
    /// See [`InstanceTable::changed`].
    pub fn build(desc: &PartitionedDesc, writes: &[Written], swaps: &[Swapped], moves: &[PartitionTranslation]) -> Result<Partitioned> {
        let empty = Partitioned { table: InstanceTable::default(), trees: vec![Tree::default()], top: Top::empty() };
        empty.changed(desc, writes, swaps, moves)
    }

    /// The structure that rays traverse.
    pub fn top(&self) -> &Top {
        &self.top
    }

    /// Size in bytes, without the bottom-level structures.
    pub fn size(&self) -> u64 {
        Partitioned::bytes(self.table.desc())
    }

    /// Maximum size in bytes: table rows, instances, partitions with their trees, and the tree over all.
    pub fn bytes(desc: &PartitionedDesc) -> u64 {
        let (instances, partitions) = (u64::from(desc.instances), u64::from(desc.partitions) + 1);
        // Each instance is a leaf of its partition's tree and of the joined tree.
        let nodes = 2 * (bvh::max_nodes(instances, 1) + partitions) + bvh::max_nodes(partitions, 1);
        let row = (size_of::<Placed>() + 48 + size_of::<TopInstance>() + 8) as u64;
        instances * row + partitions * (size_of::<Tree>() + 16) as u64 + nodes * bvh::NODE_BYTES
    }

    /// With changes applied, and resized if `desc` differs.
    ///
    /// # Errors
    /// See [`InstanceTable::changed`].
    pub fn changed(
        &self,
        desc: &PartitionedDesc,
        writes: &[Written],
        swaps: &[Swapped],
        moves: &[PartitionTranslation],
    ) -> Result<Partitioned> {
        // An instance that becomes active is not in the tree yet, one that becomes inactive must leave it.
        let empty = |b: &Bottom| b.bvh.bounds.is_empty();
        let table = self.table.changed(desc, writes, swaps, moves, |a, b| empty(a) == empty(b))?;
        let mut trees = self.trees.clone();
        let global = trees.pop().unwrap_or_default();
        trees.resize_with(desc.partitions as usize, Tree::default);
        trees.push(global);
        let mut new = Partitioned { table, trees, top: Top::empty() };
        new.rebuild();
        Ok(new)
    }

    fn rebuild(&mut self) {
        let (table, parts) = (&self.table, self.table.partitions());
        let count = table.desc().instances as usize;
        let left_out = || TopInstance { to_world: IDENTITY, ..TopInstance::default() };
        let instances: Vec<TopInstance> = (0..count).map(|i| table.placed(i).map_or_else(left_out, |p| TopInstance::new(&p))).collect();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); parts.len()];
        for i in 0..count {
            if let Some(p) = table.partition_of(i).filter(|&p| parts[p].state == PartitionState::Build) {
                members[p].push(i as u32);
            }
        }
        let effort = if table.desc().fast_build { Effort::Fast } else { Effort::Good };
        for ((tree, part), members) in self.trees.iter_mut().zip(parts).zip(members) {
            let bounds = |i: u32| match table.explicit(i as usize) {
                Some(b) => moved(b, part.translation),
                None => instances[i as usize].bounds(),
            };
            match part.state {
                PartitionState::Fits => {}
                PartitionState::Refit => {
                    let order = &tree.order;
                    tree.bvh.refit(|i| bounds(order[i]));
                }
                PartitionState::Build => {
                    let found = members.into_iter().map(|i| (i, bounds(i))).filter(|(_, b)| !b.is_empty());
                    let (numbers, boxes): (Vec<u32>, Vec<Bounds>) = found.unzip();
                    let (bvh, order) = build(&boxes, 1, effort);
                    *tree = Tree { bvh, order: order.iter().map(|&i| numbers[i as usize]).collect() };
                }
            }
        }
        let mut order = Vec::new();
        let mut joined = Vec::with_capacity(self.trees.len());
        for t in &self.trees {
            joined.push((&t.bvh, order.len()));
            order.extend_from_slice(&t.order);
        }
        let bvh = Bvh::join(&joined);
        self.top = Top { bvh, order, instances, flags: BuildFlags::default() };
    }

    /// Checks the size of a structure.
    ///
    /// # Errors
    /// More instances or partitions than a structure can have.
    pub fn check_size(desc: &PartitionedDesc) -> Result<()> {
        instance_table::check_size(desc)
    }
}
