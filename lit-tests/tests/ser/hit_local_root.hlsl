// Constants of the record that a hit would use.
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
    uint i = thread() & 7;
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    uint n = INDEX[i];
    IS(h.LoadLocalRootTableConstant(0), TAG[i]); IS(h.LoadLocalRootTableConstant(8), 1001 + 10 * n); IS(h.LoadLocalRootArgumentsConstant(12), 1002 + 10 * n);
    uint sum = 0;
    for (uint at = 0; at < 16; at += 4)
        sum += h.LoadLocalRootTableConstant(at);
    IS(sum, TAG[i] + (n == 11 ? 111 : 10 + n) + 2003 + 20 * n);
    done(4);
}
