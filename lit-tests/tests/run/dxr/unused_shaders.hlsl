// Shaders that no table names, functions that nothing calls: they are there and do nothing.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint ran; };
struct Other { float4 a; };
export float never(float x) { return x * Memory.Load(0); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.ran = 1; }
[shader("closesthit")] void Unused(inout Other p, in Triangle a) { p.a = 2; }
[shader("anyhit")] void UnusedAny(inout Other p, in Triangle a) { p.a = 2; IgnoreHit(); }
[shader("intersection")] void UnusedIntersection() { Triangle a = { float2(0, 0) }; ReportHit(1, 2, a); }
[shader("miss")] void Miss(inout Payload p) { p.ran = 2; }
[shader("callable")] void UnusedCall(inout Other c) { c.a = 3; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(thread() & 1 ? 0 : 20), p);
    IS(p.ran, thread() & 1 ? 1 : 2);
    done(1);
}
