// What an invoked shader wrote, the one that invoked it reads: globallycoherent memory and a barrier of the device.
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
#define OWN_CLOSEST_A
#include "Inputs/ser.hlsli"

globallycoherent RWByteAddressBuffer Memory : register(u1);
[shader("closesthit")] void ClosestA(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    uint at = 4 * DispatchRaysIndex().x;
    Memory.Store(at, Memory.Load(at) + 101 + DispatchRaysIndex().x);
    DeviceMemoryBarrier();
    TELL(CLOSEST_A);
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(thread() & 1 ? TRIANGLE : NOTHING), p);
    dx::HitObject::Invoke(h, p);
    IS(Memory.Load(4 * thread()), thread() & 1 ? 101 + thread() : 0); IS(p.tag, thread() & 1 ? 100 : 200);
    done(2);
}
