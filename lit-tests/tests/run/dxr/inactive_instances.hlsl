// An instance of nothing is inactive, and counts in the index of the others; one with mask zero is never met.
// rtc -T lib_6_3
// scene: Inputs/inactive.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint index; uint id; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.index = InstanceIndex(); p.id = InstanceID(); }
[shader("miss")] void Miss(inout Payload p) { p.index = 99; p.id = 98; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(2), p);
    IS(p.index, 3); IS(p.id, 13);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(6), p);
    IS(p.index, 99);
    TraceRay(Scene, 0, 0, 0, 0, 0, to(2), p);
    IS(p.id, 98);
    done(4);
}
