// A procedural hit is in the interval with its ends.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { float t; };
struct Attributes { uint n; };
[shader("intersection")] void Intersect() { Attributes a = { 5 }; ReportHit(10, 0, a); }
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
ProceduralPrimitiveHitGroup Group = { "", "Closest", "Intersect" };

float trace(float begin, float end)
{
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1, begin, end), p);
    return p.t;
}
[shader("raygeneration")] void Main()
{
    float before = asfloat(asuint(10.0) - 1), behind = asfloat(asuint(10.0) + 1);
    ISF(trace(0, 1000), 10); ISF(trace(10, 1000), 10); ISF(trace(0, 10), 10); ISF(trace(10, 10), 10);
    ISF(trace(behind, 1000), -1); ISF(trace(0, before), -1); ISF(trace(before, behind), 10);
    done(7);
}
