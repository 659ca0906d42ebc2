//! Descriptions of partitioned top-level structures (raytracing2, Partitioned Top Level Acceleration Structures).
//!
//! Instances are rows of a table, each in a partition. A build writes some of them, and only their partitions are rebuilt.
//! Shaders see an ordinary top-level structure.

use super::{Accel, Instance};

/// Writes an instance; its partition is rebuilt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PartitionedWrite {
    /// Its row in the table, which is its `InstanceIndex()`.
    pub index: u32,
    /// Its partition, or [`GLOBAL_PARTITION`](super::GLOBAL_PARTITION).
    pub partition: u32,
    /// What it is; its id may have 32 bits. One whose matrix is zero but for the translation, or has something that is no
    /// number, is left out.
    pub instance: Instance,
    /// With [`INSTANCE_EXPLICIT_BOUNDS`](super::INSTANCE_EXPLICIT_BOUNDS): minimum x, y, z and maximum x, y, z that it never leaves, before its partition is
    /// moved.
    pub bounds: [f32; 6],
}

/// Gives an instance another bottom-level structure; nothing is rebuilt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartitionedUpdate {
    /// Its row in the table.
    pub index: u32,
    /// The structure.
    pub bottom: Accel,
    /// `InstanceContributionToHitGroupIndex`, 24 bits.
    pub hit_group_offset: u32,
}

/// Moves a partition, relative to the transforms that its instances were written with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PartitionTranslation {
    /// The partition, or [`GLOBAL_PARTITION`](super::GLOBAL_PARTITION).
    pub partition: u32,
    /// By how much.
    pub by: [f32; 3],
}

/// The changes of a build, in no order. An instance may be written or updated once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PartitionedChanges {
    /// Instances that are written.
    pub writes: Vec<PartitionedWrite>,
    /// Instances that get another structure.
    pub updates: Vec<PartitionedUpdate>,
    /// Partitions that are moved.
    pub translations: Vec<PartitionTranslation>,
}
