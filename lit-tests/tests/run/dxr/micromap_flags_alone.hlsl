// FORCE_OMM_2_STATE where no structure has opacity micromaps changes nothing, in a pipeline and in queries that allow them. For the CPU
// device alone: lavapipe 25.0.7 has no opacity micromaps.
// rtc -T lib_6_9
// scene: Inputs/yard.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PIPELINE
#include "Inputs/dxr.hlsli"
RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS };

struct [raypayload] Payload { uint any EVERYWHERE; uint closest EVERYWHERE; uint flags EVERYWHERE; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.any = 1; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.closest = 1; p.flags = RayFlags(); }
[shader("miss")] void Miss(inout Payload p) { p.closest = 2; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    uint place = thread() & 3;
    bool soft = place == 1 || place == 2;
    Payload p = { 0, 0, 0 };
    TraceRay(Scene, RAY_FLAG_FORCE_OMM_2_STATE, 0xff, 0, 0, 0, to(place), p);
    IS(p.any, soft); IS(p.closest, 1); IS(p.flags, RAY_FLAG_FORCE_OMM_2_STATE);
    RayQuery<RAY_FLAG_FORCE_OMM_2_STATE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS> q;
    q.TraceRayInline(Scene, 0, 0xff, to(place));
    IS(q.Proceed(), soft); IS(q.RayFlags(), RAY_FLAG_FORCE_OMM_2_STATE);
    done(5);
}
