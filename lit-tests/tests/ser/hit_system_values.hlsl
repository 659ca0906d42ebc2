// Every system value of an invoked closest-hit shader but the flags, which have a test of their own (invoked_ray_flags.hlsl).
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
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_CLOSEST_B
#include "Inputs/ser.hlsli"

[shader("closesthit")] void ClosestB(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    TELL(CLOSEST_B);
    p.any = 0;
    p.ids = uint3(InstanceID() + 1000 * InstanceIndex() + 100000 * GeometryIndex() + 1000000 * PrimitiveIndex(), HitKind() + 1000 * DispatchRaysIndex().x, asuint(RayTMin()));
    float3 moved = mul(ObjectToWorld3x4(), float4(1, 2, 3, 1)), back = mul(float4(1, 2, 3, 1), WorldToObject4x3());
    p.attributes = float3(dot(moved, float3(1, 10, 100)), dot(back, float3(1, 10, 100)),
        WorldRayOrigin().x + WorldRayOrigin().y * 10 + dot(ObjectRayOrigin(), float3(64, 128, 256)) + ObjectRayDirection().z * 1024 + WorldRayDirection().z * 2048);
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, 0, 1, 0, to(TURNED), p);
    dx::HitObject::Invoke(h, p);
    IS(p.who, CLOSEST_B); IS(p.tag, 101); ISF(p.t, 13); IS(p.count, 1);
    // A sum for each kind of value, its parts scaled apart.
    IS(p.ids.x, 70 + 1000 * 1); IS(p.ids.y, 254 + 1000 * thread()); IS(p.ids.z, 0x3f000000);
    IS3(p.attributes, float3(6 + 3 * 10 + 15 * 100, 0.5 + 4.5 * 10, 10.25 + 0.75 * 10 - 0.125 * 64 - 0.125 * 128 - 3.25 * 256 + 0.25 * 1024 + 2048));
    done(10);
}
