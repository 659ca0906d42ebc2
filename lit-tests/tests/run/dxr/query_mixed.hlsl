// Opaque triangles are committed between the candidates: those beyond the committed hit are no candidates.
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
    // Not opaque at z = 0, 2, 3, 6; opaque at 1 and 5.
    bool commit = thread() & 1;
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, ray(float3(40.25, -0.25, 0.5), float3(0, 0, 1)));
    while (q.Proceed())
        if (commit)
            q.CommitNonOpaqueTriangleHit();
    ISF(q.CommittedRayT(), 0.5); IS(q.CommittedGeometryIndex(), 0); IS(q.CommittedInstanceID(), 4);
    q.TraceRayInline(Scene, 0, 0xff, ray(float3(40.25, -0.25, 1.5), float3(0, 0, 1)));
    while (q.Proceed())
        if (commit)
            q.CommitNonOpaqueTriangleHit();
    ISF(q.CommittedRayT(), commit ? 0.5 : 3.5); IS(q.CommittedInstanceID(), commit ? 5 : 4); IS(q.CommittedPrimitiveIndex(), 1);
    done(6);
}
