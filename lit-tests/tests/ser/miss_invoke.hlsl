// Invoking a made miss runs the miss shader of its index, with its ray.
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
    RayDesc ray = to(TRIANGLE);
    ray.TMax = 50 + thread();
    Payload p = fresh();
    dx::HitObject::Invoke(dx::HitObject::MakeMiss(0, thread() & 3, ray), p);
    IS(p.who, thread() & 1 ? MISS_B : MISS_A); IS(p.tag, 200 + (thread() & 3)); IS(p.count, 1); ISF(p.t, 50 + thread());
    done(4);
}
