// Clusters and a partitioned structure that operations in device memory have built, placed and moved look like all others. For the CPU
// device alone: lavapipe 25.0.7 has no clusters.
// rtc -T lib_6_10
// scene: Inputs/clusters_in_memory.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PIPELINE
#include "Inputs/dxr.hlsli"
RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_ALLOW_CLUSTERED_GEOMETRY | RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS };

struct [raypayload] Payload { uint any EVERYWHERE; uint id EVERYWHERE; uint primitive EVERYWHERE; uint geometry EVERYWHERE; uint instance EVERYWHERE; float t EVERYWHERE; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { ++p.any; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.id = ClusterID(); p.primitive = PrimitiveIndex(); p.geometry = GeometryIndex(); p.instance = InstanceID(); p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.geometry = 99; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    static const float X[5] = { 0, 2.5, 5, 7.5, 10 };
    static const uint ID[5] = { 7, 7, 105, 0, 9 }, PRIMITIVE[5] = { 0, 1, 0, 0, 1 }, GEOMETRY[5] = { 3, 5, 16, 99, 0 };
    // The first instance was given the moved clusters.
    static const uint FIRST[4] = { 20, 10, 20, 0 }, INSTANCE[4] = { 0x12345678, 1, 2, 3 };
    uint i = thread() % 5;
    for (uint y = 0; y < 4; ++y) {
        Payload p = (Payload)0;
        TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(X[i], 10.0 * y - 0.25, -10), float3(0, 0, 1)), p);
        IS(p.id, i < 2 ? ID[i] + FIRST[y] : ID[i]); IS(p.primitive, PRIMITIVE[i]); IS(p.geometry, GEOMETRY[i]);
        IS(p.any, i == 0 || i == 2); IS(p.instance, i == 3 ? 0 : INSTANCE[y]); ISF(p.t, i == 3 ? 0 : y == 1 ? 12 : 10);
    }
    done(24);
}
