// A ray through an edge or a corner inside of a surface meets exactly one of the triangles there. For the CPU device alone: lavapipe 25.0.7
// finds all that share it.
// rtc -T lib_6_3
// scene: Inputs/grid.toml
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint hits; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { ++p.hits; IgnoreHit(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.hits = 99; }
[shader("miss")] void Miss(inout Payload p) { }
TriangleHitGroup Group = { "Any", "Closest" };

uint hits(float3 origin, float3 direction)
{
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(origin, direction), p);
    return p.hits;
}
[shader("raygeneration")] void Main()
{
    // Corners, middles of edges along x and along z, middles of diagonals; from above, from below, slanted.
    uint wrong = 0, all = 0;
    for (uint i = 0; i < 49; ++i)
    {
        float2 at = float2(i % 7, i / 7) - 3 + float2(thread() & 1, thread() >> 1 & 1) * 0.5;
        float3 to = float3(at.x, 0, at.y), by = thread() & 4 ? float3(0.25, -1, 0.125) : float3(0, -1, 0);
        if (thread() & 8) by.y = 1;
        wrong += hits(to - by * 2, by) != 1;
        ++all;
    }
    IS(wrong, 0); IS(all, 49);
    // Outside of the square there is nothing.
    IS(hits(float3(4.5, 2, 0), float3(0, -1, 0)), 0); IS(hits(float3(0, 2, -4.5), float3(0, -1, 0)), 0);
    done(4);
}
