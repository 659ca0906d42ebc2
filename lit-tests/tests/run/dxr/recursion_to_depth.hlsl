// Closest-hit shaders that trace, down to the depth that is declared; each level's variables are its own.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define DEPTH 8
#include "Inputs/dxr.hlsli"

struct Payload { uint left; uint trail; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    uint mine = p.left * 3;
    p.trail += 1;
    if (p.left > 1)
    {
        Payload next = { p.left - 1, p.trail };
        TraceRay(Scene, 0, 0xff, 0, 0, 0, to(p.left & 3), next);
        p.trail = next.trail;
    }
    p.trail = p.trail * 2 + (mine == p.left * 3);
}
[shader("miss")] void Miss(inout Payload p) { p.trail = 0; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    uint depth = thread() % 8 + 1;
    Payload p = { depth, 0 };
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, to(0), p);
    // d levels down it is d, then doubled and one more on each of d levels up.
    uint must = depth;
    for (uint i = 0; i < depth; ++i)
        must = must * 2 + 1;
    IS(p.trail, must); IS(p.left, depth);
    done(2);
}
