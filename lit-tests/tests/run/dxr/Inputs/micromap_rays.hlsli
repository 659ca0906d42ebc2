// Rays against micromaps; they return 16 for each any-hit shader, 1 for a hit, 2 for a miss.
#define OWN_PIPELINE
#include "dxr.hlsli"
RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS };

struct [raypayload] Payload { uint found EVERYWHERE; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.found += 16; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.found += 1; }
[shader("miss")] void Miss(inout Payload p) { p.found += 2; }
TriangleHitGroup Group = { "Any", "Closest" };

uint trace(RayDesc r, uint flags)
{
    Payload p = { 0 };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, r, p);
    return p.found;
}
