// Boxes are candidates, opaque or not; what is committed has the distance that the shader says.
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
    uint place = 2 + (thread() & 1);
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(place));
    uint seen = 0, wrong = 0;
    while (q.Proceed())
    {
        wrong += q.CandidateType() != CANDIDATE_PROCEDURAL_PRIMITIVE;
        wrong += q.CandidateProceduralPrimitiveNonOpaque() != (place == 2);
        wrong += q.CandidateInstanceID() != place;
        uint i = q.CandidatePrimitiveIndex();
        seen |= 1u << i;
        // Two of them are hit, the middles of boxes.
        float t = 10.25 + i * 3 % 8;
        if ((i == 2 || i == 7) && t <= q.CommittedRayT())
        {
            q.CommitProceduralPrimitiveHit(t);
            wrong += q.CommittedStatus() != COMMITTED_PROCEDURAL_PRIMITIVE_HIT || q.CommittedRayT() != t;
        }
    }
    // Boxes beyond the nearer one (at z = 5) may have been left out.
    IS(wrong, 0); IS(seen & 0xdb, 0xdb); ISF(q.CommittedRayT(), 15.25); IS(q.CommittedPrimitiveIndex(), 7);
    IS(q.CommittedStatus(), COMMITTED_PROCEDURAL_PRIMITIVE_HIT);
    done(5);
}
