// The four matrices in any-hit shaders.
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
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.m = matrices(); }
[shader("anyhit")] void AnyBox(inout Payload p, in Triangle a) { p.m = matrices(); IgnoreHit(); }
[shader("intersection")] void Intersect() { Triangle a = { float2(0, 0) }; ReportHit(3.75, 33, a); }
[shader("miss")] void Miss(inout Payload p) { }
TriangleHitGroup Group1 = { "Any", "" };
ProceduralPrimitiveHitGroup Group2 = { "AnyBox", "", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint place = thread() & 3;
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, toMoved(place), p);
    check(p.m, place);
    done(48);
}
