// Triangles without an area are never hit, and count in the indices of the others.
// rtc -T lib_6_3
// scene: Inputs/inactive.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint primitive; float t; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = PrimitiveIndex(); p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.primitive = 99; p.t = 0; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    // Through the point and through the line.
    Payload p = { 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(3), p);
    IS(p.primitive, 3); ISF(p.t, 15);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(30.25, 0.125, -10), float3(0, 0, 1)), p);
    IS(p.primitive, 3); ISF(p.t, 15);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(30.25, -3, -10), float3(0, 0, 1)), p);
    IS(p.primitive, 99);
    done(5);
}
