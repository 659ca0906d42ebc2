// A tilted surface has no gaps: rays at transformed corners and edges, which are not exact, always hit. For the CPU device
// alone: lavapipe 25.0.7 has gaps.
// rtc -T lib_6_3
// scene: Inputs/grid.toml
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint hits; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { ++p.hits; }
[shader("miss")] void Miss(inout Payload p) { p.hits += 0x10000; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0 };
    for (uint i = 0; i < 49; ++i)
    {
        float2 at = float2(i % 7, i / 7) - 3 + float2(thread() & 1, thread() >> 1 & 1) * 0.5;
        float3 to = float3(1.25 * at.x + 20, 0.25 * at.x - 0.5 * at.y + 0.375, 1.5 * at.y);
        float3 from = float3(20 + 0.1 * thread(), 7 + 0.3 * thread(), 0.7);
        TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(from, to - from, 0, 100), p);
    }
    IS(p.hits, 49);
    done(1);
}
