//! Barriers: what they wait for, and where.

use super::*;

/// Bits of the mode of `Barrier`.
mod mode {
    pub const UAV_GLOBAL: u32 = 2;
    pub const UAV_GROUP: u32 = 4;
    pub const GROUPSHARED: u32 = 8;
}

/// Bits of memory types.
mod memory {
    pub const GROUPSHARED: u32 = 2;
    pub const NODES: u32 = 4 | 8;
    /// All of them; what does not apply to the stage is ignored then.
    pub const ALL: u32 = 15;
}

/// Bits of semantics: waiting for the group, and visibility in it.
const GROUP_SEMANTICS: u32 = 1 | 2;
/// All bits of semantics, before 6.9 and since.
const SEMANTICS: [u32; 2] = [7, 15];

/// Whether the function at hand runs in groups, or may.
fn groups(cx: &Cx<'_>) -> bool {
    use ShaderKind::*;
    matches!(cx.instr.stage, Some(Compute | Mesh | Amplification | Node | Library))
}

/// The mode of the old barrier.
pub(super) fn barrier(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let Some(mode) = unsigned(cx, call.args[1]) else {
        return cx.inst(rule::INSTR_OP_CONST, here, call.inst, "the mode of a barrier must be a constant");
    };
    if !groups(cx) {
        if mode != mode::UAV_GLOBAL {
            cx.inst(rule::INSTR_BARRIER_STAGE, here, call.inst, "there are no thread groups here");
        }
        return;
    }
    if mode & mode::UAV_GLOBAL != 0 && mode & mode::UAV_GROUP != 0 {
        cx.inst(rule::INSTR_BARRIER_GROUP, here, call.inst, "the mode names UAVs both as a whole and in the group");
    }
    if mode & (mode::UAV_GLOBAL | mode::UAV_GROUP | mode::GROUPSHARED) == 0 {
        cx.inst(rule::INSTR_BARRIER_MEMORY, here, call.inst, "the mode names no memory");
    }
}

/// The flags of the barriers of 6.8.
pub(super) fn by_flags(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let by_type = call.op.name == "BarrierByMemoryType";
    let semantics = unsigned(cx, call.args[2]);
    flags(cx, here, call, "semantic", semantics, SEMANTICS[usize::from(since(cx, 9))]);
    let mut types = 0;
    if by_type {
        let given = unsigned(cx, call.args[1]);
        flags(cx, here, call, "memory", given, memory::ALL);
        types = given.filter(|&n| n != memory::ALL).unwrap_or(0);
    }
    let library = cx.instr.stage == Some(ShaderKind::Library);
    let node = types & memory::NODES != 0 || call.op.name == "BarrierByNodeRecordHandle";
    if node && !library && cx.instr.stage != Some(ShaderKind::Node) {
        cx.inst(rule::INSTR_BARRIER_NODE, here, call.inst, "there are no node records here");
    }
    let group = types & memory::GROUPSHARED != 0 || semantics.unwrap_or(0) & GROUP_SEMANTICS != 0;
    if group && !groups(cx) {
        cx.inst(rule::INSTR_BARRIER_STAGE, here, call.inst, "there are no thread groups here");
    }
}

fn flags(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, what: &str, given: Option<u32>, all: u32) {
    match given {
        None => {
            let text = format!("the {what} flags must be constants");
            cx.inst(rule::INSTR_BARRIER_CONST, here, call.inst, text);
        }
        Some(n) if n & !all != 0 => {
            let text = format!("there are no {what} flags {:#x}", n & !all);
            cx.inst(rule::INSTR_BARRIER_FLAG, here, call.inst, text);
        }
        Some(_) => {}
    }
}
