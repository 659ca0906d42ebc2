//! Rules about loads and stores of buffers, constant buffers and counters.

use super::*;
use rtc_dxil_container::ResourceKind;
use rtc_tables::dxil_ops::op;
use rtc_tables::validation::Rule;

/// The place of an argument by the name in the row.
pub(super) fn arg(call: Call<'_>, name: &str) -> Option<Value> {
    let n = call.op.params.iter().position(|p| p.0 == name)?;
    call.args.get(n + 1).copied()
}

/// Loads of all kinds of buffers.
pub(super) fn load(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let props = handles::of(cx, call.args[1]).props;
    if !matches!(props.class(), Some(ResourceClass::Srv | ResourceClass::Uav)) {
        return cx.inst(rule::INSTR_LOAD_CLASS, here, call.inst, "the resource is neither SRV nor UAV");
    }
    place(cx, here, call);
}

/// Stores of up to four components.
pub(super) fn store(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    if !to_uav(cx, here, call) {
        return;
    }
    let kind = handles::of(cx, call.args[1]).props.kind();
    let typed = matches!(kind, ResourceKind::TypedBuffer | ResourceKind::TBuffer) && call.op.opcode == op::BUFFER_STORE;
    masks(cx, here, call, typed);
    place(cx, here, call);
}

/// Stores of a vector.
pub(super) fn store_vector(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    if !to_uav(cx, here, call) {
        return;
    }
    if arg(call, "value0").is_some_and(|v| cx.is_undef(v)) {
        cx.inst(rule::INSTR_STORE_UNDEF, here, call.inst, "the value is undefined");
    }
    place(cx, here, call);
}

/// Whether the resource of a store is a UAV.
pub(super) fn to_uav(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) -> bool {
    let is = handles::of(cx, call.args[1]).props.class() == Some(ResourceClass::Uav);
    if !is {
        cx.inst(rule::INSTR_STORE_CLASS, here, call.inst, "the resource is no UAV");
    }
    is
}

/// The mask of a store against what it stores.
pub(super) fn masks(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, typed: bool) {
    let Some(mask) = arg(call, "mask").and_then(|v| unsigned(cx, v)) else {
        return cx.inst(rule::INSTR_OP_CONST, here, call.inst, "the mask must be a constant");
    };
    let mask = mask & 0xFF;
    let first = call.op.params.iter().position(|p| p.0 == "value0").map_or(1, |n| n + 1);
    let values = call.args.get(first..first + 4).unwrap_or_default();
    let given: u32 = (0..).zip(values).filter(|(_, v)| !cx.is_undef(**v)).map(|(n, _)| 1 << n).sum();
    let gap = !matches!(mask, 1 | 3 | 7 | 15);
    if typed && mask != 15 {
        cx.inst(rule::INSTR_TYPED_STORE_MASK, here, call.inst, format!("mask {mask:#x} is not all four components"));
    }
    if gap {
        cx.inst(rule::INSTR_STORE_MASK_GAP, here, call.inst, format!("mask {mask:#x} has a gap"));
    }
    if mask & !given != 0 {
        let text = format!("mask is {mask:#x}, values are given for {given:#x}");
        cx.inst(rule::INSTR_STORE_UNDEF, here, call.inst, text);
    } else if mask != given {
        let text = format!("mask is {mask:#x}, values are given for {given:#x}");
        cx.inst(rule::INSTR_STORE_MASK_MATCH, here, call.inst, text);
    }
}

/// The place in a buffer, and the alignment.
fn place(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let raw = call.op.function.starts_with("rawBuffer");
    if raw && arg(call, "alignment").is_some_and(|v| cx.int(v).is_none()) {
        cx.inst(rule::INSTR_RAW_ALIGN, here, call.inst, "the alignment must be a constant");
    }
    let inner = call.args[3];
    let given = !cx.is_undef(inner);
    let wrong: Option<(&Rule, _)> = match handles::of(cx, call.args[1]).props.kind() {
        ResourceKind::RawBuffer => given.then_some((rule::INSTR_RAW_COORD, "a raw buffer has no second coordinate")),
        ResourceKind::TypedBuffer | ResourceKind::TBuffer if !raw => {
            given.then_some((rule::INSTR_RAW_COORD, "a typed buffer has no second coordinate"))
        }
        ResourceKind::StructuredBuffer => (!given).then_some((rule::INSTR_STRUCT_COORD, "the offset in the element is undefined")),
        _ => Some((rule::INSTR_BUFFER_KIND, "the resource is no buffer of this kind")),
    };
    if let Some((rule, text)) = wrong {
        cx.inst(rule, here, call.inst, text);
    }
}

/// Loads from constant buffers.
pub(super) fn constants(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let props = handles::of(cx, call.args[1]).props;
    if props.class() != Some(ResourceClass::Cbv) {
        return cx.inst(rule::INSTR_CBUFFER_CLASS, here, call.inst, "the resource is no constant buffer");
    }
    let Some(place) = unsigned(cx, call.args[2]) else { return };
    let at = if call.op.opcode == op::CBUFFER_LOAD { u64::from(place) } else { u64::from(place) * 16 };
    if props.size() > 0 && at >= u64::from(props.size()) {
        let text = format!("byte {at} of a buffer of {} bytes", props.size());
        cx.inst(rule::INSTR_CBUFFER_BOUNDS, here, call.inst, text);
    }
}

/// Counters rise or fall, by a constant, on buffers that have one.
pub(super) fn counter(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let handle = handles::of(cx, call.args[1]);
    if !handle.props.is_uav() {
        return cx.inst(rule::INSTR_COUNTER_UAV, here, call.inst, "the resource is no UAV");
    }
    if !handle.props.comparison_or_counter() {
        return cx.inst(rule::INSTR_COUNTER_HAS, here, call.inst, "the buffer has no counter");
    }
    let Some(step) = cx.int(call.args[2]) else {
        return cx.inst(rule::INSTR_OP_CONST, here, call.inst, "the step of a counter must be a constant");
    };
    if handle.range != 0 && *cx.instr.counters.entry(handle.range).or_insert(step == 1) != (step == 1) {
        cx.inst(rule::INSTR_COUNTER_ONE_WAY, here, call.inst, "elsewhere the counter goes the other way");
    }
}
