// Barrier with memory types and scopes in ray tracing stages orders stores before what other shaders load.
// rtc -T lib_6_8
// scene: Inputs/steps.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_8 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct [raypayload] Payload { uint at EVERYWHERE; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { Memory.Store(p.at, 5); Barrier(UAV_MEMORY, DEVICE_SCOPE); }
[shader("miss")] void Miss(inout Payload p) { Memory.Store(p.at, 6); Barrier(Memory, DEVICE_SCOPE); }
TriangleHitGroup Group = { "", "Closest" };
[shader("raygeneration")] void Write()
{
    Payload p = { thread() * 4 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(thread() & 1 ? 0 : 20), p);
    Barrier(ALL_MEMORY, DEVICE_SCOPE);
    uint found;
    Memory.InterlockedAdd(p.at, 0, found);
    Memory.Store(1024 + p.at, found * 10);
}
[shader("raygeneration")] void Never() { }
[shader("raygeneration")] void Main()
{
    for (uint i = 0; i < 4; ++i)
    {
        uint n = thread() * 4 + i;
        IS(Memory.Load(n * 4), n & 1 ? 5 : 6); IS(Memory.Load(1024 + n * 4), n & 1 ? 50 : 60);
    }
    done(8);
}
