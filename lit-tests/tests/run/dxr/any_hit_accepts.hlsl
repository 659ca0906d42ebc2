// An any-hit shader that returns accepts the hit: any-hit shaders no longer run for farther ones, but for nearer ones.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint seen; float t; uint primitive; bool decreasing; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    p.seen |= 1u << PrimitiveIndex();
    p.decreasing = p.decreasing && RayTCurrent() < p.t;
    p.t = RayTCurrent();
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = PrimitiveIndex(); }
[shader("miss")] void Miss(inout Payload p) { p.primitive = 99; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 1000, 0, true };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.seen & 1, 1); ISF(p.t, 10); IS(p.primitive, 0); IS(p.decreasing, 1);
    done(4);
}
