// The same with the attribute of the specification, around an invoked shader.
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

[reordercoherent] RWByteAddressBuffer Memory : register(u1);

[shader("raygeneration")] void Main()
{
    Memory.Store(4 * thread(), 50 + thread());
    Payload p = fresh();
    dx::HitObject h = trace(to(thread() % 9), p);
    Barrier(UAV_MEMORY, REORDER_SCOPE);
    dx::HitObject::Invoke(h, p);
    IS(Memory.Load(4 * thread()), 50 + thread()); IS(p.tag, TOLD[thread() % 9]);
    done(2);
}
