// Several queries at once, one step of each in turn, disturb each other no more than variables do.
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
    RayQuery<RAY_FLAG_NONE> a;
    RayQuery<RAY_FLAG_FORCE_NON_OPAQUE> b;
    RayQuery<RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> c;
    a.TraceRayInline(Scene, 0, 0xff, to(0));
    b.TraceRayInline(Scene, 0, 0xff, to(1));
    c.TraceRayInline(Scene, 0, 0xff, to(0));
    uint seenA = 0, seenB = 0, wrong = 0;
    bool moreA = true, moreB = true;
    while (moreA || moreB)
    {
        if (moreA && (moreA = a.Proceed()))
            seenA |= 1u << a.CandidatePrimitiveIndex();
        if (moreB && (moreB = b.Proceed()))
        {
            seenB |= 1u << b.CandidatePrimitiveIndex();
            wrong += b.CandidateInstanceID() != 1;
            if (b.CandidatePrimitiveIndex() == thread() % 8)
                b.CommitNonOpaqueTriangleHit();
        }
        wrong += moreA && a.CandidateInstanceID() != 0;
    }
    IS(c.Proceed(), 0);
    IS(seenA, 0xff); IS(seenB >> thread() % 8 & 1, 1); IS(wrong, 0); IS(a.CommittedStatus(), COMMITTED_NOTHING);
    ISF(b.CommittedRayT(), 10 + thread() % 8 * 3 % 8); ISF(c.CommittedRayT(), 10); IS(c.CommittedInstanceID(), 0);
    done(8);
}
