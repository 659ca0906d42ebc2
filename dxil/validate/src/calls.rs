//! Rules about the stages and shader models in which DXIL operations are allowed.

use super::{Call, Cx, Here};
use rtc_dxil_container::{ShaderKind, Version};
use rtc_dxil_module::{Op, TypeKind, Value};
use rtc_tables::dxil_ops::{flag, op};
use rtc_tables::validation::rule;

/// The stage of a function: that of its entry, or `Library` for one that is called.
fn stage(cx: &Cx<'_>, here: Here<'_>) -> ShaderKind {
    if !cx.info.is_library() {
        return cx.info.kind;
    }
    cx.stage_of(here.func)
}

/// The shader model and the stage have the operation.
pub(super) fn shader_model(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let model = (cx.info.model.major as u8, cx.info.model.minor as u8);
    let row = call.op;
    let kind = stage(cx, here);
    let least = if kind == ShaderKind::Library { row.min_sm_in_library } else { row.min_sm };
    if model < least {
        let text = format!("{} needs shader model {}.{}, this is {}", row.name, least.0, least.1, cx.info.model);
        cx.inst(rule::SM_OPCODE, here, call.inst, text);
    } else if u32::from(row.stages) & kind.bit() == 0 {
        let text = format!("{} cannot be called in a {kind} {}", row.name, if kind == ShaderKind::Library { "function" } else { "shader" });
        cx.inst(rule::SM_OPCODE, here, call.inst, text);
    }
}

/// Operations whose form belongs to a profile, and types that came later than the operation.
pub(super) fn form(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let row = call.op;
    let before = |minor: u32| cx.info.model < Version::new(6, minor);
    let of_64_bits = || {
        let ty = cx.m.types.signature(cx.m.funcs[call.callee].ty).map(|s| s.0)?;
        let value = call.args.iter().skip(2).filter_map(|&a| cx.ty(here, a));
        let wide = |ty| matches!(cx.m.types[cx.m.types.scalar(ty)], TypeKind::Int(64) | TypeKind::Double);
        let fields = cx.m.types.fields(ty).map_or(ty, |f| f.types.first().copied().unwrap_or(ty));
        Some(wide(fields) || value.into_iter().any(wide))
    };
    let (rule, text) = match row.opcode {
        op::CREATE_HANDLE if cx.info.is_library() => (rule::SM_OPCODE_FUNCTION, "CreateHandle in a library"),
        op::CREATE_HANDLE if !before(6) => (rule::SM_OPCODE_FUNCTION, "CreateHandle after shader model 6.5"),
        op::CREATE_HANDLE_FOR_LIB if !cx.info.is_library() => (rule::SM_OPCODE_FUNCTION, "CreateHandleForLib outside of a library"),
        op::ATOMIC_BIN_OP | op::ATOMIC_COMPARE_EXCHANGE if before(6) && of_64_bits() == Some(true) => {
            (rule::SM_OPCODE_FUNCTION, "a 64-bit atomic operation before shader model 6.6")
        }
        op::RAW_BUFFER_LOAD | op::RAW_BUFFER_STORE if before(3) && of_64_bits() == Some(true) => {
            (rule::SM_RAW_64_BIT, "a raw access of 64-bit values before shader model 6.3")
        }
        op::IS_NAN | op::IS_INF | op::IS_FINITE | op::IS_NORMAL if before(9) && is_half(cx, here, call.args) => {
            (rule::SM_SPECIAL_FLOAT, "classification of 16-bit floats requires shader model 6.9")
        }
        _ if row.flags & (flag::GRADIENT | flag::DERIV) != 0
            && before(6)
            && matches!(cx.info.kind, ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification) =>
        {
            (rule::SM_OPCODE_FUNCTION, "derivatives of a compute shader before shader model 6.6")
        }
        _ => return,
    };
    cx.inst(rule, here, call.inst, text);
}

fn is_half(cx: &Cx<'_>, here: Here<'_>, args: &[Value]) -> bool {
    let ty = args.get(1).and_then(|&a| cx.ty(here, a));
    ty.is_some_and(|ty| cx.m.types[cx.m.types.scalar(ty)] == TypeKind::Half)
}

/// Groupshared 64-bit atomics come with shader model 6.6.
pub(super) fn atomics(cx: &mut Cx<'_>, here: Here<'_>, inst: rtc_dxil_module::Inst) {
    let (Op::AtomicRmw { ptr, .. } | Op::CmpXchg { ptr, .. }) = here.body.insts[inst].op else { return };
    let to = cx.ty(here, ptr).and_then(|ty| cx.m.types.pointee(ty));
    if cx.info.model < Version::new(6, 6) && to.is_some_and(|ty| cx.m.types[ty] == TypeKind::Int(64)) {
        cx.inst(rule::SM_OPCODE_FUNCTION, here, inst, "a 64-bit atomic operation before shader model 6.6");
    }
}
