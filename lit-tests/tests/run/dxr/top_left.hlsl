// Which of the triangles at a shared corner is hit is the same from above at all times, and every corner belongs to one: rays at all corners
// and at the middles of all edges hit as many triangles as there are rays. For the CPU device alone: lavapipe 25.0.7 finds all that share it.
// rtc -T lib_6_3
// scene: Inputs/grid.toml
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint hits; uint primitive; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { ++p.hits; p.primitive = PrimitiveIndex(); IgnoreHit(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = PrimitiveIndex(); }
[shader("miss")] void Miss(inout Payload p) { }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    uint hits = 0, other = 0;
    for (uint i = 0; i < 49; ++i)
    {
        float2 at = float2(i % 7, i / 7) - 3 + float2(thread() & 1, thread() >> 1 & 1) * 0.5;
        RayDesc r = ray(float3(at.x, 1 + thread() * 0.25, at.y), float3(0, -1, 0));
        Payload p = { 0, 0 }, q = { 0, 0 };
        TraceRay(Scene, 0, 0xff, 0, 0, 0, r, p);
        TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, r, q);
        hits += p.hits;
        other += p.primitive != q.primitive;
    }
    IS(hits, 49); IS(other, 0);
    done(2);
}
