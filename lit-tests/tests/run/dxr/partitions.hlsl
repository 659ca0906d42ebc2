// A partitioned structure traces like any other: instances of partitions, of the global one, inactive and degenerate ones, moved and
// updated ones. For the CPU
// device alone: lavapipe 25.0.7 has ordinary structures in place of partitioned ones, whose ids have 24 bits.
// rtc -T lib_6_10
// scene: Inputs/partitions.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct [raypayload] Payload { uint index EVERYWHERE; uint id EVERYWHERE; float t EVERYWHERE; uint group EVERYWHERE; };
void take(inout Payload p, uint group) { p.index = InstanceIndex(); p.id = InstanceID(); p.t = RayTCurrent(); p.group = group; }
[shader("closesthit")] void ClosestA(inout Payload p, in Triangle a) { take(p, 1); }
[shader("closesthit")] void ClosestB(inout Payload p, in Triangle a) { take(p, 2); }
[shader("miss")] void Miss(inout Payload p) { p.index = 99; }
TriangleHitGroup GroupA = { "", "ClosestA" };
TriangleHitGroup GroupB = { "", "ClosestB" };

[shader("raygeneration")] void Main()
{
    static const uint INDEX[6] = { 0, 1, 5, 3, 99, 7 }, ID[6] = { 0x12345678, 1, 0xffffffff, 3, 0, 70 };
    static const float T[6] = { 12, 12, 6, 10, 0, 9 };
    uint i = thread() % 6;
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(i), p);
    IS(p.index, INDEX[i]); IS(p.id, ID[i]); ISF(p.t, T[i]); IS(p.group, i == 4 ? 0 : i == 2 ? 2 : 1);
    TraceRay(Scene, 0, 0xf0, 0, 0, 0, to(1), p);
    IS(p.index, 99);
    done(5);
}
