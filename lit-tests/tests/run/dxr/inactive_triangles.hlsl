// Triangles with a NaN in a vertex's x are inactive, and count in the indices of the others.
// rtc -T lib_6_3
// scene: Inputs/inactive.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint seen; uint primitive; float t; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.seen |= 1u << PrimitiveIndex(); IgnoreHit(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = PrimitiveIndex(); p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.primitive = 99; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.seen, 10); IS(p.primitive, 99);
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, to(0), p);
    IS(p.primitive, 1); ISF(p.t, 11);
    done(4);
}
