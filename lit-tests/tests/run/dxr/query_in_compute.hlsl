// Queries in a compute shader: candidates, commits, several at once.
// rtc -T lib_6_5
// scene: Inputs/stack_compute.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define COMPUTE
#include "Inputs/dxr.hlsli"

[shader("compute")] [numthreads(8, 1, 1)] void Main(uint3 id : SV_DispatchThreadID)
{
    Thread = id.x;
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    uint seen = 0;
    while (q.Proceed())
    {
        seen |= 1u << q.CandidatePrimitiveIndex();
        if (q.CandidatePrimitiveIndex() == id.x % 8)
            q.CommitNonOpaqueTriangleHit();
    }
    IS(seen >> id.x % 8 & 1, 1); ISF(q.CommittedRayT(), 10 + id.x % 8 * 3 % 8); IS(q.CommittedStatus(), COMMITTED_TRIANGLE_HIT);
    RayQuery<RAY_FLAG_SKIP_TRIANGLES> boxes;
    boxes.TraceRayInline(Scene, 0, 0xff, to(3));
    while (boxes.Proceed())
        if (boxes.CandidatePrimitiveIndex() == 3)
            boxes.CommitProceduralPrimitiveHit(11.5);
    IS(boxes.CommittedStatus(), COMMITTED_PROCEDURAL_PRIMITIVE_HIT); ISF(boxes.CommittedRayT(), 11.5); IS(boxes.CommittedInstanceID(), 3);
    done(6);
}
