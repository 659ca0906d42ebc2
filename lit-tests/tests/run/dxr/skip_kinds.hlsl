// SKIP_TRIANGLES and SKIP_PROCEDURAL_PRIMITIVES, with which CULL_DISABLE of an instance has nothing to do.
// rtc -T lib_6_5
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint hit; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.hit = 1; }
[shader("closesthit")] void ClosestBox(inout Payload p, in Triangle a) { p.hit = 2; }
[shader("intersection")] void Intersect() { Triangle a = { float2(0.5, 0.25) }; ReportHit(9, 1, a); }
[shader("miss")] void Miss(inout Payload p) { p.hit = 0; }
TriangleHitGroup Group1 = { "", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

uint trace(uint flags)
{
    Payload p = { 99 };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, to(thread()), p);
    return p.hit;
}
[shader("raygeneration")] void Main()
{
    bool box = thread() >= 12;
    IS(trace(RAY_FLAG_SKIP_TRIANGLES), box ? 2 : 0); IS(trace(RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES), box ? 0 : 1); IS(trace(0), box ? 2 : 1);
    done(3);
}
