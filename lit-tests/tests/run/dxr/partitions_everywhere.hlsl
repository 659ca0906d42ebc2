// A partitioned structure traces like any other, on devices that have none too: an ordinary structure is built there each time.
// rtc -T lib_6_3
// scene: Inputs/partitions_everywhere.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint index; uint id; float t; uint group; };
void take(inout Payload p, uint group) { p.index = InstanceIndex(); p.id = InstanceID(); p.t = RayTCurrent(); p.group = group; }
[shader("closesthit")] void ClosestA(inout Payload p, in Triangle a) { take(p, 1); }
[shader("closesthit")] void ClosestB(inout Payload p, in Triangle a) { take(p, 2); }
[shader("miss")] void Miss(inout Payload p) { p.index = 99; }
TriangleHitGroup GroupA = { "", "ClosestA" };
TriangleHitGroup GroupB = { "", "ClosestB" };

[shader("raygeneration")] void Main()
{
    static const uint INDEX[7] = { 0, 1, 5, 3, 99, 7, 99 }, ID[7] = { 0x345678, 1, 0xffffff, 33, 0, 70, 0 };
    static const float T[7] = { 12, 12, 6, 9, 0, 9, 0 };
    uint i = thread() % 7;
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(i), p);
    IS(p.index, INDEX[i]); IS(p.id, ID[i]); ISF(p.t, T[i]); IS(p.group, i == 4 || i == 6 ? 0 : i == 2 ? 2 : 1);
    TraceRay(Scene, 0, 0xf0, 0, 0, 0, to(1), p);
    IS(p.index, 99);
    done(5);
}
