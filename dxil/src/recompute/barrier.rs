//! What barriers need: a thread group, work-graph nodes, reordering.

use super::op;
use crate::module::{Module, Value};

/// Memory types and semantics of the newer barriers, modes of the oldest one.
mod bits {
    pub const UAV: i64 = 1;
    pub const SHARED: i64 = 2;
    pub const NODE: i64 = 12;
    pub const ALL_MEMORY: i64 = 15;
    pub const GROUP: i64 = 3;
    pub const DEVICE_SCOPE: i64 = 4;
    pub const REORDER: i64 = 8;
    pub const LEGACY: i64 = 7;
    pub const MODE_UAV_GLOBAL: i64 = 2;
}

fn arg(m: &Module, args: &[Value], n: usize) -> Option<i64> {
    m.int_of(*args.get(n)?)
}

/// Whether it is a barrier that only threads of a group can wait at.
pub fn needs_group(m: &Module, opcode: u32, args: &[Value]) -> bool {
    let semantics = || arg(m, args, 2).is_some_and(|s| s & bits::GROUP != 0);
    match opcode {
        op::BARRIER => arg(m, args, 1).is_some_and(|mode| mode != bits::MODE_UAV_GLOBAL),
        op::BARRIER_BY_MEMORY_TYPE => {
            let shared = arg(m, args, 1).is_some_and(|t| t != bits::ALL_MEMORY && t & bits::SHARED != 0);
            shared || semantics()
        }
        op::BARRIER_BY_MEMORY_HANDLE | op::BARRIER_BY_NODE_RECORD_HANDLE => semantics(),
        _ => false,
    }
}

/// Whether it is a barrier of work-graph nodes.
pub fn needs_node(m: &Module, opcode: u32, args: &[Value]) -> bool {
    match opcode {
        op::BARRIER_BY_NODE_RECORD_HANDLE => true,
        op::BARRIER_BY_MEMORY_TYPE => arg(m, args, 1).is_some_and(|t| t != bits::ALL_MEMORY && t & bits::NODE != 0),
        _ => false,
    }
}

/// Whether it is a barrier across reorder points.
pub fn needs_reorder(m: &Module, opcode: u32, args: &[Value]) -> bool {
    matches!(opcode, op::BARRIER_BY_MEMORY_TYPE | op::BARRIER_BY_MEMORY_HANDLE)
        && arg(m, args, 2).is_some_and(|s| s & bits::REORDER != 0)
}

/// The mode of the oldest barrier that says the same as a barrier by memory types, if there is one.
pub fn oldest_mode(m: &Module, args: &[Value]) -> Option<i64> {
    let (mut memory, semantics) = (arg(m, args, 1).unwrap_or(0), arg(m, args, 2).unwrap_or(0));
    if semantics & !bits::LEGACY != 0 {
        return None;
    }
    if memory == bits::ALL_MEMORY {
        memory &= bits::UAV | bits::SHARED;
    }
    if memory & !(bits::UAV | bits::SHARED) != 0 {
        return None;
    }
    let mut mode = 0;
    if memory & bits::SHARED != 0 {
        mode |= 8;
    }
    if memory & bits::UAV != 0 {
        mode |= match semantics {
            s if s & bits::DEVICE_SCOPE != 0 => 2,
            s if s & 2 != 0 => 4,
            _ => 0,
        };
    }
    if semantics & 1 != 0 {
        mode |= 1;
    }
    (mode != 0).then_some(mode)
}
