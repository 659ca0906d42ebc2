// Two hit groups share an intersection shader and each has its own any-hit shader. For the CPU device alone: lavapipe 25.0.7 takes that of
// the first for both.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint any; uint closest; };
struct Attributes { uint n; };
[shader("intersection")] void Intersect() { Attributes a = { 5 }; ReportHit(10, 0, a); }
[shader("anyhit")] void AnyA(inout Payload p, in Attributes a) { p.any = 1; }
[shader("anyhit")] void AnyB(inout Payload p, in Attributes a) { p.any = 2; IgnoreHit(); }
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.closest = a.n; }
[shader("miss")] void Miss(inout Payload p) { p.closest = 99; }
ProceduralPrimitiveHitGroup Group1 = { "AnyA", "Closest", "Intersect" };
ProceduralPrimitiveHitGroup Group2 = { "AnyB", "Closest", "Intersect" };
ProceduralPrimitiveHitGroup Group3 = { "", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint which = thread() % 3;
    Payload p = { 0, 0 };
    TraceRay(Scene, 0, 0xff, which, 0, 0, to(0), p);
    IS(p.any, which == 2 ? 0 : which + 1); IS(p.closest, which == 1 ? 99 : 5);
    done(2);
}
