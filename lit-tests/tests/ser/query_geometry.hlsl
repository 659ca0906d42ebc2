// Geometry, primitive, facing and matrices of a committed triangle.
// rtc -T lib_6_9
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_9 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    uint i = 4 + (thread() & 1);
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(i));
    q.Proceed();
    dx::HitObject h = dx::HitObject::FromRayQuery(q);
    IS(h.GetGeometryIndex(), GEOMETRY[i]); IS(h.GetPrimitiveIndex(), PRIMITIVE[i]); IS(h.GetHitKind(), KIND[i]); IS(h.GetInstanceID(), ID[i]);
    IS34(h.GetObjectToWorld3x4(), float4(1, 0, 0, 10.0 * i), float4(0, 1, 0, 0), float4(0, 0, 1, 0));
    IS43(h.GetWorldToObject4x3(), float4(1, 0, 0, -10.0 * i), float4(0, 1, 0, 0), float4(0, 0, 1, 0));
    IS3(h.GetObjectRayOrigin(), float3(0.25, -0.25, -10)); IS(h.GetRayFlags(), RAY_FLAG_FORCE_OPAQUE);
    done(32);
}
