// With ACCEPT_FIRST_HIT_AND_END_SEARCH the first hit that is accepted is the closest; any-hit shaders run for no other.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint any; uint primitive; float t; uint closest; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { ++p.any; p.primitive = PrimitiveIndex(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    p.closest += 1 + (PrimitiveIndex() == p.primitive) * 10;
    p.primitive = PrimitiveIndex();
    p.t = RayTCurrent();
}
[shader("miss")] void Miss(inout Payload p) { p.closest = 99; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0, 0, 0 };
    TraceRay(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 0xff, 0, 0, 0, to(0), p);
    IS(p.any, 1); IS(p.closest, 11); ISF(p.t, 10 + p.primitive * 3 % 8);
    // Opaque: any of the eight, and one closest-hit shader.
    Payload q = { 0, 0, 0, 0 };
    TraceRay(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 0xff, 0, 0, 0, to(1), q);
    IS(q.any, 0); IS(q.closest % 10, 1); ISF(q.t, 10 + q.primitive * 3 % 8);
    done(6);
}
