// System values of a miss shader that is invoked.
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
#define OWN_MISS_A
#include "Inputs/ser.hlsli"

[shader("miss")] void MissA(inout Payload p)
{
    TELL(MISS_A);
    p.any = 0;
    p.attributes = WorldRayOrigin();
    p.ids = uint3(WorldRayDirection().y, asuint(RayTMin()), DispatchRaysIndex().x + 100 * DispatchRaysDimensions().x);
}

[shader("raygeneration")] void Main()
{
    RayDesc ray = { float3(1, 2, 3 + thread()), 0.25, float3(0, 3, 0), 70 };
    Payload p = fresh();
    dx::HitObject::Invoke(dx::HitObject::MakeMiss(RAY_FLAG_CULL_NON_OPAQUE, 0, ray), p);
    IS(p.tag, 200); ISF(p.t, 70); IS3(p.attributes, float3(1, 2, 3 + thread()));
    IS(p.ids.x, 3); IS(p.ids.y, 0x3e800000); IS(p.ids.z, thread() + 100 * 16);
    done(8);
}
