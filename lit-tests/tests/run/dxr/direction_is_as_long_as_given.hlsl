// Directions are not normalised: distances count in their length, and shaders see them as they were given.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { float t; float3 direction; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.t = RayTCurrent(); p.direction = WorldRayDirection(); }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; p.direction = WorldRayDirection(); }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    float length = exp2(float(thread()) - 8);
    Payload p = { 0, float3(0, 0, 0) };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(0.25, -0.25, -10), float3(0, 0, length), 0, 1e6), p);
    ISF(p.t, 10 / length); IS3(p.direction, float3(0, 0, length));
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(0.25, -0.25, -10), float3(0, 0, length), 0, 9.75 / length), p);
    ISF(p.t, -1);
    done(5);
}
