//! Rules about the result structures of operations, in particular those of `getDimensions`.

use super::*;
use rtc_dxil_container::ResourceKind;

/// A field is taken out of the result of an operation or a compare-exchange, and one that there is.
pub(super) fn extract(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    let Op::ExtractValue { value, path } = here.body.insts[inst].op else { return };
    let class = cx.ty(here, value).map_or(TypeClass::Other, |ty| cx.instr.class(ty));
    let exchange = matches!(value, Value::Inst(i) if matches!(here.body.insts[i].op, Op::CmpXchg { .. }));
    if !exchange && !class.is_builtin() {
        cx.inst(rule::INSTR_EXTRACT_VALUE, here, inst, "the structure is not the result of an operation");
    }
    if class == TypeClass::Dimensions
        && let Value::Inst(i) = value
        && let Some(call) = cx.call(here.body, i)
        && call.args.len() > 1
    {
        let kind = handles::of(cx, call.args[1]).props.kind();
        if let Some(&n @ 0..=3) = here.body.path(path).first()
            && !has_dimension(kind, n)
        {
            let text = format!("component {n} of the dimensions of a {kind} is undefined");
            cx.inst(rule::INSTR_GET_DIM_RESULT, here, inst, text);
        }
    }
}

/// Whether component `n` of the result means something; 3 is the number of mip levels or samples.
fn has_dimension(kind: ResourceKind, n: u32) -> bool {
    use ResourceKind::*;
    match kind {
        Texture1D => n == 0 || n == 3,
        Texture1DArray | Texture2D | Texture2DMS | TextureCube => n != 2,
        StructuredBuffer | RawBuffer | TypedBuffer | TBuffer => n == 0,
        _ => true,
    }
}

/// The result structure of `getDimensions` is an operand of `extractvalue`, phis and stores only.
pub(super) fn users(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    let op = &here.body.insts[inst].op;
    if !cx.instr.dimensions || matches!(op, Op::ExtractValue { .. } | Op::Phi(_) | Op::Store { .. }) {
        return;
    }
    let mut wrong = false;
    here.body.op_operands(op, |value| {
        if let Value::Inst(i) = value {
            wrong |= cx.instr.class(here.body.insts[i].ty) == TypeClass::Dimensions;
        }
    });
    if wrong {
        cx.inst(rule::INSTR_DXIL_STRUCT_USER, here, inst, "dimensions are used as a whole");
    }
}

/// What has dimensions, and whether it has mip levels.
pub(super) fn get_dimensions(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    use ResourceKind::*;
    let kind = handles::of(cx, call.args[1]).props.kind();
    match kind {
        StructuredBuffer | RawBuffer | TypedBuffer | TBuffer => {
            if !cx.is_undef(call.args[2]) {
                cx.inst(rule::INSTR_GET_DIM_MIP, here, call.inst, format!("a {kind} has no mip levels"));
            }
        }
        _ if kind.is_texture() => {}
        _ => cx.inst(rule::INSTR_GET_DIM_KIND, here, call.inst, format!("a {kind} has no dimensions")),
    }
}
