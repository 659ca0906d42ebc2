// Miss shaders that trace, and closest-hit shaders that trace rays which miss, in turns.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define DEPTH 6
#include "Inputs/dxr.hlsli"

struct Payload { uint left; uint trail; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    p.trail = p.trail * 4 + 1;
    if (--p.left != 0)
        TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), p);
}
[shader("miss")] void Miss(inout Payload p)
{
    p.trail = p.trail * 4 + 2;
    if (--p.left != 0)
        TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
}
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    uint depth = thread() % 6 + 1;
    bool miss = thread() >= 8;
    Payload p = { depth, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(miss ? 20 : 0), p);
    uint must = 0;
    for (uint i = 0; i < depth; ++i)
        must = must * 4 + 1 + ((i & 1) != uint(miss));
    IS(p.trail, must); IS(p.left, 0);
    done(2);
}
