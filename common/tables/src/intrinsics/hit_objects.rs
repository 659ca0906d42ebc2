//! `dx::HitObject` and `dx::MaybeReorderThread`: shader execution reordering (DXR specification, "Shader Execution Reordering").
//!
//! Where the specification and the reference compiler differ in a name, both have a row.

use super::objects::Object;
use super::pattern::*;
use super::{Check, Expander as X, Intrinsic, Lower, Scope, dx};
use crate::insts::Opcode as Op;
use crate::raytracing::HIT_OBJECT_MODEL;
use crate::stages::StageMask;

const TRACE: StageMask = StageMask::TRACES.with_library();
const RG: StageMask = StageMask::RG.with_library();

/// A static or non-static method of the type.
const fn row(scope: Scope, name: &'static str, names: &'static str, params: &'static [Param], ret: Pat, lowers: Lower) -> Intrinsic {
    Intrinsic::new(scope, name, names, params, ret, TRACE, lowers).sm(HIT_OBJECT_MODEL)
}
const fn make(name: &'static str, names: &'static str, params: &'static [Param], ret: Pat, lowers: Lower) -> Intrinsic {
    row(Scope::Static(Object::HitObject), name, names, params, ret, lowers)
}
const fn of(name: &'static str, names: &'static str, params: &'static [Param], ret: Pat, lowers: Lower) -> Intrinsic {
    row(Scope::Method(Object::HitObject), name, names, params, ret, lowers)
}
/// A query: one instruction without arguments.
const fn get(name: &'static str, ret: Pat, op: Op) -> Intrinsic {
    of(name, "", &[], ret, Lower::Op(op))
}
/// A matrix as it is, or transposed.
const fn matrix(name: &'static str, rows: u8, cols: u8, x: X) -> Intrinsic {
    of(name, "", &[], mat(rows, cols, Class::Float), Lower::Expand(x))
}
const fn reorder(names: &'static str, params: &'static [Param], x: X) -> Intrinsic {
    dx("MaybeReorderThread", names, params, VOID, RG, Lower::Expand(x)).sm(HIT_OBJECT_MODEL)
}

/// The initialiser of a variable that is declared without one.
pub const MAKE_NOP: &Intrinsic = &NOP;
const NOP: Intrinsic = make("MakeNop", "", &[], HIT, Lower::Op(Op::hit_make_nop));

const ACCEL: Param = i(Pat::Object(Object::RaytracingAccelerationStructure));
const QUERY: Param = i(Pat::Object(Object::RayQuery));
const HIT: Pat = Pat::Object(Object::HitObject);
const FLOAT3: Pat = vec(3, Class::Float);

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    make("TraceRay", "AccelerationStructure RayFlags InstanceInclusionMask RayContributionToHitGroupIndex MultiplierForGeometryContributionToHitGroupIndex MissShaderIndex Ray Payload",
        &[ACCEL, i(UINT), i(UINT), i(UINT), i(UINT), i(UINT), i(Pat::RayDesc), io(UDT)], HIT, Lower::Expand(X::HitTrace)).checks(&[Check::RayFlags, Check::Payload]),
    make("FromRayQuery", "Query", &[QUERY], HIT, Lower::Op(Op::hit_from_query)),
    make("FromRayQuery", "Query CommittedCustomHitKind CommittedCustomAttribs", &[QUERY, i(UINT), i(UDT)], HIT, Lower::Expand(X::HitFromQuery)).checks(&[Check::Attributes]),
    make("MakeMiss", "RayFlags MissShaderIndex Ray", &[i(UINT), i(UINT), i(Pat::RayDesc)], HIT, Lower::Expand(X::HitMiss)),
    NOP,
    make("Invoke", "HitOrMiss Payload", &[i(HIT), io(UDT)], VOID, Lower::Expand(X::HitInvoke)).checks(&[Check::Payload]),
    get("IsMiss",                BOOL,   Op::hit_is_miss),
    get("IsHit",                 BOOL,   Op::hit_is_hit),
    get("IsNop",                 BOOL,   Op::hit_is_nop),
    get("GetRayFlags",           UINT,   Op::hit_get_ray_flags),
    get("GetRayTMin",            FLOAT,  Op::hit_get_ray_tmin),
    get("GetRayTCurrent",        FLOAT,  Op::hit_get_ray_tcurrent),
    get("GetWorldRayOrigin",     FLOAT3, Op::hit_get_world_ray_origin),
    get("GetWorldRayDirection",  FLOAT3, Op::hit_get_world_ray_direction),
    get("GetObjectRayOrigin",    FLOAT3, Op::hit_get_object_ray_origin),
    get("GetObjectRayDirection", FLOAT3, Op::hit_get_object_ray_direction),
    matrix("GetObjectToWorld3x4", 3, 4, X::Matrix3x4(Op::hit_get_object_to_world)),
    matrix("GetObjectToWorld4x3", 4, 3, X::Matrix4x3(Op::hit_get_object_to_world)),
    matrix("GetWorldToObject3x4", 3, 4, X::Matrix3x4(Op::hit_get_world_to_object)),
    matrix("GetWorldToObject4x3", 4, 3, X::Matrix4x3(Op::hit_get_world_to_object)),
    get("GetGeometryIndex",      UINT,   Op::hit_get_geometry_index),
    get("GetInstanceIndex",      UINT,   Op::hit_get_instance_index),
    get("GetInstanceID",         UINT,   Op::hit_get_instance_id),
    get("GetPrimitiveIndex",     UINT,   Op::hit_get_primitive_index),
    get("GetHitKind",            UINT,   Op::hit_get_kind),
    get("GetShaderTableIndex",   UINT,   Op::hit_get_shader_table_index),
    of("GetAttributes", "", &[], Pat::UdtT, Lower::Expand(X::HitAttributes)).checks(&[Check::ReturnsAttributes]),
    of("GetAttributes", "Attributes", &[o(UDT)], VOID, Lower::Expand(X::HitAttributes)).checks(&[Check::Attributes]),
    of("SetShaderTableIndex", "RecordIndex", &[i(UINT)], VOID, Lower::Expand(X::HitSetIndex)).mutates_object(),
    of("LoadLocalRootTableConstant", "RootConstantOffsetInBytes", &[i(UINT)], UINT, Lower::Op(Op::hit_load_root_constant)),
    of("LoadLocalRootArgumentsConstant", "RootConstantOffsetInBytes", &[i(UINT)], UINT, Lower::Op(Op::hit_load_root_constant)),
    get("GetClusterID",          UINT,   Op::hit_get_cluster_id).sm(10),
    of("TriangleObjectPositions", "", &[], Pat::TrianglePositions, Lower::Expand(X::TrianglePositions(Op::hit_triangle_object_position))).sm(10),
    reorder("HitOrMiss", &[i(HIT)], X::Reorder { hit: true, hint: false }),
    reorder("CoherenceHint NumCoherenceHintBitsFromLSB", &[i(UINT), i(UINT)], X::Reorder { hit: false, hint: true }),
    reorder("HitOrMiss CoherenceHint NumCoherenceHintBitsFromLSB", &[i(HIT), i(UINT), i(UINT)], X::Reorder { hit: true, hint: true }),
];
