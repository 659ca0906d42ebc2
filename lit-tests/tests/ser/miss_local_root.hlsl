// Constants of the record of a miss.
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
    dx::HitObject h = dx::HitObject::MakeMiss(0, thread() & 3, to(NOTHING));
    uint i = thread() & 3;
    IS(h.LoadLocalRootTableConstant(0), 200 + i); IS(h.LoadLocalRootTableConstant(4), 20 + i);
    IS(h.LoadLocalRootTableConstant(8), 2001 + 10 * i); IS(h.LoadLocalRootTableConstant(4 * Words.Load(12)), 2002 + 10 * i);
    done(4);
}
