// Hits that any-hit shaders ignore are none: the nearest of the others is found, and the miss shader runs if there is none.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint allowed; uint primitive; float t; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    if (!(p.allowed >> PrimitiveIndex() & 1))
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = PrimitiveIndex(); p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.primitive = 99; p.t = RayTCurrent(); }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    uint allowed = thread() * 0x11, nearest = 99;
    float t = 50;
    for (uint i = 0; i < 8; ++i)
        if ((allowed >> i & 1) && 10 + i * 3 % 8 < t) { t = 10 + i * 3 % 8; nearest = i; }
    Payload p = { allowed, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0, 0, 50), p);
    IS(p.primitive, nearest); ISF(p.t, t);
    done(2);
}
