// The nearest of the hits of two instances and two geometries, opaque ones and others.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint id; float t; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.id = InstanceID(); p.t = RayTCurrent(); }
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { }
[shader("miss")] void Miss(inout Payload p) { p.id = 99; p.t = RayTCurrent(); }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    // Layers are at 0, 1, 2, 3, 5 and 6; those at 2 and 6 are of the instance with id 5.
    static const float NEXT[8] = { 0.5, 0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 100 };
    static const uint ID[8] = { 4, 4, 5, 4, 4, 4, 5, 99 };
    uint layer = thread() & 7;
    Payload p = { 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(40.25, -0.25, layer - 0.5), float3(0, 0, 1), 0, 100), p);
    IS(p.id, ID[layer]); ISF(p.t, NEXT[layer]);
    done(2);
}
