// An intersection shader that reports nothing, and one that returns early: no hit.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint closest; };
struct Attributes { uint n; };
[shader("intersection")] void Intersect()
{
    Attributes a = { 5 };
    if (ObjectRayOrigin().y < -0.5)
        return;
    if (ObjectRayOrigin().y > 0.5)
        ReportHit(10, 0, a);
}
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.closest = a.n; }
[shader("miss")] void Miss(inout Payload p) { p.closest = 99; }
ProceduralPrimitiveHitGroup Group = { "", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    static const float Y[3] = { -0.75, 0, 0.75 };
    uint which = thread() % 3;
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(10.25, Y[which], -10), float3(0, 0, 1)), p);
    IS(p.closest, which == 2 ? 5 : 99);
    done(1);
}
