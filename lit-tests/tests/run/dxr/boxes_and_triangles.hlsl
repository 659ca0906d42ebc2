// An opaque box farther away than one with any-hit shaders, each geometry with its own opacity.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint ignore; uint any; float t; };
struct Attributes { uint n; };
[shader("intersection")] void Intersect() { Attributes a = { PrimitiveIndex() }; ReportHit(10 + ObjectRayOrigin().y + (RayTMin() < 1 ? 0 : 4), 0, a); }
[shader("anyhit")] void Any(inout Payload p, in Attributes a)
{
    ++p.any;
    if (p.ignore)
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.t = RayTCurrent(); }
[shader("anyhit")] void AnyTriangle(inout Payload p, in Triangle a) { p.any += 10; }
[shader("closesthit")] void ClosestTriangle(inout Payload p, in Triangle a) { p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
ProceduralPrimitiveHitGroup Group1 = { "Any", "Closest", "Intersect" };
TriangleHitGroup Group2 = { "AnyTriangle", "ClosestTriangle" };

[shader("raygeneration")] void Main()
{
    Payload p = { thread() & 1, 0, 0 };
    // The second box alone, opaque: no any-hit shader.
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(20.25, 0, 2), float3(0, 0, 1), 0, 100), p);
    ISF(p.t, 10); IS(p.any, 0);
    // The first box alone.
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(20.25, 0, 2), float3(0, 0, -1), 0, 100), p);
    ISF(p.t, thread() & 1 ? -1 : 10); IS(p.any >= 1, 1);
    Payload q = { thread() & 1, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(3), q);
    ISF(q.t, 10); IS(q.any, 10);
    done(6);
}
