// Whether any-hit shaders run: the ray's flags over the instance's over the geometry's.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint any; uint closest; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { ++p.any; }
[shader("anyhit")] void AnyBox(inout Payload p, in Triangle a) { ++p.any; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { ++p.closest; }
[shader("closesthit")] void ClosestBox(inout Payload p, in Triangle a) { ++p.closest; }
[shader("intersection")] void Intersect() { Triangle a = { float2(0.5, 0.25) }; ReportHit(9, 1, a); }
[shader("miss")] void Miss(inout Payload p) { p.closest = 99; }
TriangleHitGroup Group1 = { "Any", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "AnyBox", "ClosestBox", "Intersect" };

uint trace(uint flags)
{
    Payload p = { 0, 0 };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, to(thread()), p);
    return p.any * 16 + p.closest;
}
[shader("raygeneration")] void Main()
{
    // Places 1, 2, 13 and 14 are not opaque by themselves.
    uint alone = 0x6006 >> thread() & 1;
    IS(trace(0), alone * 16 + 1); IS(trace(RAY_FLAG_FORCE_OPAQUE), 1); IS(trace(RAY_FLAG_FORCE_NON_OPAQUE), 17);
    done(3);
}
