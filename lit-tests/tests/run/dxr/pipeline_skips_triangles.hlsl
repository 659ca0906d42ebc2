// A pipeline that skips triangles: every ray does, and RayFlags() does not say so.
// rtc -T lib_6_5
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PIPELINE
#include "Inputs/dxr.hlsli"
RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES };

struct Payload { uint hit; uint flags; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.hit = 1; p.flags = RayFlags(); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Triangle a) { p.hit = 2; p.flags = RayFlags(); }
[shader("intersection")] void Intersect() { Triangle a = { float2(0.5, 0.25) }; ReportHit(9, 1, a); }
[shader("miss")] void Miss(inout Payload p) { p.hit = 0; p.flags = RayFlags(); }
TriangleHitGroup Group1 = { "", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

[shader("raygeneration")] void Main()
{
    Payload p = { 99, 99 };
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, to(thread()), p);
    IS(p.hit, thread() >= 12 ? 2 : 0); IS(p.flags, RAY_FLAG_FORCE_OPAQUE);
    done(2);
}
