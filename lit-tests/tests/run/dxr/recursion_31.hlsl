// The deepest recursion that may be declared.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define DEPTH 31
#include "Inputs/dxr.hlsli"

struct Payload { uint left; uint count; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    if (--p.left != 0)
        TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    ++p.count;
}
[shader("miss")] void Miss(inout Payload p) { p.count = 99; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    uint depth = 31 - thread();
    Payload p = { depth, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.count, depth); IS(p.left, 0);
    done(2);
}
