//! Functions of pixel shaders. Compute shaders have derivatives since shader model 6.6. The others (attribute evaluation,
//! `clip`) have rows so that headers that call them can be checked; an entry point or export that reaches one is an error,
//! so they are never lowered.

use super::pattern::*;
use super::{Expander, Intrinsic, Lower, free};
use crate::insts::Opcode;
use crate::stages::StageMask;

const fn other(name: &'static str, names: &'static str, params: &'static [Param], ret: Pat) -> Intrinsic {
    free(name, names, params, ret, StageMask::LIB, Lower::Op(Opcode::unreachable))
}
const fn derivative(name: &'static str, lowers: Lower) -> Intrinsic {
    const X: &[Param] = &[i(FLOATS)];
    free(name, "x", X, T0, StageMask::QUADS.with_library(), lowers).sm(6)
}

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    derivative("ddx", Lower::Op(Opcode::deriv_coarse_x)),
    derivative("ddx_coarse", Lower::Op(Opcode::deriv_coarse_x)),
    derivative("ddx_fine", Lower::Op(Opcode::deriv_fine_x)),
    derivative("ddy", Lower::Op(Opcode::deriv_coarse_y)),
    derivative("ddy_coarse", Lower::Op(Opcode::deriv_coarse_y)),
    derivative("ddy_fine", Lower::Op(Opcode::deriv_fine_y)),
    derivative("fwidth", Lower::Expand(Expander::Fwidth)),
    free("IsHelperLane", "", &[], BOOL, StageMask::ALL, Lower::Expand(Expander::False)),
    other("clip", "x", &[i(Pat::Num(Shape::Any, Class::Float))], VOID),
    other("EvaluateAttributeAtSample", "value index", &[i(NUMERIC), i(UINT)], T0),
    other("EvaluateAttributeCentroid", "value", &[i(NUMERIC)], T0),
    other("EvaluateAttributeSnapped", "value offset", &[i(NUMERIC), i(vec(2, Class::Int))], T0),
    other("GetAttributeAtVertex", "value VertexID", &[i(NUMERIC), i(UINT)], T0),
    other("GetRenderTargetSampleCount", "", &[], UINT),
    other("GetRenderTargetSamplePosition", "s", &[i(INT)], vec(2, Class::Float)),
];
