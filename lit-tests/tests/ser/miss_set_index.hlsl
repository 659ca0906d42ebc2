// Another index of a miss: another shader, and the record of the new index.
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
    dx::HitObject h = trace(to(NOTHING), p);
    h.SetShaderTableIndex(3);
    IS(h.IsMiss(), 1); IS(h.GetShaderTableIndex(), 3); IS(h.LoadLocalRootTableConstant(0), 203); IS(h.LoadLocalRootTableConstant(12), 2032);
    dx::HitObject::Invoke(h, p);
    IS(p.who, MISS_B); IS(p.tag, 203);
    h.SetShaderTableIndex(thread() & 1 ? 2 : 1);
    dx::HitObject::Invoke(h, p);
    IS(p.who, thread() & 1 ? MISS_A : MISS_B); IS(p.tag, thread() & 1 ? 202 : 201); IS(p.count, 2);
    done(9);
}
