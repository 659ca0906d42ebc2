// What traced and called shaders write to memory, their caller sees, with a coherent buffer and a barrier.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint at; };
[shader("callable")] void Call(inout Payload c) { Memory.Store(c.at + 8, 33); DeviceMemoryBarrier(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { Memory.Store(p.at, 11); DeviceMemoryBarrier(); CallShader(0, p); }
[shader("miss")] void Miss(inout Payload p) { Memory.Store(p.at + 4, 22); DeviceMemoryBarrier(); }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { thread() * 64 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    DeviceMemoryBarrier();
    IS(Memory.Load(thread() * 64), 11); IS(Memory.Load(thread() * 64 + 8), 33); IS(Memory.Load(thread() * 64 + 4), 0);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), p);
    DeviceMemoryBarrier();
    // Another word than those that were read before.
    IS(Memory.Load(thread() * 64 + 12), 0);
    uint was;
    Memory.InterlockedAdd(thread() * 64 + 4, 1, was);
    IS(was, 22);
    done(5);
}
