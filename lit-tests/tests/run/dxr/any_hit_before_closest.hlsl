// At the closest hit the any-hit shader runs before the closest-hit shader, which sees what it wrote.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint steps; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.steps = p.steps * 10 + 1; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.steps = p.steps * 10 + 2; }
[shader("miss")] void Miss(inout Payload p) { p.steps = p.steps * 10 + 3; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1), p);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), p);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.steps, 1232);
    done(1);
}
