// Every value of what is committed, of triangles and of boxes.
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
    while (q.Proceed())
        if (q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) q.CommitNonOpaqueTriangleHit();
        else q.CommitProceduralPrimitiveHit(3.875);
    HitValues h;
    h.origin = q.CommittedObjectRayOrigin(); h.direction = q.CommittedObjectRayDirection();
    h.index = q.CommittedInstanceIndex(); h.id = q.CommittedInstanceID(); h.geometry = q.CommittedGeometryIndex(); h.primitive = q.CommittedPrimitiveIndex();
    check(h, place); IS(q.CommittedInstanceContributionToHitGroupIndex(), place == 3); ISF(q.CommittedRayT(), place == 3 ? 3.875 : DISTANCE[place]);
    if (place != 3)
    {
        IS(q.CommittedTriangleFrontFace(), 1); ISF(q.CommittedTriangleBarycentrics().x, 0.375); ISF(q.CommittedTriangleBarycentrics().y, 0.4375);
    }
    done(place == 3 ? 12 : 15);
}
