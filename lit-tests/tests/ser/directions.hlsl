// Directions of any length and sign: distances are multiples of them.
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
    RayDesc ray = { float3(0.25, -0.25, thread() & 1 ? 8 : -8), 0, float3(0, 0, thread() & 1 ? -2 : 0.5), 100 };
    Payload p = fresh();
    dx::HitObject h = trace(ray, p);
    dx::HitObject::Invoke(h, p);
    ISF(h.GetRayTCurrent(), thread() & 1 ? 4 : 16); IS(h.GetHitKind(), thread() & 1 ? 255 : 254); IS3(h.GetWorldRayDirection(), ray.Direction); ISF(p.t, thread() & 1 ? 4 : 16);
    IS(p.attributes.z, thread() & 1 ? 255 : 254); IS3(h.GetObjectRayOrigin(), ray.Origin);
    done(10);
}
