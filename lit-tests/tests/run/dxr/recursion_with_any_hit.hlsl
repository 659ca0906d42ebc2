// A closest-hit shader traces a ray whose any-hit shaders run: those of the outer ray are done, and its values come back.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define DEPTH 2
#include "Inputs/dxr.hlsli"

struct Payload { uint any; uint left; float t; float inner; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { ++p.any; IgnoreHit(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    float before = RayTCurrent(), other = WorldRayOrigin().x;
    Payload next = { 0, 0, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0, 0, 20), next);
    p.any += next.any * 100;
    p.inner = next.t;
    p.t = RayTCurrent() == before && WorldRayOrigin().x == other ? RayTCurrent() : -1;
}
[shader("miss")] void Miss(inout Payload p) { p.t = RayTCurrent(); }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 1, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1), p);
    IS(p.any, 800); ISF(p.t, 10); ISF(p.inner, 20);
    done(3);
}
