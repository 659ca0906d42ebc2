//! Rules about the modes of barriers and the stages that allow them.

use super::*;
use rtc_tables::barriers::{memory, mode, semantics};
use rtc_tables::dxil_ops::op;

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
    let by_type = call.op.opcode == op::BARRIER_BY_MEMORY_TYPE;
    let meaning = unsigned(cx, call.args[2]);
    let all = if since(cx, 9) { semantics::ALL } else { semantics::BEFORE_REORDERING };
    flags(cx, here, call, "semantic", meaning, all);
    let mut types = 0;
    if by_type {
        let given = unsigned(cx, call.args[1]);
        flags(cx, here, call, "memory", given, memory::ALL);
        types = given.filter(|&n| n != memory::ALL).unwrap_or(0);
    }
    let library = cx.instr.stage == Some(ShaderKind::Library);
    let node = types & memory::NODES != 0 || call.op.opcode == op::BARRIER_BY_NODE_RECORD_HANDLE;
    if node && !library && cx.instr.stage != Some(ShaderKind::Node) {
        cx.inst(rule::INSTR_BARRIER_NODE, here, call.inst, "there are no node records here");
    }
    let group = types & memory::GROUPSHARED != 0 || meaning.unwrap_or(0) & semantics::GROUP != 0;
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
