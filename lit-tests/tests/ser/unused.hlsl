// Hit objects without uses: traced, made and reordered all the same.
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
    Payload p = fresh(IGNORE_ALL);
    dx::HitObject h = trace(to(VEIL), p);
    dx::HitObject unused = dx::HitObject::MakeMiss(0, 1, to(TRIANGLE));
    dx::MaybeReorderThread(unused);
    IS(p.any, 3); IS(p.count, 0);
    done(2);
}
