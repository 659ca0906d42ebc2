//! Rules about the flags of ray queries: they are constant and do not contradict each other.

use crate::{Call, Cx, Here};
use rtc_dxil_module::Value;
use rtc_tables::dxil_ops::op;
use rtc_tables::ray_flags;
use rtc_tables::validation::rule;

const FORCE_OMM_2_STATE: i64 = ray_flags::FORCE_2_STATE as i64;
const ALLOW_OPACITY_MICROMAPS: i64 = ray_flags::QUERY_ALLOWS_MICROMAPS as i64;

/// `AllocateRayQuery` and `AllocateRayQuery2`.
pub(crate) fn allocate(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let constant = |n: usize| matches!(call.args.get(n), Some(Value::Const(_)));
    match call.op.opcode {
        op::ALLOCATE_RAY_QUERY if !constant(1) => {
            cx.inst(rule::DECL_RAY_QUERY_FLAGS, here, call.inst, "makes a ray query with ray flags that are no constant");
        }
        op::ALLOCATE_RAY_QUERY_2 if !constant(1) || !constant(2) => {
            cx.inst(rule::DECL_RAY_QUERY_2_FLAGS, here, call.inst, "makes a ray query with flags that are no constants");
        }
        op::ALLOCATE_RAY_QUERY_2 => {
            let (ray, query) = (cx.int(call.args[1]).unwrap_or(0), cx.int(call.args[2]).unwrap_or(0));
            if ray & FORCE_OMM_2_STATE != 0 && query & ALLOW_OPACITY_MICROMAPS == 0 {
                let text = "forces micromaps to two states and does not allow micromaps";
                cx.inst(rule::DECL_RAY_QUERY_MICROMAPS, here, call.inst, text);
            }
        }
        _ => {}
    }
}
