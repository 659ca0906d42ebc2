// A query's triangles are strictly between TMin and TMax.
// rtc -T lib_6_5
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

uint candidates(float begin, float end)
{
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(3, begin, end));
    uint n = 0;
    while (q.Proceed())
        ++n;
    return n;
}
[shader("raygeneration")] void Main()
{
    IS(candidates(0, 100), 1); IS(candidates(10, 100), 0); IS(candidates(0, 10), 0); IS(candidates(9.99, 10.01), 1); IS(candidates(10, 10), 0);
    done(5);
}
