//! Rules about hit objects: queries, uses, the operands of reordering, and that they are stored in allocas only.

use super::*;
use rtc_dxil_module::TypeKind;
use rtc_tables::dxil_ops::op;

/// Structures in structures beyond this are not looked into.
const DEPTH: u32 = 32;

fn object(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    if is_nothing(cx.m, call.args[1]) {
        cx.inst(rule::INSTR_UNDEF_HIT_OBJECT, here, call.inst, "the hit object is undefined");
    }
}

fn defined(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, args: &[Value]) {
    if args.iter().any(|&v| cx.is_undef(v)) {
        let text = format!("an argument of {} is undefined", call.op.name);
        cx.inst(rule::INSTR_UNINITIALIZED, here, call.inst, text);
    }
}

/// The hit object and all that comes with it are defined; what is passed on holds no hit object.
pub(super) fn uses(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    object(cx, here, call);
    defined(cx, here, call, &call.args[2..]);
    if matches!(call.op.opcode, op::HIT_OBJECT_INVOKE | op::HIT_OBJECT_ATTRIBUTES) {
        raytracing::structure(cx, here, call);
    }
}

/// Every argument of a trace is defined.
pub(super) fn trace(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    raytracing::acceleration_structure(cx, here, call, call.args[1]);
    defined(cx, here, call, &call.args[2..]);
    raytracing::structure(cx, here, call);
}

/// Query, hit kind and attributes are defined.
pub(super) fn from_query(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    defined(cx, here, call, &call.args[1..]);
    raytracing::structure(cx, here, call);
}

/// Flags and miss index are defined.
pub(super) fn make_miss(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    defined(cx, here, call, &call.args[1..3]);
}

/// The hint of a reordering, if it has one.
pub(super) fn reorder(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let &[_, _, hint, bits] = call.args else { return };
    object(cx, here, call);
    if cx.is_undef(bits) {
        cx.inst(rule::INSTR_REORDER_HINT, here, call.inst, "the number of bits of the hint is undefined");
    } else if cx.int(bits) != Some(0) && cx.is_undef(hint) {
        cx.inst(rule::INSTR_REORDER_HINT, here, call.inst, "the hint is undefined and has bits");
    }
}

/// The offset into the local root table.
pub(super) fn table_constant(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    uses(cx, here, call);
    if let Some(offset) = unsigned(cx, call.args[2])
        && offset % 4 != 0
    {
        let text = format!("offset {offset} is not a multiple of 4");
        cx.inst(rule::INSTR_PARAM_MULTIPLE, here, call.inst, text);
    }
}

/// The component of a vector.
pub(super) fn vector(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    object(cx, here, call);
    index(cx, here, call, 2, "component", 3);
}

/// Row and column of a matrix.
pub(super) fn matrix(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    object(cx, here, call);
    index(cx, here, call, 2, "row", 3);
    index(cx, here, call, 3, "column", 4);
}

fn index(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, n: usize, what: &str, count: u32) {
    match unsigned(cx, call.args[n]) {
        None => cx.inst(rule::INSTR_OP_CONST, here, call.inst, format!("the {what} must be a constant")),
        Some(i) if i >= count => {
            let text = format!("there is no {what} {i} among {count}");
            cx.inst(rule::INSTR_OPERAND_RANGE, here, call.inst, text);
        }
        Some(_) => {}
    }
}

/// Whether a type is or holds a hit object.
pub(super) fn holds(cx: &mut Cx<'_>, ty: Type) -> bool {
    holds_deep(cx, ty, DEPTH)
}

fn holds_deep(cx: &mut Cx<'_>, ty: Type, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    if let Some(&Some(known)) = cx.instr.holds.get(ty.index()) {
        return known;
    }
    cx.instr.holds[ty.index()] = Some(false);
    let m = cx.m;
    let found = match m.types[ty] {
        TypeKind::Array { elem, .. } => holds_deep(cx, elem, depth),
        TypeKind::Struct(_) | TypeKind::Named { .. } => {
            cx.instr.class(ty) == TypeClass::HitObject
                || m.types.fields(ty).is_some_and(|f| f.types.iter().any(|&f| holds_deep(cx, f, depth)))
        }
        _ => false,
    };
    cx.instr.holds[ty.index()] = Some(found);
    found
}

/// A hit object is loaded from and stored to the stack alone.
pub(super) fn access(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst, ty: Type, ptr: Value) {
    if cx.instr.class(ty) != TypeClass::HitObject {
        return;
    }
    let shared = match memory::base(cx.m, here, ptr) {
        Value::Arg(_) => cx.instr.stage != Some(ShaderKind::Library),
        Value::Global(g) => cx.m.globals[g].space == rtc_dxil_module::GROUPSHARED,
        _ => false,
    };
    if shared {
        cx.inst(rule::SER_HIT_OBJECT_MEMORY, here, inst, "a hit object is kept where other shaders or threads see it");
    }
}

/// The payload and the attributes of a shader hold no hit object.
pub(super) fn parameters(cx: &mut Cx<'_>, here: Here<'_>) {
    if matches!(cx.instr.stage, Some(ShaderKind::Library) | None) {
        return;
    }
    let params = cx.m.types.signature(cx.m.funcs[here.func].ty).map_or(&[][..], |s| s.1);
    let held = |&ty: &Type| cx.m.types.pointee(ty).is_some_and(|ty| holds(cx, ty));
    if params.iter().any(held) {
        cx.function(rule::SER_HIT_OBJECT_MEMORY, here.func, "a parameter holds a hit object");
    }
}
