// Two shaders for one hit: the next record, then back.
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
    dx::HitObject h = trace(to(TRIANGLE), p);
    uint tags[4];
    for (uint n = 0; n < 4; ++n)
    {
        uint old = h.GetShaderTableIndex();
        dx::HitObject::Invoke(h, p);
        tags[n] = p.tag * 10 + p.who;
        h.SetShaderTableIndex(n & 1 ? 0 : old + 1);
    }
    IS(tags[0], 1001); IS(tags[1], 1012); IS(tags[2], 1001); IS(tags[3], 1012); IS(p.count, 4); IS(h.GetShaderTableIndex(), 0);
    done(6);
}
