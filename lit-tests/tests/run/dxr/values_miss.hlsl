// System values in miss shaders; RayTCurrent is TMax.
// rtc -T lib_6_5
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/values.hlsli"

struct Payload { Values v; };
[shader("miss")] void Miss(inout Payload p) { p.v = values(); }
TriangleHitGroup Group1 = { "", "" };
TriangleHitGroup Group2 = { "", "" };

[shader("raygeneration")] void Main()
{
    uint place = thread() & 3, flags = RAY_FLAG_CULL_OPAQUE | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER;
    Payload p = (Payload)0;
    TraceRay(Scene, flags, 0, 0, 0, 0, toMoved(place, 31), p);
    check(p.v, place, 31, flags);
    done(18);
}
