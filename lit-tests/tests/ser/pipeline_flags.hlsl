// A pipeline that skips procedural primitives.
// rtc -T lib_6_9
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_9 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PIPELINE
#include "Inputs/ser.hlsli"

RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES };

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(thread() & 1 ? BOXES : TRIANGLE), p);
    dx::HitObject::Invoke(h, p);
    IS(h.IsMiss(), thread() & 1); IS(p.tag, thread() & 1 ? 200 : 100); IS(h.GetRayFlags(), 0);
    done(3);
}
