// RayTCurrent in an intersection shader: the closest hit so far, which a report that is accepted changes and one that is not does not.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint ignore; float t; float any; };
struct Attributes { float2 told; };
[shader("intersection")] void Intersect()
{
    Attributes a = { float2(RayTCurrent(), 0) };
    bool first = ReportHit(30, 0, a);
    a.told.y = RayTCurrent();
    // Redundant runs begin with what was found before.
    if (a.told.x > 30 || !first)
        ReportHit(20, 1, a);
}
[shader("anyhit")] void Any(inout Payload p, in Attributes a)
{
    p.any = RayTCurrent();
    if (p.ignore && HitKind() == 0)
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.t = a.told.x * 1000 + a.told.y; }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
ProceduralPrimitiveHitGroup Group = { "Any", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    bool ignore = thread() & 1;
    Payload p = { ignore, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0, 0, 64), p);
    ISF(p.t, ignore ? 64064 : 64030); ISF(p.any, 20);
    done(2);
}
