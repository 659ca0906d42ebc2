// The order of a micromap's small triangles is that of the specification's curve: a map of sixteen with one that is opaque. For the CPU device
// alone: lavapipe 25.0.7 has no opacity micromaps.
// rtc -T lib_6_9
// scene: Inputs/micromap_order.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PIPELINE
#include "Inputs/dxr.hlsli"
RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS };

struct [raypayload] Payload { uint found EVERYWHERE; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.found += 16; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.found += 1; }
[shader("miss")] void Miss(inout Payload p) { p.found += 2; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    // Rays through the middles of the sixteen small triangles, row by row from the first vertex: the second's weight grows first.
    static const uint PLACE[16] = { 0, 1, 2, 7, 8, 9, 10, 3, 4, 5, 6, 11, 14, 13, 12, 15 };
    uint n = 0, i = thread();
    for (uint row = 0; row < 4; ++row)
        for (uint column = 0; column < 4 - row; ++column)
            for (uint upper = 0; upper < (column + row < 3 ? 2 : 1); ++upper)
            {
                float part = upper ? 2.0 / 3 : 1.0 / 3, x = (column + part) / 4, y = (row + part) / 4;
                float3 at = float3(10.0 * i - 1, -1, -5) + x * float3(1, 2, 0) + y * float3(2, 0, 0);
                Payload p = { 0 };
                TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(at, float3(0, 0, 1)), p);
                IS(p.found, PLACE[n] == i ? 1 : 2);
                ++n;
            }
    done(16);
}
