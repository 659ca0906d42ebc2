// A triangle's hit is strictly between TMin and TMax.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { float t; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
TriangleHitGroup Group = { "", "Closest" };

float trace(float begin, float end)
{
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0, begin, end), p);
    return p.t;
}
[shader("raygeneration")] void Main()
{
    // One unit in the last place around ten.
    float before = asfloat(asuint(10.0) - 1), behind = asfloat(asuint(10.0) + 1);
    ISF(trace(0, 1000), 10); ISF(trace(before, behind), 10);
    ISF(trace(10, 1000), -1); ISF(trace(0, 10), -1); ISF(trace(10, 10), -1); ISF(trace(10.5, 1000), -1); ISF(trace(0, 9.5), -1);
    ISF(trace(before, 1000), 10); ISF(trace(0, behind), 10);
    done(9);
}
