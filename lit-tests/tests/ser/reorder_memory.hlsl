// What a thread wrote before a reorder point it reads after it: reordercoherent memory and its barrier.
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

reordercoherent RWByteAddressBuffer Memory : register(u1);

[shader("raygeneration")] void Main()
{
    uint i = thread() % 9;
    Memory.Store(4 * thread(), 0);
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    Memory.Store(64 + 4 * thread(), ID[i] + 1);
    Barrier(UAV_MEMORY, REORDER_SCOPE);
    dx::MaybeReorderThread(h);
    IS(Memory.Load(64 + 4 * thread()), ID[i] + 1);
    Memory.Store(64 + 4 * thread(), Memory.Load(64 + 4 * thread()) * 2);
    Barrier(UAV_MEMORY, REORDER_SCOPE);
    dx::HitObject::Invoke(h, p);
    IS(Memory.Load(64 + 4 * thread()), ID[i] * 2 + 2); IS(p.tag, TOLD[i]);
    done(3);
}
