// Reordering by hints alone: none, some and all bits.
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
    uint sum = thread();
    dx::MaybeReorderThread(thread() & 3, 2);
    sum += 100;
    dx::MaybeReorderThread(0, 0);
    sum += 100;
    dx::MaybeReorderThread(thread() * 0x10000000, 32);
    sum += 100;
    dx::MaybeReorderThread(Words.Load(4 * (thread() & 7)), Words.Load(12));
    IS(sum, 300 + thread());
    done(1);
}
