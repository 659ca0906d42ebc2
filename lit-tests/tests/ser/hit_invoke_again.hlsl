// One hit object is invoked as often as one likes and stays what it is.
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
    uint i = thread() % 7;
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    for (uint n = 0; n < 3; ++n)
    {
        dx::HitObject::Invoke(h, p);
        p.tag += n;
    }
    IS(p.count, 3); IS(p.tag, TAG[i] + 2); IS(h.IsHit(), 1); IS(h.GetShaderTableIndex(), INDEX[i]); ISF(h.GetRayTCurrent(), DISTANCE[i]);
    done(5);
}
