// A box whose minimum is above its maximum has no inside: rays that pass its centre by do not meet it.
// rtc -T lib_6_3
// scene: Inputs/inactive.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint primitive; };
struct Attributes { uint n; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = 88; }
[shader("intersection")] void Intersect() { Attributes a = { PrimitiveIndex() }; ReportHit(PrimitiveIndex() == 0 ? 9 : 14, 0, a); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Attributes a) { p.primitive = a.n; }
[shader("miss")] void Miss(inout Payload p) { p.primitive = 99; }
TriangleHitGroup Group1 = { "", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(40.75, -0.75, -10), float3(0, 0, 1)), p);
    IS(p.primitive, 1);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(40.75, -3, -10), float3(0, 0, 1)), p);
    IS(p.primitive, 99);
    done(2);
}
