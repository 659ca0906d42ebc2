// Of a miss index sixteen bits count, wherever it comes from.
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
    uint high = Words.Load(4) << 16;
    Payload p = fresh();
    dx::HitObject::Invoke(dx::HitObject::MakeMiss(0, high | 1, to(NOTHING)), p);
    IS(p.tag, 201);
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, high | 2, to(NOTHING), p);
    dx::HitObject::Invoke(h, p);
    IS(p.tag, 202); IS(p.count, 2);
    done(3);
}
