// Hits outside the interval of the ray are none.
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
    RayDesc ray = to(TRIANGLE);
    if (thread() & 1) ray.TMax = 9.5 + (thread() & 2 ? 1 : 0); else ray.TMin = 9.5 + (thread() & 2 ? 1 : 0);
    bool hit = (thread() & 1) == ((thread() >> 1) & 1);
    Payload p = fresh();
    dx::HitObject h = trace(ray, p);
    IS(h.IsHit(), hit); ISF(h.GetRayTMin(), ray.TMin); ISF(h.GetRayTCurrent(), hit ? 10 : ray.TMax);
    done(3);
}
