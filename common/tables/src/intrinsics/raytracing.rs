//! Ray-tracing functions (tracing, calling, reporting) and the system values of ray-tracing shaders, with their stages
//! (DXR specification, "Intrinsics" and "System value intrinsics").

use super::objects::Object;
use super::pattern::*;
use super::{Check, Expander as X, Intrinsic, Lower, free};
use crate::insts::Opcode as Op;
use crate::stages::StageMask;

const INTERSECT: StageMask = StageMask::IS.with_library();
const TRACE: StageMask = StageMask::TRACES.with_library();
const CALL: StageMask = StageMask::CALLS.with_library();
const RT: StageMask = StageMask::RT.with_library();
const RAY: StageMask = StageMask::RAY.with_library();
const PRIM: StageMask = StageMask::PRIM.with_library();
const HIT: StageMask = StageMask::HITS.with_library();

/// A system value: one instruction without arguments.
const fn value(name: &'static str, ret: Pat, stages: StageMask, op: Op) -> Intrinsic {
    free(name, "", &[], ret, stages, Lower::Op(op))
}
/// A system value that is a matrix.
const fn matrix(name: &'static str, rows: u8, cols: u8, x: X) -> Intrinsic {
    free(name, "", &[], mat(rows, cols, Class::Float), PRIM, Lower::Expand(x))
}

const ACCEL: Param = i(Pat::Object(Object::RaytracingAccelerationStructure));
const FLOAT3: Pat = vec(3, Class::Float);
const UINT3: Pat = vec(3, Class::Uint);

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    free("TraceRay", "AccelerationStructure RayFlags InstanceInclusionMask RayContributionToHitGroupIndex MultiplierForGeometryContributionToHitGroupIndex MissShaderIndex Ray Payload",
        &[ACCEL, i(UINT), i(UINT), i(UINT), i(UINT), i(UINT), i(Pat::RayDesc), io(UDT)], VOID, TRACE, Lower::Expand(X::TraceRay)).sm(3).checks(&[Check::RayFlags, Check::Payload]),
    free("CallShader", "ShaderIndex Parameter", &[i(UINT), io(UDT)], VOID, CALL, Lower::Expand(X::CallShader)).sm(3).checks(&[Check::CallableParameter]),
    free("ReportHit", "THit HitKind Attributes", &[i(FLOAT), i(UINT), i(UDT)], BOOL, INTERSECT, Lower::Expand(X::ReportHit)).sm(3).checks(&[Check::Attributes]),
    free("IgnoreHit", "", &[], VOID, StageMask::AH, Lower::Expand(X::IgnoreHit)).sm(3).ends_shader(),
    free("AcceptHitAndEndSearch", "", &[], VOID, StageMask::AH, Lower::Expand(X::AcceptHit)).sm(3).ends_shader(),
    value("DispatchRaysIndex",      UINT3,  RT,   Op::dispatch_rays_index).sm(3),
    value("DispatchRaysDimensions", UINT3,  RT,   Op::dispatch_rays_dim).sm(3),
    value("WorldRayOrigin",         FLOAT3, RAY,  Op::world_ray_origin).sm(3),
    value("WorldRayDirection",      FLOAT3, RAY,  Op::world_ray_direction).sm(3),
    value("RayTMin",                FLOAT,  RAY,  Op::ray_tmin).sm(3),
    value("RayTCurrent",            FLOAT,  RAY,  Op::ray_tcurrent).sm(3),
    value("RayFlags",               UINT,   RAY,  Op::ray_flags).sm(3),
    value("ObjectRayOrigin",        FLOAT3, PRIM, Op::object_ray_origin).sm(3),
    value("ObjectRayDirection",     FLOAT3, PRIM, Op::object_ray_direction).sm(3),
    value("InstanceIndex",          UINT,   PRIM, Op::instance_index).sm(3),
    value("InstanceID",             UINT,   PRIM, Op::instance_id).sm(3),
    value("PrimitiveIndex",         UINT,   PRIM, Op::primitive_index).sm(3),
    value("GeometryIndex",          UINT,   PRIM, Op::geometry_index).sm(5),
    value("HitKind",                UINT,   HIT,  Op::hit_kind).sm(3),
    value("ClusterID",              UINT,   HIT,  Op::cluster_id).sm(10),
    free("TriangleObjectPositions", "", &[], Pat::TrianglePositions, HIT, Lower::Expand(X::TrianglePositions(Op::triangle_object_position))).sm(10),
    // Names of earlier versions of the specification.
    value("ClusterId",              UINT,   HIT,  Op::cluster_id).sm(10).renamed("ClusterID"),
    free("TriangleObjectPosition", "VertexIndex", &[i(UINT)], FLOAT3, HIT, Lower::Expand(X::TrianglePosition(Op::triangle_object_position))).sm(10).renamed("TriangleObjectPositions"),
    matrix("ObjectToWorld",    3, 4, X::Matrix3x4(Op::object_to_world)).sm(3),
    matrix("ObjectToWorld3x4", 3, 4, X::Matrix3x4(Op::object_to_world)).sm(3),
    matrix("ObjectToWorld4x3", 4, 3, X::Matrix4x3(Op::object_to_world)).sm(3),
    matrix("WorldToObject",    3, 4, X::Matrix3x4(Op::world_to_object)).sm(3),
    matrix("WorldToObject3x4", 3, 4, X::Matrix3x4(Op::world_to_object)).sm(3),
    matrix("WorldToObject4x3", 4, 3, X::Matrix4x3(Op::world_to_object)).sm(3),
];
