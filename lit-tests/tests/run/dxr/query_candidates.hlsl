// Triangles that are not opaque are candidates: all of them while none is committed, and each once.
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
    uint seen = 0, steps = 0, wrong = 0;
    while (q.Proceed())
    {
        seen |= 1u << q.CandidatePrimitiveIndex();
        ++steps;
        wrong += q.CandidateType() != CANDIDATE_NON_OPAQUE_TRIANGLE || q.CommittedStatus() != COMMITTED_NOTHING || q.CommittedRayT() != 1000;
        wrong += q.CandidateTriangleRayT() != 10 + q.CandidatePrimitiveIndex() * 3 % 8;
    }
    IS(seen, 0xff); IS(steps, 8); IS(wrong, 0); IS(q.CommittedStatus(), COMMITTED_NOTHING);
    done(4);
}
