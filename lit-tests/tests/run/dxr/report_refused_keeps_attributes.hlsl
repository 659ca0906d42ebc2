// A report that is refused, because it is beyond the closest hit or because the any-hit shader ignores it, leaves kind and attributes of
// the accepted one.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define ATTRIBUTE_BYTES 8
#include "Inputs/dxr.hlsli"

struct Payload { float t; uint kind; uint2 told; };
struct Attributes { uint2 told; };
void report(float t, uint kind) { Attributes a = { uint2(kind * 3, kind * 5) }; ReportHit(t, kind, a); }
[shader("intersection")] void Intersect() { report(14, 2); report(17, 3); report(12, 7); report(0.5, 6); }
[shader("anyhit")] void Any(inout Payload p, in Attributes a)
{
    if (a.told.x == 21)
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.t = RayTCurrent(); p.kind = HitKind(); p.told = a.told; }
[shader("miss")] void Miss(inout Payload p) { p.kind = 99; }
ProceduralPrimitiveHitGroup Group = { "Any", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0, uint2(0, 0) };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0, 1), p);
    ISF(p.t, 14); IS(p.kind, 2); IS(p.told.x, 6); IS(p.told.y, 10);
    done(4);
}
