// The instance mask: eight bits of it.
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
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xfe, 0, 1, 0, to(TRIANGLE), p);
    IS(h.IsMiss(), 1);
    uint i = thread() & 7;
    h = dx::HitObject::TraceRay(Scene, 0, 1u << i | Words.Load(4) << 8, 0, 1, 0, to(i), p);
    IS(h.IsHit(), 1);
    h = dx::HitObject::TraceRay(Scene, 0, Words.Load(4) << 8, 0, 1, 0, to(i), p);
    IS(h.IsMiss(), 1);
    done(3);
}
