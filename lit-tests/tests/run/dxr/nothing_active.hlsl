// Instances in whose structure everything is inactive are never met, and do not disturb others. For the CPU device alone: in lavapipe 25.0.7
// other instances may be lost next to them.
// rtc -T lib_6_3
// scene: Inputs/nothing_active.toml
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint ran; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.ran = 1; }
[shader("intersection")] void Intersect() { Triangle a = { float2(0, 0) }; ReportHit(10, 0, a); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Triangle a) { p.ran = 2; }
[shader("miss")] void Miss(inout Payload p) { p.ran = 3; }
TriangleHitGroup Group1 = { "", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint place = thread() % 3;
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(place), p);
    IS(p.ran, place == 1 ? 1 : 3);
    done(1);
}
