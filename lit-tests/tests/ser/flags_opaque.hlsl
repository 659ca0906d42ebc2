// Forcing geometry to be opaque or not decides whether any-hit shaders run.
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
    Payload p = fresh(IGNORE_ALL);
    dx::HitObject h = trace(to(VEIL), p, thread() & 1 ? RAY_FLAG_FORCE_OPAQUE : RAY_FLAG_NONE);
    IS(h.IsHit(), thread() & 1); IS(p.any, thread() & 1 ? 0 : 3); IS(h.GetRayFlags(), thread() & 1);
    p = fresh(IGNORE_ALL);
    h = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_NON_OPAQUE, 0xff, 2, 0, 0, to(TRIANGLE), p);
    IS(h.IsMiss(), 1); IS(p.any, 1); IS(h.GetRayFlags(), RAY_FLAG_FORCE_NON_OPAQUE);
    done(6);
}
