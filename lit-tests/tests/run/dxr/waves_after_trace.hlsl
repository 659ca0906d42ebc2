// After a trace waves may be packed anew: what they say is of the new wave, and it holds there.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint where; uint together; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.where = 1; p.together = WaveActiveCountBits(true) <= WaveGetLaneCount() && WaveActiveCountBits(true) > 0; }
[shader("miss")] void Miss(inout Payload p) { p.where = 2; p.together = WaveActiveAllTrue(true) && WaveReadLaneAt(DispatchRaysIndex().x, WaveGetLaneIndex()) == DispatchRaysIndex().x; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(thread() & 1 ? 20 : 0), p);
    uint active = WaveActiveCountBits(true), first = WaveReadLaneFirst(thread());
    IS(p.where, thread() & 1 ? 2 : 1); IS(p.together, 1);
    IS(WaveActiveSum(1u), active); IS(WaveActiveAnyTrue(first == thread()), 1); IS(WavePrefixCountBits(true) < active, 1);
    done(5);
}
