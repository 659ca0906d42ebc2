// A dispatch in three dimensions: every index once, and all stages see it.
// rtc -T lib_6_3
// scene: Inputs/yard_3d.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint3 at; uint3 of; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.at = DispatchRaysIndex(); p.of = DispatchRaysDimensions(); }
[shader("miss")] void Miss(inout Payload p) { p.at = DispatchRaysIndex(); p.of = DispatchRaysDimensions(); }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    uint3 at = DispatchRaysIndex(), of = DispatchRaysDimensions();
    IS(of.x, 4); IS(of.y, 2); IS(of.z, 2); IS(at.x < 4 && at.y < 2 && at.z < 2, 1);
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(at.y == 0 ? 0 : 20), p);
    IS(p.at.x, at.x); IS(p.at.y, at.y); IS(p.at.z, at.z); IS(p.of.x, 4); IS(p.of.y, 2); IS(p.of.z, 2);
    // No other thread uses this address.
    uint was;
    Memory.InterlockedAdd(thread() * 4, 1, was);
    IS(was, 0);
    done(11);
}
