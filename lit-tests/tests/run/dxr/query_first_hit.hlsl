// With ACCEPT_FIRST_HIT_AND_END_SEARCH the first commit ends the query, by the shader or of an opaque triangle.
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
    RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH> q;
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    uint wanted = thread() & 7, commits = 0;
    while (q.Proceed())
        if (q.CandidatePrimitiveIndex() == wanted) { q.CommitNonOpaqueTriangleHit(); ++commits; }
    IS(commits, 1); IS(q.CommittedPrimitiveIndex(), wanted); ISF(q.CommittedRayT(), 10 + wanted * 3 % 8);
    q.TraceRayInline(Scene, 0, 0xff, to(1));
    IS(q.Proceed(), 0); IS(q.CommittedStatus(), COMMITTED_TRIANGLE_HIT); ISF(q.CommittedRayT(), 10 + q.CommittedPrimitiveIndex() * 3 % 8);
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    commits = 0;
    while (q.Proceed()) { q.CommitNonOpaqueTriangleHit(); ++commits; }
    IS(commits, 1);
    done(7);
}
