// Every value of a candidate.
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
    IS(q.Proceed(), 1);
    IS3(q.WorldRayOrigin(), BEGIN[place]); IS3(q.WorldRayDirection(), float3(0, 0, 2)); ISF(q.RayTMin(), 0.125);
    HitValues h;
    h.origin = q.CandidateObjectRayOrigin(); h.direction = q.CandidateObjectRayDirection();
    h.index = q.CandidateInstanceIndex(); h.id = q.CandidateInstanceID(); h.geometry = q.CandidateGeometryIndex(); h.primitive = q.CandidatePrimitiveIndex();
    check(h, place); IS(q.CandidateInstanceContributionToHitGroupIndex(), place == 3);
    if (place != 3)
    {
        ISF(q.CandidateTriangleRayT(), DISTANCE[place]); IS(q.CandidateTriangleFrontFace(), 1);
        // (0.25, -0.25) is a quarter and three eighths from the first vertex.
        ISF(q.CandidateTriangleBarycentrics().x, 0.375); ISF(q.CandidateTriangleBarycentrics().y, 0.4375);
    }
    else
        IS(q.CandidateProceduralPrimitiveNonOpaque(), 1);
    done(place == 3 ? 20 : 23);
}
