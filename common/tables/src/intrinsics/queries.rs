//! Methods of `RayQuery`: inline ray tracing (DXR specification, "TraceRayInline" and "RayQuery").

use super::objects::Object;
use super::pattern::*;
use super::{Check, Expander as X, Intrinsic, Lower, method};
use crate::insts::Opcode as Op;
use crate::raytracing::QUERY_MODEL;

const fn q(name: &'static str, names: &'static str, params: &'static [Param], ret: Pat, lowers: Lower) -> Intrinsic {
    method(Object::RayQuery, name, names, params, ret, lowers).sm(QUERY_MODEL)
}
/// A query: one instruction without arguments.
const fn get(name: &'static str, ret: Pat, op: Op) -> Intrinsic {
    q(name, "", &[], ret, Lower::Op(op))
}
/// A matrix as it is.
const fn rows(name: &'static str, op: Op) -> Intrinsic {
    q(name, "", &[], mat(3, 4, Class::Float), Lower::Expand(X::Matrix3x4(op)))
}
/// A matrix transposed.
const fn columns(name: &'static str, op: Op) -> Intrinsic {
    q(name, "", &[], mat(4, 3, Class::Float), Lower::Expand(X::Matrix4x3(op)))
}
/// A vertex of a triangle by number, as in earlier versions of the specification.
const fn position(name: &'static str, op: Op) -> Intrinsic {
    q(name, "VertexIndex", VERTEX, FLOAT3, Lower::Expand(X::TrianglePosition(op))).sm(10)
}
/// The vertices of a triangle.
const fn positions(name: &'static str, op: Op) -> Intrinsic {
    q(name, "", &[], Pat::TrianglePositions, Lower::Expand(X::TrianglePositions(op))).sm(10)
}

const VERTEX: &[Param] = &[i(UINT)];
const ACCEL: Param = i(Pat::Object(Object::RaytracingAccelerationStructure));
const FLOAT2: Pat = vec(2, Class::Float);
const FLOAT3: Pat = vec(3, Class::Float);

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    q("TraceRayInline", "AccelerationStructure RayFlags InstanceInclusionMask Ray",
        &[ACCEL, i(UINT), i(UINT), i(Pat::RayDesc)], VOID, Lower::Expand(X::TraceRayInline)).checks(&[Check::RayQueryFlags]).mutates_object(),
    q("CommitProceduralPrimitiveHit", "t", &[i(FLOAT)], VOID, Lower::Op(Op::ray_query_commit_procedural_primitive_hit)).mutates_object(),
    get("Proceed",                                       BOOL,     Op::ray_query_proceed).mutates_object(),
    get("Abort",                                         VOID,     Op::ray_query_abort).mutates_object(),
    get("CommitNonOpaqueTriangleHit",                    VOID,     Op::ray_query_commit_non_opaque_triangle_hit).mutates_object(),
    get("CommittedStatus",                               UINT,     Op::ray_query_committed_status),
    get("CandidateType",                                 UINT,     Op::ray_query_candidate_type),
    get("CandidateProceduralPrimitiveNonOpaque",         BOOL,     Op::ray_query_candidate_procedural_primitive_non_opaque),
    get("RayFlags",                                      UINT,     Op::ray_query_ray_flags),
    get("WorldRayOrigin",                                FLOAT3,   Op::ray_query_world_ray_origin),
    get("WorldRayDirection",                             FLOAT3,   Op::ray_query_world_ray_direction),
    get("RayTMin",                                       FLOAT,    Op::ray_query_ray_tmin),
    get("CandidateTriangleRayT",                         FLOAT,    Op::ray_query_candidate_triangle_ray_t),
    get("CommittedRayT",                                 FLOAT,    Op::ray_query_committed_ray_t),
    get("CandidateTriangleFrontFace",                    BOOL,     Op::ray_query_candidate_triangle_front_face),
    get("CandidateTriangleBarycentrics",                 FLOAT2,   Op::ray_query_candidate_triangle_barycentrics),
    get("CandidateInstanceIndex",                        UINT,     Op::ray_query_candidate_instance_index),
    get("CandidateInstanceID",                           UINT,     Op::ray_query_candidate_instance_id),
    get("CandidateGeometryIndex",                        UINT,     Op::ray_query_candidate_geometry_index),
    get("CandidatePrimitiveIndex",                       UINT,     Op::ray_query_candidate_primitive_index),
    get("CandidateObjectRayOrigin",                      FLOAT3,   Op::ray_query_candidate_object_ray_origin),
    get("CandidateObjectRayDirection",                   FLOAT3,   Op::ray_query_candidate_object_ray_direction),
    get("CandidateInstanceContributionToHitGroupIndex",  UINT,     Op::ray_query_candidate_instance_contribution_to_hit_group_index),
    get("CandidateClusterID",                            UINT,     Op::ray_query_candidate_cluster_id).sm(10),
    rows("CandidateObjectToWorld3x4", Op::ray_query_candidate_object_to_world),
    columns("CandidateObjectToWorld4x3", Op::ray_query_candidate_object_to_world),
    rows("CandidateWorldToObject3x4", Op::ray_query_candidate_world_to_object),
    columns("CandidateWorldToObject4x3", Op::ray_query_candidate_world_to_object),
    positions("CandidateTriangleObjectPositions", Op::ray_query_candidate_triangle_object_position),
    get("CommittedTriangleFrontFace",                    BOOL,     Op::ray_query_committed_triangle_front_face),
    get("CommittedTriangleBarycentrics",                 FLOAT2,   Op::ray_query_committed_triangle_barycentrics),
    get("CommittedInstanceIndex",                        UINT,     Op::ray_query_committed_instance_index),
    get("CommittedInstanceID",                           UINT,     Op::ray_query_committed_instance_id),
    get("CommittedGeometryIndex",                        UINT,     Op::ray_query_committed_geometry_index),
    get("CommittedPrimitiveIndex",                       UINT,     Op::ray_query_committed_primitive_index),
    get("CommittedObjectRayOrigin",                      FLOAT3,   Op::ray_query_committed_object_ray_origin),
    get("CommittedObjectRayDirection",                   FLOAT3,   Op::ray_query_committed_object_ray_direction),
    get("CommittedInstanceContributionToHitGroupIndex",  UINT,     Op::ray_query_committed_instance_contribution_to_hit_group_index),
    get("CommittedClusterID",                            UINT,     Op::ray_query_committed_cluster_id).sm(10),
    rows("CommittedObjectToWorld3x4", Op::ray_query_committed_object_to_world),
    columns("CommittedObjectToWorld4x3", Op::ray_query_committed_object_to_world),
    rows("CommittedWorldToObject3x4", Op::ray_query_committed_world_to_object),
    columns("CommittedWorldToObject4x3", Op::ray_query_committed_world_to_object),
    positions("CommittedTriangleObjectPositions", Op::ray_query_committed_triangle_object_position),
    // Names of earlier versions of the specification.
    get("CandidateClusterId",                            UINT,     Op::ray_query_candidate_cluster_id).sm(10).renamed("CandidateClusterID"),
    get("CommittedClusterId",                            UINT,     Op::ray_query_committed_cluster_id).sm(10).renamed("CommittedClusterID"),
    position("CandidateTriangleObjectPosition", Op::ray_query_candidate_triangle_object_position).renamed("CandidateTriangleObjectPositions"),
    position("CommittedTriangleObjectPosition", Op::ray_query_committed_triangle_object_position).renamed("CommittedTriangleObjectPositions"),
];
