// A record without shaders: the hit is there, invoking it runs nothing.
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
    h.SetShaderTableIndex(12);
    dx::HitObject::Invoke(h, p);
    IS(h.IsHit(), 1); IS(h.GetShaderTableIndex(), 12); IS(p.count, 0); IS(p.who, 0);
    h.SetShaderTableIndex(9);
    dx::HitObject::Invoke(h, p);
    IS(p.who, CLOSEST_A); IS(p.tag, 109);
    done(6);
}
