// Atomics around reorder points: every thread gets a number of its own.
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

RWByteAddressBuffer Memory : register(u1);

[shader("raygeneration")] void Main()
{
    uint own, second;
    Memory.InterlockedAdd(0, 1, own);
    Payload p = fresh();
    dx::HitObject h = trace(to(thread() % 9), p);
    dx::MaybeReorderThread(h);
    Memory.InterlockedOr(16, 1u << own, second);
    dx::HitObject::Invoke(h, p);
    IS(own < 16, 1); IS(second >> own & 1, 0); IS(p.tag, TOLD[thread() % 9]);
    done(3);
}
