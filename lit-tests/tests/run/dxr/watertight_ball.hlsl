// From the middle of a closed ball every ray meets it exactly once, through corners and edges as well.
// rtc -T lib_6_3
// scene: Inputs/grid.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
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

[shader("raygeneration")] void Main()
{
    uint none = 0;
    for (uint i = 0; i < 64; ++i)
    {
        // Not quite in the middle, so that corners are met no more than nearly.
        float u = (i % 8 + 0.37 * thread()) * 0.7853982, v = (i / 8 + 0.5) * 0.3926991;
        Payload p = { 0 };
        TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(40.01, 0.02, -0.03), float3(sin(v) * cos(u), cos(v), sin(v) * sin(u))), p);
        none += p.hits != 1;
    }
    IS(none, 0);
    done(1);
}
