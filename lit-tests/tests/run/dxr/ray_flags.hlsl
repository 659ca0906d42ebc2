// RayFlags() is what TraceRay was given, every flag of it, in closest-hit, any-hit and miss shaders.
// rtc -T lib_6_5
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint closest; uint any; uint miss; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.any = RayFlags(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.closest = RayFlags(); }
[shader("miss")] void Miss(inout Payload p) { p.miss = RayFlags(); }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    uint flags = 1u << thread() % 10;
    Payload p = { 0xffff, 0xffff, 0xffff };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, to(1), p);
    // The triangle is not opaque and faces the ray: what culls it, what makes it opaque, what skips the closest-hit shader.
    bool hit = !(flags & (RAY_FLAG_CULL_FRONT_FACING_TRIANGLES | RAY_FLAG_CULL_NON_OPAQUE | RAY_FLAG_SKIP_TRIANGLES));
    IS(p.miss, hit ? 0xffff : flags);
    IS(p.any, hit && flags != RAY_FLAG_FORCE_OPAQUE ? flags : 0xffff);
    IS(p.closest, hit && flags != RAY_FLAG_SKIP_CLOSEST_HIT_SHADER ? flags : 0xffff);
    TraceRay(Scene, flags, 0xff, 0, 0, 0, to(20), p);
    IS(p.miss, flags);
    done(4);
}
