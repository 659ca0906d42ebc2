// Micromaps of a cluster's triangles; one triangle skips them and is what its geometry says. For the CPU device
// alone: lavapipe 25.0.7 has no clusters.
// rtc -T lib_6_10
// scene: Inputs/clusters.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PIPELINE
#include "Inputs/dxr.hlsli"
RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_ALLOW_CLUSTERED_GEOMETRY | RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS };

struct [raypayload] Payload { uint found EVERYWHERE; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.found += 16; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.found += 1; }
[shader("miss")] void Miss(inout Payload p) { p.found += 2; }
TriangleHitGroup Group = { "Any", "Closest" };

uint trace(float2 at, uint flags)
{
    Payload p = { 0 };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, ray(float3(at, -5), float3(0, 0, 1)), p);
    return p.found;
}
[shader("raygeneration")] void Main()
{
    uint two = RAY_FLAG_FORCE_OMM_2_STATE;
    IS(trace(float2(49.5, -0.75), 0), 2); IS(trace(float2(50, -0.25), 0), 1); IS(trace(float2(50, 0.5), 0), 17); IS(trace(float2(50.5, -0.75), 0), 17);
    IS(trace(float2(50, 0.5), two), 2); IS(trace(float2(50.5, -0.75), two), 1); IS(trace(float2(52, -0.75), 0), 1);
    done(7);
}
