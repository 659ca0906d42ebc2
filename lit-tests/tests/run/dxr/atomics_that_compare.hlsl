// Atomic operations that give the value before: numbers that no two rays get, a lock-free list, a maximum by comparing and exchanging.
// rtc -T lib_6_3
// scene: Inputs/steps.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Write()
{
    uint n = thread(), ticket, before;
    Memory.InterlockedAdd(0, 1, ticket);
    Memory.Store(1024 + ticket * 4, n + 1);
    Memory.InterlockedExchange(4, n + 1, before);
    Memory.Store(2048 + n * 4, before);
    uint seen = 0;
    for (uint i = 0; i < 1000; ++i)
    {
        uint now;
        Memory.InterlockedCompareExchange(8, seen, max(seen, n), now);
        if (now == seen)
            break;
        seen = now;
    }
}
[shader("raygeneration")] void Never() { Memory.Store(0, 1000); }
[shader("raygeneration")] void Main()
{
    uint bits[2] = { 0, 0 }, length = 0;
    for (uint i = 0; i < 64; ++i)
    {
        uint n = Memory.Load(1024 + i * 4) - 1;
        bits[n / 32 & 1] |= 1u << n % 32;
    }
    // The list begins at the last that exchanged and ends at the first.
    for (uint n = Memory.Load(4); n != 0 && length < 100; n = Memory.Load(2048 + (n - 1) * 4))
        ++length;
    IS(Memory.Load(0), 64); IS(bits[0], 0xffffffff); IS(bits[1], 0xffffffff); IS(length, 64); IS(Memory.Load(8), 63);
    done(5);
}
