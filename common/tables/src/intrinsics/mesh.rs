//! Functions of mesh and amplification shaders.

use super::pattern::*;
use super::{Check, Expander, Intrinsic, Lower, free};
use crate::insts::Opcode;
use crate::stages::StageMask;

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    free("SetMeshOutputCounts", "numVertices numPrimitives", &[i(UINT), i(UINT)], VOID, StageMask::MESH.with_library(), Lower::Op(Opcode::set_mesh_output_counts)).sm(5),
    free("DispatchMesh", "threadGroupCountX threadGroupCountY threadGroupCountZ meshPayload", &[i(UINT), i(UINT), i(UINT), r(UDT)], VOID, StageMask::AMP.with_library(), Lower::Expand(Expander::DispatchMesh)).sm(5).checks(&[Check::MeshPayload]),
];
