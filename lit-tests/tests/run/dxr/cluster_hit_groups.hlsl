// The geometry index of a cluster's triangle chooses the hit record, as that of any other. For the CPU device
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

struct [raypayload] Payload { uint who EVERYWHERE; };
[shader("closesthit")] void Closest0(inout Payload p, in Triangle a) { p.who = 100; }
[shader("closesthit")] void Closest1(inout Payload p, in Triangle a) { p.who = 101; }
[shader("closesthit")] void Closest2(inout Payload p, in Triangle a) { p.who = 102; }
[shader("closesthit")] void Closest3(inout Payload p, in Triangle a) { p.who = 103; }
[shader("closesthit")] void Closest4(inout Payload p, in Triangle a) { p.who = 104; }
[shader("closesthit")] void Closest5(inout Payload p, in Triangle a) { p.who = 105; }
[shader("miss")] void Miss(inout Payload p) { p.who = 99; }
TriangleHitGroup Group0 = { "", "Closest0" };
TriangleHitGroup Group1 = { "", "Closest1" };
TriangleHitGroup Group2 = { "", "Closest2" };
TriangleHitGroup Group3 = { "", "Closest3" };
TriangleHitGroup Group4 = { "", "Closest4" };
TriangleHitGroup Group5 = { "", "Closest5" };

[shader("raygeneration")] void Main()
{
    // Geometries 3 and 5.
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(float3(0, -0.25, -10), float3(0, 0, 1)), p);
    IS(p.who, 103);
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(float3(2.5, -0.25, -10), float3(0, 0, 1)), p);
    IS(p.who, 105);
    TraceRay(Scene, 0, 0xff, 2, 0, 0, ray(float3(2.5, -0.25, -10), float3(0, 0, 1)), p);
    IS(p.who, 102);
    done(3);
}
