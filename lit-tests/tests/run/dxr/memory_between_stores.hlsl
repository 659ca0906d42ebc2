// A shader stores, what it calls and traces stores to the same place, and it reads what they left. For the CPU device alone: lavapipe 25.0.7
// gives the shader its own value back.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint at; };
[shader("callable")] void Call(inout Payload c) { Memory.Store(c.at, Memory.Load(c.at) + 3); DeviceMemoryBarrier(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { Memory.Store(p.at, Memory.Load(p.at) * 2); DeviceMemoryBarrier(); }
[shader("miss")] void Miss(inout Payload p) { Memory.Store(p.at, Memory.Load(p.at) * 10); DeviceMemoryBarrier(); }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { thread() * 64 };
    Memory.Store(p.at, thread());
    DeviceMemoryBarrier();
    CallShader(0, p);
    IS(Memory.Load(p.at), thread() + 3);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(Memory.Load(p.at), (thread() + 3) * 2);
    Memory.Store(p.at, 5);
    DeviceMemoryBarrier();
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), p);
    IS(Memory.Load(p.at), 50);
    done(3);
}
