// What shaders see of clusters: their ids, primitives counted in each, geometry indices and opacity of each triangle. For the CPU device
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

struct [raypayload] Payload { uint any EVERYWHERE; uint id EVERYWHERE; uint primitive EVERYWHERE; uint geometry EVERYWHERE; uint anyId EVERYWHERE; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { ++p.any; p.anyId = ClusterID(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.id = ClusterID(); p.primitive = PrimitiveIndex(); p.geometry = GeometryIndex(); }
[shader("miss")] void Miss(inout Payload p) { p.geometry = 99; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    static const float X[7] = { 0, 2.5, 5, 7.5, 10, 20, 30 };
    static const uint ID[7] = { 7, 7, 0x80000001, 105, 99, CLUSTER_ID_INVALID, 0 }, PRIMITIVE[7] = { 0, 1, 0, 0, 0, 0, 0 }, GEOMETRY[7] = { 3, 5, 12, 16, 20, 0, 99 };
    uint i = thread() % 7;
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(X[i], -0.25, -10), float3(0, 0, 1)), p);
    bool any = i != 1 && i != 6;
    IS(p.id, ID[i]); IS(p.primitive, PRIMITIVE[i]); IS(p.geometry, GEOMETRY[i]); IS(p.any, any); IS(p.anyId, any ? ID[i] : 0);
    done(5);
}
