// A hit that an intersection shader reported.
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
    Payload p = fresh();
    dx::HitObject h = trace(to(BOXES), p);
    IS(h.IsHit(), 1); IS(h.GetHitKind(), 10); ISF(h.GetRayTCurrent(), 9); IS(h.GetPrimitiveIndex(), 0); IS(h.GetGeometryIndex(), 0); IS(h.GetInstanceID(), 7000);
    IS3(h.GetObjectRayOrigin(), float3(0.25, -0.25, -10)); ISF(h.GetObjectToWorld3x4()[0].w, 30);
    done(10);
}
