// The four matrices of a candidate and of what is committed.
// rtc -T lib_6_5
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/values.hlsli"

[shader("raygeneration")] void Main()
{
    uint place = thread() & 3;
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, toMoved(place));
    Matrices a;
    while (q.Proceed())
    {
        a.toWorld = q.CandidateObjectToWorld3x4(); a.toWorldT = q.CandidateObjectToWorld4x3();
        a.toObject = q.CandidateWorldToObject3x4(); a.toObjectT = q.CandidateWorldToObject4x3();
        if (place == 3) q.CommitProceduralPrimitiveHit(3.875);
        else q.CommitNonOpaqueTriangleHit();
    }
    check(a, place);
    a.toWorld = q.CommittedObjectToWorld3x4(); a.toWorldT = q.CommittedObjectToWorld4x3();
    a.toObject = q.CommittedWorldToObject3x4(); a.toObjectT = q.CommittedWorldToObject4x3();
    check(a, place);
    done(96);
}
