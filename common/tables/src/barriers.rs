//! The bits in the arguments of barriers.

/// The mode of `Barrier`.
pub mod mode {
    /// Waits for the group.
    pub const GROUP_SYNC: u32 = 1;
    /// Writes of UAVs become visible everywhere.
    pub const UAV_GLOBAL: u32 = 2;
    /// Writes of UAVs become visible in the group.
    pub const UAV_GROUP: u32 = 4;
    /// Writes of groupshared memory become visible.
    pub const GROUPSHARED: u32 = 8;
}

/// The memory types of the newer barriers.
pub mod memory {
    /// UAVs.
    pub const UAV: u32 = 1;
    /// Groupshared memory.
    pub const GROUPSHARED: u32 = 2;
    /// Input and output records of work-graph nodes.
    pub const NODES: u32 = 4 | 8;
    /// All of them; what does not apply to the stage is ignored then.
    pub const ALL: u32 = 15;
}

/// The semantics of the newer barriers.
pub mod semantics {
    /// Waiting for the group.
    pub const GROUP_SYNC: u32 = 1;
    /// Visibility in the group.
    pub const GROUP_SCOPE: u32 = 2;
    /// Both, which need a group.
    pub const GROUP: u32 = GROUP_SYNC | GROUP_SCOPE;
    /// Visibility on the device.
    pub const DEVICE: u32 = 4;
    /// Visibility across reordering (6.9).
    pub const REORDER: u32 = 8;
    /// All bits before shader model 6.9.
    pub const BEFORE_REORDERING: u32 = GROUP | DEVICE;
    /// All bits.
    pub const ALL: u32 = BEFORE_REORDERING | REORDER;
}
