// Abort ends a query: Proceed is false from then on, and what was committed stays.
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
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    uint steps = 0, last = 99;
    while (q.Proceed())
    {
        last = q.CandidatePrimitiveIndex();
        q.CommitNonOpaqueTriangleHit();
        ++steps;
        q.Abort();
    }
    IS(steps, 1); IS(q.Proceed(), 0); IS(q.CommittedStatus(), COMMITTED_TRIANGLE_HIT); IS(q.CommittedPrimitiveIndex(), last);
    ISF(q.CommittedRayT(), 10 + last * 3 % 8);
    // Before the first step, and again from the beginning.
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    q.Abort();
    IS(q.Proceed(), 0); IS(q.CommittedStatus(), COMMITTED_NOTHING);
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    IS(q.Proceed(), 1);
    done(8);
}
