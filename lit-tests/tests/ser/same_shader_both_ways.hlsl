// System values are the same, whichever way a shader was started.
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
#define OWN_CLOSEST_B
#include "Inputs/ser.hlsli"

[shader("closesthit")] void ClosestB(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    TELL(CLOSEST_B);
    p.any = 0;
    p.ids = uint3(InstanceID() + 1000 * InstanceIndex() + 100000 * GeometryIndex() + 1000000 * PrimitiveIndex(), HitKind(), asuint(RayTMin()));
    float3 moved = mul(ObjectToWorld3x4(), float4(1, 2, 3, 1)), back = mul(float4(1, 2, 3, 1), WorldToObject4x3());
    p.attributes = float3(dot(moved, float3(1, 10, 100)), dot(back, float3(1, 10, 100)), dot(WorldRayOrigin(), 3.0) + dot(ObjectRayOrigin(), float3(64, 128, 256)) + ObjectRayDirection().z + a.barycentrics.x);
}

[shader("raygeneration")] void Main()
{
    uint i = thread() & 1 ? TURNED : LAYERS;
    Payload p = fresh(), q = fresh();
    TraceRay(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, 0, 1, 0, to(i), p);
    dx::HitObject h = trace(to(i), q, RAY_FLAG_CULL_BACK_FACING_TRIANGLES);
    dx::HitObject::Invoke(h, q);
    IS(q.who, CLOSEST_B); IS(p.tag, q.tag); IS(p.ids.x, q.ids.x); IS(p.ids.y, q.ids.y); IS(p.ids.z, q.ids.z); IS3(p.attributes, q.attributes); ISF(p.t, q.t);
    IS(q.ids.x, i == TURNED ? 70 + 1000 : 0xabcdef + 4000 + 100000 + 1000000);
    done(10);
}
