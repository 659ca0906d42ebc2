// TMax may be infinite; the miss shader gets it back.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { float t; float begin; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.t = RayTCurrent(); p.begin = RayTMin(); }
[shader("miss")] void Miss(inout Payload p) { p.t = RayTCurrent(); p.begin = RayTMin(); }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    float infinity = asfloat(0x7f800000 + number(0));
    Payload p = { 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0, 0.5, infinity), p);
    ISF(p.t, 10); ISF(p.begin, 0.5);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20, 0.5, infinity), p);
    IS(asuint(p.t), 0x7f800000); ISF(p.begin, 0.5);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20, 0.5, 0.5), p);
    ISF(p.t, 0.5);
    done(5);
}
