// CommitNonOpaqueTriangleHit: the nearest of the committed ones stays, its distance ends the ray, and once more changes nothing.
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
    uint allowed = thread() * 0x11, wrong = 0;
    float nearest = 1000;
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    while (q.Proceed())
    {
        float t = q.CandidateTriangleRayT();
        wrong += t > q.CommittedRayT() || q.CommittedRayT() != nearest;
        if (allowed >> q.CandidatePrimitiveIndex() & 1)
        {
            q.CommitNonOpaqueTriangleHit();
            q.CommitNonOpaqueTriangleHit();
            nearest = t;
            wrong += q.CommittedRayT() != t || q.CommittedStatus() != COMMITTED_TRIANGLE_HIT || q.CommittedPrimitiveIndex() != q.CandidatePrimitiveIndex();
        }
    }
    float must = 1000;
    for (uint i = 0; i < 8; ++i)
        if (allowed >> i & 1)
            must = min(must, 10 + i * 3 % 8);
    IS(wrong, 0); ISF(q.CommittedRayT(), must); IS(q.CommittedStatus(), allowed != 0 ? COMMITTED_TRIANGLE_HIT : COMMITTED_NOTHING);
    done(3);
}
