// Reorder points in functions that are called at several places.
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

uint go(RayDesc ray, inout Payload p, bool invoke)
{
    dx::HitObject h = trace(ray, p);
    dx::MaybeReorderThread(h, invoke, 1);
    if (!invoke)
        return 0;
    dx::HitObject::Invoke(h, p);
    return p.tag;
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    uint a = go(to(thread() % 9), p, true), b = go(to((thread() + 1) % 9), p, false);
    p = fresh();
    uint c = go(to(TRIANGLE), p, true);
    IS(a, TOLD[thread() % 9]); IS(b, 0); IS(c, 100);
    done(3);
}
