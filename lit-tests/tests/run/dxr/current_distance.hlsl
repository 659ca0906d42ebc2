// RayTCurrent in the stages of one ray: in any-hit shaders that of each hit, in the closest-hit shader that of the nearest, in the miss shader TMax.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint wrong; float closest; float begin; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    p.wrong += RayTCurrent() != 10 + PrimitiveIndex() * 3 % 8;
    p.wrong += RayTMin() != p.begin;
    if (PrimitiveIndex() == 0)
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.closest = RayTCurrent(); p.wrong += RayTMin() != p.begin; }
[shader("miss")] void Miss(inout Payload p) { p.closest = RayTCurrent(); p.wrong += RayTMin() != p.begin; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0, thread() * 0.25 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0, thread() * 0.25, 100), p);
    IS(p.wrong, 0); ISF(p.closest, 11);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0, thread() * 0.25, 9), p);
    IS(p.wrong, 0); ISF(p.closest, 9);
    done(4);
}
