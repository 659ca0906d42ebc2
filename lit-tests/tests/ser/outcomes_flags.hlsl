// Hit objects that are queried only for hit or miss, and any-hit shaders that ask for the flags: they are those of the call.
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
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -O1
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_ANY_HIT
#include "Inputs/ser.hlsli"

[shader("anyhit")] void AnyHit(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    p.any = RayFlags();
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    IS(trace(to(VEIL), p).IsHit(), 1); IS(p.any, 0);
    p = fresh();
    IS(trace(to(VEIL), p, RAY_FLAG_CULL_OPAQUE).IsHit(), 1); IS(p.any, RAY_FLAG_CULL_OPAQUE);
    p = fresh();
    IS(trace(to(VEIL), p, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER).IsHit(), 1); IS(p.any, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER);
    done(6);
}
