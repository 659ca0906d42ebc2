// Atomic operations of all rays of a dispatch, from every stage that may run, seen by the next dispatch; a dispatch without threads runs nothing.
// rtc -T lib_6_3
// scene: Inputs/steps.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint n; };
void count(uint place, uint n)
{
    uint was, at = place * 32;
    Memory.InterlockedAdd(at, 1);
    Memory.InterlockedAdd(at + 4, n, was);
    Memory.InterlockedMax(at + 8, n);
    Memory.InterlockedOr(at + 12, 1u << n % 32);
    Memory.InterlockedXor(at + 16, n * 0x9e3779b9);
}
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { count(1, p.n); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { count(2, p.n); }
[shader("miss")] void Miss(inout Payload p) { count(3, p.n); }
TriangleHitGroup Group = { "Any", "Closest" };
[shader("raygeneration")] void Write()
{
    Payload p = { thread() };
    count(0, p.n);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(thread() % 3), p);
}
[shader("raygeneration")] void Never() { Memory.Store(4000, 1); }
[shader("raygeneration")] void Main()
{
    // 64 threads, by three: 22 opaque, 21 not, 21 nothing.
    uint kind = thread() & 3, at = kind * 32, n = 0, sum = 0, most = 0, bits = 0, mixed = 0;
    for (uint i = 0; i < 64; ++i)
        if (kind == 0 || (kind == 1 && i % 3 == 1) || (kind == 2 && i % 3 != 2) || (kind == 3 && i % 3 == 2))
        {
            ++n; sum += i; most = i; bits |= 1u << i % 32; mixed ^= i * 0x9e3779b9;
        }
    IS(Memory.Load(at), n); IS(Memory.Load(at + 4), sum); IS(Memory.Load(at + 8), most); IS(Memory.Load(at + 12), bits); IS(Memory.Load(at + 16), mixed);
    IS(Memory.Load(4000), 0);
    done(6);
}
