// Queries in closest-hit, any-hit, miss, intersection and callable shaders, in addition to the trace that runs them.
// rtc -T lib_6_5
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define ATTRIBUTE_BYTES 8
#include "Inputs/dxr.hlsli"

struct Payload { float any; float closest; float called; };
struct Attributes { float found; };
// A triangle i is 10 away, a box is a candidate and no more.
float look(uint i)
{
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(i, 0, 500));
    float boxes = 0;
    while (q.Proceed())
        boxes += 1;
    return q.CommittedRayT() + boxes * 1000;
}
[shader("callable")] void Call(inout Payload c) { c.called = look(0); }
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.any = look(2); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.closest = look(12); CallShader(0, p); }
[shader("intersection")] void Intersect() { Attributes a = { look(3) }; ReportHit(9, 0, a); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Attributes a) { p.closest = a.found; }
[shader("miss")] void Miss(inout Payload p) { p.closest = look(20); }
TriangleHitGroup Group1 = { "Any", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1), p);
    ISF(p.any, 10); ISF(p.closest, 1500); ISF(p.called, 10);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(13), p);
    ISF(p.closest, 10);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), p);
    ISF(p.closest, 500);
    done(5);
}
