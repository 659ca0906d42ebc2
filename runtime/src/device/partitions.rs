//! Descriptions of partitioned top-level structures (raytracing2, Partitioned Top Level Acceleration Structures).
//!
//! Instances are rows of a table, each in a partition. A build writes some of them, and only their partitions are rebuilt.
//! Shaders see an ordinary top-level structure.

use super::{Accel, Instance};

/// The global partition, for instances that move often.
pub const GLOBAL_PARTITION: u32 = u32::MAX;
/// Flag of an instance in a partitioned structure: [`PartitionedWrite::bounds`] is the box around it.
pub const INSTANCE_EXPLICIT_BOUNDS: u32 = 0x40;

/// How large a partitioned structure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartitionedDesc {
    /// Instances of the table; all are inactive at first.
    pub instances: u32,
    /// Maximum number of instances in a partition.
    pub max_in_partition: u32,
    /// Partitions, besides the global one.
    pub partitions: u32,
    /// Maximum number of instances in the global partition.
    pub max_in_global: u32,
    /// Change fast rather than trace fast.
    pub fast_build: bool,
    /// Partitions may be moved.
    pub allow_translation: bool,
}

/// Writes an instance; its partition is rebuilt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PartitionedWrite {
    /// Its row in the table, which is its `InstanceIndex()`.
    pub index: u32,
    /// Its partition, or [`GLOBAL_PARTITION`].
    pub partition: u32,
    /// What it is; its id may have 32 bits. One whose matrix is zero but for the translation, or has something that is no
    /// number, is left out.
    pub instance: Instance,
    /// With [`INSTANCE_EXPLICIT_BOUNDS`]: minimum x, y, z and maximum x, y, z that it never leaves, before its partition is
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
    /// The partition, or [`GLOBAL_PARTITION`].
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
