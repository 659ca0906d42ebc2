// A ray with a NaN somewhere is undefined, and ends: the CPU device finds nothing and goes on with the next ray.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint ran; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.ran = 1; }
[shader("miss")] void Miss(inout Payload p) { p.ran = 2; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    float nan = asfloat(0x7fc00000 + number(0));
    RayDesc r = to(0);
    uint which = thread() & 7;
    if (which < 3) r.Origin[which] = nan;
    else if (which < 6) r.Direction[which - 3] = nan;
    else if (which == 6) r.TMin = nan;
    else r.TMax = nan;
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, r, p);
    IS(p.ran, 2);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.ran, 1);
    done(2);
}
