//! Rules about calls of DXIL operations: where they are allowed.

use super::{Call, Cx, Here};
use rtc_tables::validation::rule;

/// The shader model has the operation.
pub(super) fn shader_model(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let model = (cx.info.model.major as u8, cx.info.model.minor as u8);
    let least = if cx.info.is_library() { call.op.min_sm_in_library } else { call.op.min_sm };
    if model < least {
        let text = format!("{} needs shader model {}.{}, this is {}", call.op.name, least.0, least.1, cx.info.model);
        cx.inst(rule::SM_OPCODE, here, call.inst, text);
    }
}
