//! Requirements of barriers: a thread group, work-graph nodes, reordering.

use rtc_dxil_module::{Module, Value};
use rtc_tables::barriers::{memory, mode, semantics};
use rtc_tables::dxil_ops::{DxOp, op};

fn arg(m: &Module, args: &[Value], n: usize) -> Option<u32> {
    Some(m.int_of(*args.get(n)?)? as u32)
}

/// Whether it is a barrier that only threads of a group can wait at.
pub fn needs_group(m: &Module, opcode: DxOp, args: &[Value]) -> bool {
    let grouped = || arg(m, args, 2).is_some_and(|s| s & semantics::GROUP != 0);
    match opcode {
        op::BARRIER => arg(m, args, 1).is_some_and(|said| said != mode::UAV_GLOBAL),
        op::BARRIER_BY_MEMORY_TYPE => {
            let shared = arg(m, args, 1).is_some_and(|t| t != memory::ALL && t & memory::GROUPSHARED != 0);
            shared || grouped()
        }
        op::BARRIER_BY_MEMORY_HANDLE | op::BARRIER_BY_NODE_RECORD_HANDLE => grouped(),
        _ => false,
    }
}

/// Whether it is a barrier of work-graph nodes.
pub fn needs_node(m: &Module, opcode: DxOp, args: &[Value]) -> bool {
    match opcode {
        op::BARRIER_BY_NODE_RECORD_HANDLE => true,
        op::BARRIER_BY_MEMORY_TYPE => arg(m, args, 1).is_some_and(|t| t != memory::ALL && t & memory::NODES != 0),
        _ => false,
    }
}

/// Whether it is a barrier across reorder points.
pub fn needs_reorder(m: &Module, opcode: DxOp, args: &[Value]) -> bool {
    matches!(opcode, op::BARRIER_BY_MEMORY_TYPE | op::BARRIER_BY_MEMORY_HANDLE)
        && arg(m, args, 2).is_some_and(|s| s & semantics::REORDER != 0)
}

/// The mode of the oldest barrier that says the same as a barrier by memory types, if there is one.
pub fn oldest_mode(m: &Module, args: &[Value]) -> Option<u32> {
    const KNOWN: u32 = memory::UAV | memory::GROUPSHARED;
    let (mut types, meaning) = (arg(m, args, 1).unwrap_or(0), arg(m, args, 2).unwrap_or(0));
    if meaning & !semantics::BEFORE_REORDERING != 0 {
        return None;
    }
    if types == memory::ALL {
        types &= KNOWN;
    }
    if types & !KNOWN != 0 {
        return None;
    }
    let mut said = 0;
    if types & memory::GROUPSHARED != 0 {
        said |= mode::GROUPSHARED;
    }
    if types & memory::UAV != 0 {
        said |= match meaning {
            s if s & semantics::DEVICE != 0 => mode::UAV_GLOBAL,
            s if s & semantics::GROUP_SCOPE != 0 => mode::UAV_GROUP,
            _ => 0,
        };
    }
    if meaning & semantics::GROUP_SYNC != 0 {
        said |= mode::GROUP_SYNC;
    }
    (said != 0).then_some(said)
}
