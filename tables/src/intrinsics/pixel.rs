//! Functions of stages that are not compiled: derivatives, attribute evaluation, `clip`. They are known so that headers that mention them
//! can be checked; a compiled entry point or export that reaches one is an error, so nothing lowers them.

use super::pattern::*;
use super::{Intrinsic, Lower, free};
use crate::insts::Opcode;
use crate::stages::StageMask;

const fn other(
    name: &'static str,
    names: &'static str,
    params: &'static [Param],
    ret: Pat,
) -> Intrinsic {
    free(
        name,
        names,
        params,
        ret,
        StageMask::LIB,
        Lower::Op(Opcode::unreachable),
    )
}
const fn derivative(name: &'static str) -> Intrinsic {
    other(name, "x", const { &[i(FLOATS)] }, T0)
}

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    derivative("ddx"),
    derivative("ddx_coarse"),
    derivative("ddx_fine"),
    derivative("ddy"),
    derivative("ddy_coarse"),
    derivative("ddy_fine"),
    derivative("fwidth"),
    other("clip", "x", &[i(Pat::Num(Shape::Any, Class::Float))], VOID),
    other("EvaluateAttributeAtSample", "value index", &[i(NUMERIC), i(UINT)], T0),
    other("EvaluateAttributeCentroid", "value", &[i(NUMERIC)], T0),
    other("EvaluateAttributeSnapped", "value offset", &[i(NUMERIC), i(vec(2, Class::Int))], T0),
    other("GetAttributeAtVertex", "value VertexID", &[i(NUMERIC), i(UINT)], T0),
    other("GetRenderTargetSampleCount", "", &[], UINT),
    other("GetRenderTargetSamplePosition", "s", &[i(INT)], vec(2, Class::Float)),
];
