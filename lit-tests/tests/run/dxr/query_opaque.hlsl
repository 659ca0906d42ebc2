// A query that meets opaque triangles alone is done after one Proceed: the nearest is committed.
// rtc -T lib_6_5
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    uint layer = thread() & 7;
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, ray(float3(10.25, -0.25, layer - 0.5), float3(0, 0, 1)));
    IS(q.Proceed(), 0); IS(q.CommittedStatus(), COMMITTED_TRIANGLE_HIT);
    IS(q.CommittedPrimitiveIndex() * 3 % 8, layer); ISF(q.CommittedRayT(), 0.5); IS(q.CommittedInstanceID(), 1);
    done(5);
}
