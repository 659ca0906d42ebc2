//! Rules about atomic instructions on memory and atomic operations on resources.

use super::*;

/// An atomic instruction changes groupshared memory (or a node record) that is no constant.
pub(super) fn inst(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    let (Op::AtomicRmw { ptr, .. } | Op::CmpXchg { ptr, .. }) = here.body.insts[inst].op else { return };
    let space = cx.ty(here, ptr).and_then(|ty| memory::pointer(cx.m, ty)).map(|p| p.1);
    if !matches!(space, Some(rtc_dxil_module::GROUPSHARED | memory::NODE_RECORD)) {
        let text = "the address is not one of groupshared memory";
        cx.inst(rule::INSTR_ATOMIC_MEMORY, here, inst, text);
    }
    if let Value::Global(g) = memory::base(cx.m, here, ptr)
        && cx.m.globals[g].constant
    {
        let text = format!("'{}' is constant", cx.m.globals[g].name.escape_debug());
        cx.inst(rule::INSTR_ATOMIC_CONST, here, inst, text);
    }
}

/// An atomic operation changes a UAV.
pub(super) fn call(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    if handles::of(cx, call.args[1]).props.class() == Some(ResourceClass::Uav) {
        return;
    }
    cx.inst(rule::INSTR_ATOMIC_UAV, here, call.inst, "the resource is no UAV");
}
