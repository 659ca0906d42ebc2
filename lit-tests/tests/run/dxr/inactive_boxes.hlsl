// Boxes with a NaN as their smallest x are inactive, and count in the indices of the others.
// rtc -T lib_6_3
// scene: Inputs/inactive.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint seen; uint primitive; };
struct Attributes { uint n; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = 88; }
[shader("intersection")] void Intersect() { Attributes a = { PrimitiveIndex() }; ReportHit(10 + PrimitiveIndex(), 0, a); }
[shader("anyhit")] void Any(inout Payload p, in Attributes a) { p.seen |= 1u << a.n; IgnoreHit(); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Attributes a) { p.primitive = PrimitiveIndex(); }
[shader("miss")] void Miss(inout Payload p) { p.primitive = 99; }
TriangleHitGroup Group1 = { "", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "Any", "ClosestBox", "Intersect" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1), p);
    IS(p.seen, 10); IS(p.primitive, 99);
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, to(1), p);
    IS(p.primitive, 1);
    done(3);
}
