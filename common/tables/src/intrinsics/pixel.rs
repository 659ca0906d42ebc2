//! Functions of pixel shaders. Compute shaders have derivatives since shader model 6.6.

use super::pattern::*;
use super::{Expander, Intrinsic, Lower, Target, free};
use crate::insts::Opcode;
use crate::stages::StageMask;

const fn pixel(name: &'static str, names: &'static str, params: &'static [Param], ret: Pat, lowers: Lower) -> Intrinsic {
    free(name, names, params, ret, StageMask::PS.with_library(), lowers)
}
const fn derivative(name: &'static str, lowers: Lower) -> Intrinsic {
    const X: &[Param] = &[i(FLOATS)];
    free(name, "x", X, T0, StageMask::QUADS.with_library(), lowers).sm(6)
}

/// Why samples of the render target cannot be queried.
const SAMPLES: &str = "SPIR-V has no samples of the render target";

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
    free("IsHelperLane", "", &[], BOOL, StageMask::ALL, Lower::Expand(Expander::IsHelperLane)),
    pixel("clip", "x", &[i(Pat::Num(Shape::Any, Class::Float))], VOID, Lower::Expand(Expander::Clip)),
    pixel("EvaluateAttributeAtSample", "value index", &[i(NUMERIC), i(UINT)], T0, Lower::Expand(Expander::Evaluate(Opcode::eval_sample_index))),
    pixel("EvaluateAttributeCentroid", "value", &[i(NUMERIC)], T0, Lower::Expand(Expander::Evaluate(Opcode::eval_centroid))),
    pixel("EvaluateAttributeSnapped", "value offset", &[i(NUMERIC), i(vec(2, Class::Int))], T0, Lower::Expand(Expander::Evaluate(Opcode::eval_snapped))),
    pixel("GetAttributeAtVertex", "value VertexID", &[i(NUMERIC), i(UINT)], T0, Lower::Expand(Expander::Evaluate(Opcode::attribute_at_vertex))).sm(1),
    pixel("GetRenderTargetSampleCount", "", &[], UINT, Lower::Op(Opcode::render_target_get_sample_count)).missing(Target::Spirv, SAMPLES),
    pixel("GetRenderTargetSamplePosition", "s", &[i(INT)], vec(2, Class::Float), Lower::Op(Opcode::render_target_get_sample_position)).missing(Target::Spirv, SAMPLES),
];
