// The four matrices in closest-hit shaders.
// rtc -T lib_6_5
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/values.hlsli"

struct Payload { Matrices m; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.m = matrices(); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Triangle a) { p.m = matrices(); }
[shader("intersection")] void Intersect() { Triangle a = { float2(0, 0) }; ReportHit(3.75, 33, a); }
TriangleHitGroup Group1 = { "", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint place = thread() & 3;
    Payload p = (Payload)0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, toMoved(place), p);
    check(p.m, place);
    done(48);
}
