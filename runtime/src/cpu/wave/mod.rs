//! Threads that meet: waves, groups, barriers.

/// How a thread meets the others.
#[derive(Default)]
pub struct Meet {}
