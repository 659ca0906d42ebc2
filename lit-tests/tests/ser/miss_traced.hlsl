// A ray that finds nothing: the miss index of the call, the TMax of the ray.
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
    uint index = thread() & 3;
    Payload p = fresh();
    dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_CULL_FRONT_FACING_TRIANGLES, 0xff, 0, 1, index, to(NOTHING), p);
    IS(h.IsMiss(), 1); IS(h.IsHit(), 0); IS(h.IsNop(), 0); IS(h.GetShaderTableIndex(), index); ISF(h.GetRayTCurrent(), 100);
    IS(h.GetRayFlags(), RAY_FLAG_CULL_FRONT_FACING_TRIANGLES); IS3(h.GetObjectRayOrigin(), float3(80.25, -0.25, -10)); IS(h.GetInstanceID(), 0);
    IS(p.count, 0);
    dx::HitObject::Invoke(h, p);
    IS(p.who, index & 1 ? MISS_B : MISS_A); IS(p.tag, 200 + index); IS(p.count, 1); ISF(p.t, 100);
    done(15);
}
