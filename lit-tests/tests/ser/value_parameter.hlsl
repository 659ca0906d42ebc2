// A hit object that is a parameter is a copy.
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
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

uint index_of_changed(dx::HitObject h)
{
    h.SetShaderTableIndex(10);
    return h.GetShaderTableIndex();
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(TRIANGLE), p);
    IS(index_of_changed(h), 10); IS(h.GetShaderTableIndex(), 0);
    dx::HitObject::Invoke(h, p);
    IS(p.tag, 100);
    done(3);
}
