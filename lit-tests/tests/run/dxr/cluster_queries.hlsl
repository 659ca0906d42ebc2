// What queries see of clusters: ids of candidates and of what is committed. For the CPU device
// alone: lavapipe 25.0.7 has no clusters.
// rtc -T lib_6_10
// scene: Inputs/clusters.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    static const float X[7] = { 0, 2.5, 5, 7.5, 10, 20, 30 };
    static const uint ID[7] = { 7, 7, 0x80000001, 105, 99, CLUSTER_ID_INVALID, 0 }, PRIMITIVE[7] = { 0, 1, 0, 0, 0, 0, 0 }, GEOMETRY[7] = { 3, 5, 12, 16, 20, 0, 99 };
    uint i = thread() % 7, wrong = 0, steps = 0;
    RayQuery<RAY_FLAG_NONE, RAYQUERY_FLAG_ALLOW_CLUSTERED_GEOMETRY> q;
    q.TraceRayInline(Scene, 0, 0xff, ray(float3(X[i], -0.25, -10), float3(0, 0, 1)));
    while (q.Proceed())
    {
        ++steps;
        wrong += q.CandidateClusterID() != ID[i] || q.CandidatePrimitiveIndex() != PRIMITIVE[i] || q.CandidateGeometryIndex() != GEOMETRY[i];
        q.CommitNonOpaqueTriangleHit();
    }
    IS(wrong, 0); IS(steps, i != 1 && i != 6); IS(q.CommittedStatus(), i == 6 ? COMMITTED_NOTHING : COMMITTED_TRIANGLE_HIT);
    if (i != 6)
    {
        IS(q.CommittedClusterID(), ID[i]); IS(q.CommittedPrimitiveIndex(), PRIMITIVE[i]); IS(q.CommittedGeometryIndex(), GEOMETRY[i]);
    }
    done(i == 6 ? 3 : 6);
}
