// InstanceIndex counts instances in their order, InstanceID is what the host says.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint index; uint id; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.index = InstanceIndex(); p.id = InstanceID(); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Triangle a) { p.index = InstanceIndex(); p.id = InstanceID(); }
[shader("intersection")] void Intersect() { Triangle a = { float2(0, 0) }; ReportHit(9, 33, a); }
TriangleHitGroup Group1 = { "", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

[shader("raygeneration")] void Main()
{
    Payload p = { 99, 99 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(thread()), p);
    IS(p.index, thread()); IS(p.id, 100 + thread());
    done(2);
}
