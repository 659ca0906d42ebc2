// Bits of positions that a cluster drops are zero, and rays meet the triangle that is left. For the CPU device
// alone: lavapipe 25.0.7 has no clusters.
// rtc -T lib_6_10
// scene: Inputs/clusters.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PIPELINE
#include "Inputs/dxr.hlsli"
RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_ALLOW_CLUSTERED_GEOMETRY };

struct [raypayload] Payload { float t EVERYWHERE; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(40, -0.25, 0), float3(0, 0, 1)), p);
    IS(asuint(p.t), 0x3dcc0000);
    done(1);
}
