// The shader table index: contributions of ray, geometry and instance.
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
    uint contribution = thread() & 1, multiplier = (thread() >> 1) & 1;
    Payload p = fresh();
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, contribution, multiplier, 0, to(LAYERS), p);
    IS(h.GetShaderTableIndex(), 6 + contribution + multiplier); IS(h.LoadLocalRootTableConstant(0), 106 + contribution + multiplier);
    h = dx::HitObject::TraceRay(Scene, 0, 0xff, Words.Load(4) * 16 + 1, Words.Load(8) * 16 + 1, 0, to(LAYERS), p);
    IS(h.GetShaderTableIndex(), 8);
    done(3);
}
