//! Rules about ray tracing: acceleration structures, payloads, ray queries.

use super::*;
use rtc_dxil_container::ResourceKind;

/// Rays are traced through an acceleration structure, and no payload holds a hit object.
pub(super) fn scene(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    acceleration_structure(cx, here, call, call.args[1]);
    structure(cx, here, call);
}

/// As [`scene`], of a ray query, which may be undefined: only the operations of [`query`] look at it.
pub(super) fn inline_scene(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    acceleration_structure(cx, here, call, call.args[2]);
}

/// Whether a handle is that of an acceleration structure.
pub(super) fn acceleration_structure(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, value: Value) {
    let kind = handles::of(cx, value).props.kind();
    if kind != ResourceKind::AccelerationStructure {
        let text = format!("rays are not traced through a {kind}");
        cx.inst(rule::INSTR_TRACE_SCENE, here, call.inst, text);
    }
}

/// The structure that a call passes on (payload, attributes, parameter) holds no hit object.
pub(super) fn structure(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let ty = call.args.last().and_then(|&v| cx.ty(here, v)).and_then(|ty| cx.m.types.pointee(ty));
    if ty.is_some_and(|ty| hit_objects::holds(cx, ty)) {
        cx.inst(rule::SER_HIT_OBJECT_MEMORY, here, call.inst, "the structure that is passed on holds a hit object");
    }
}

/// A ray query is defined.
pub(super) fn query(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    if cx.is_undef(call.args[1]) {
        cx.inst(rule::INSTR_UNINITIALIZED, here, call.inst, "the ray query is undefined");
    }
}
