// Traces in loops, under conditions that differ between threads, with variables that live across them.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define DEPTH 2
#include "Inputs/dxr.hlsli"

struct Payload { uint value; uint again; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    uint sum = InstanceIndex();
    for (uint i = 0; i < p.again; ++i)
    {
        Payload next = { 0, 0 };
        TraceRay(Scene, 0, 0xff, 0, 0, 0, to(i), next);
        sum = sum * 2 + next.value;
    }
    p.value = sum;
}
[shader("miss")] void Miss(inout Payload p) { p.value = 100; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    uint total = 0, must = 0;
    for (uint i = 0; i <= thread() % 5; ++i)
    {
        if (i == 3)
            continue;
        Payload p = { 0, thread() % 4 };
        TraceRay(Scene, 0, 0xff, 0, 0, 0, to(i == 2 ? 20 : i), p);
        total += p.value;
        uint sum = i;
        for (uint k = 0; k < thread() % 4; ++k)
            sum = sum * 2 + k;
        must += i == 2 ? 100 : sum;
    }
    IS(total, must);
    done(1);
}
