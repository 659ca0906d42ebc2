// Ray queries: every method, candidates of both kinds, flags of type and call, queries in loops, functions and methods.
// options: -T lib_6_5
// RUN: %rtc -T lib_6_5 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_5 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_5 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_5 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

RaytracingAccelerationStructure Mixed : register(t10);

RayDesc ray(uint i)
{
    RayDesc r;
    r.Origin = float3(inF(i) * 0.125 + 0.013, inF(i + 8) * 0.125 - 0.017, -6);
    r.Direction = float3(inF(i + 16) * 0.01, 0.05, 1);
    r.TMin = 0.25;
    r.TMax = 100;
    return r;
}
void both(RayQuery<RAY_FLAG_NONE> q)
{
    putF3(q.WorldRayOrigin()); putF3(q.WorldRayDirection()); putF(q.RayTMin()); putU(q.RayFlags());
}
void candidate(RayQuery<RAY_FLAG_NONE> q)
{
    both(q);
    putU(q.CandidateType());
    putU(q.CandidateInstanceIndex()); putU(q.CandidateInstanceID()); putU(q.CandidateGeometryIndex());
    putU(q.CandidatePrimitiveIndex()); putU(q.CandidateInstanceContributionToHitGroupIndex());
    putF3(q.CandidateObjectRayOrigin()); putF3(q.CandidateObjectRayDirection());
    putF3(mul(q.CandidateObjectToWorld3x4(), float4(1, 2, 3, 1)));
    putF3(mul(float4(1, 2, 3, 1), q.CandidateWorldToObject4x3()));
    putF3(mul(q.CandidateWorldToObject3x4(), float4(3, 2, 3, 1)));
    putF3(mul(float4(1, 2, 4, 1), q.CandidateObjectToWorld4x3()));
}
void committed(RayQuery<RAY_FLAG_NONE> q)
{
    putU(q.CommittedInstanceIndex()); putU(q.CommittedInstanceID()); putU(q.CommittedGeometryIndex());
    putU(q.CommittedPrimitiveIndex()); putU(q.CommittedInstanceContributionToHitGroupIndex());
    putF3(q.CommittedObjectRayOrigin()); putF3(q.CommittedObjectRayDirection());
    putF3(mul(q.CommittedObjectToWorld3x4(), float4(1, 2, 3, 1)));
    putF3(mul(float4(1, 2, 3, 1), q.CommittedWorldToObject4x3()));
    putF3(q.CommittedWorldToObject3x4()[1].xyz);
    putF3(q.CommittedObjectToWorld4x3()[3]);
    putF(q.CommittedRayT());
}
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 3; ++i)
    {
        RayQuery<RAY_FLAG_NONE> q;
        uint flags = i == 1 ? RAY_FLAG_FORCE_NON_OPAQUE : RAY_FLAG_NONE, mask = i == 2 ? 2 : i == 0 ? 1 : 3;
        // Candidates come in any order: what is written is about one of them at a time, and nothing is committed that could hide another.
        for (uint about = 0; about < 8; ++about)
        {
            uint triangles = 0, boxes = 0;
            q.TraceRayInline(Mixed, flags, mask, ray(i));
            while (q.Proceed())
            {
                bool flat = q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE;
                if ((flat ? 0 : 4) + q.CandidateGeometryIndex() * 2 + q.CandidatePrimitiveIndex() != about)
                    continue;
                candidate(q);
                if (flat)
                {
                    ++triangles;
                    putF(q.CandidateTriangleRayT()); putF2(q.CandidateTriangleBarycentrics()); putB(q.CandidateTriangleFrontFace());
                }
                else
                {
                    ++boxes;
                    putB(q.CandidateProceduralPrimitiveNonOpaque());
                }
            }
            putU(triangles); putU(boxes); putU(q.CommittedStatus());
        }
        q.TraceRayInline(Mixed, flags, i == 2 ? 2 : 3, ray(i));
        while (q.Proceed())
        {
            if (q.CandidateType() == CANDIDATE_PROCEDURAL_PRIMITIVE)
            {
                float z = q.CandidatePrimitiveIndex() == 0 ? -1 : 8;
                float t = (z - q.CandidateObjectRayOrigin().z) / q.CandidateObjectRayDirection().z;
                if (t >= q.RayTMin() && t <= q.CommittedRayT())
                    q.CommitProceduralPrimitiveHit(t);
            }
            else if (q.CandidateTriangleBarycentrics().x > 0.25)
                q.CommitNonOpaqueTriangleHit();
        }
        putU(q.CommittedStatus());
        switch (q.CommittedStatus())
        {
        case COMMITTED_NOTHING:
            putU(1000);
            break;
        case COMMITTED_TRIANGLE_HIT:
            committed(q);
            putF2(q.CommittedTriangleBarycentrics()); putB(q.CommittedTriangleFrontFace());
            break;
        case COMMITTED_PROCEDURAL_PRIMITIVE_HIT:
            committed(q);
            break;
        }
    }
    RayQuery<RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> closest;
    RayQuery<RAY_FLAG_CULL_NON_OPAQUE | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH> shadow;
    for (uint k = 4; k < 8; ++k)
    {
        closest.TraceRayInline(Mixed, RAY_FLAG_CULL_BACK_FACING_TRIANGLES & (k & 1 ? ~0u : 0u), 255, ray(k));
        shadow.TraceRayInline(Mixed, 0, 255, ray(k));
        while (closest.Proceed()) {}
        while (shadow.Proceed()) {}
        putU(closest.CommittedStatus()); putU(shadow.CommittedStatus());
        if (closest.CommittedStatus() == COMMITTED_TRIANGLE_HIT)
        {
            putF(closest.CommittedRayT()); putU(closest.CommittedGeometryIndex()); putU(closest.RayFlags());
        }
    }
    RayQuery<0> some;
    some.TraceRayInline(Mixed, RAY_FLAG_FORCE_NON_OPAQUE, 255, ray(1));
    uint steps = 0;
    while (some.Proceed()) { if (++steps == 2) some.Abort(); }
    putU(steps);
}
