// Where a structure has no clusters, every cluster id is CLUSTER_ID_INVALID: in any-hit and closest-hit shaders and of queries.
// rtc -T lib_6_10
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct [raypayload] Payload { uint any EVERYWHERE; uint closest EVERYWHERE; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.any = ClusterID(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.closest = ClusterID(); }
[shader("miss")] void Miss(inout Payload p) { p.closest = 1; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1), p);
    IS(p.any, CLUSTER_ID_INVALID); IS(p.closest, 0xffffffff);
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(1));
    while (q.Proceed())
    {
        IS(q.CandidateClusterID(), CLUSTER_ID_INVALID);
        q.CommitNonOpaqueTriangleHit();
    }
    IS(q.CommittedClusterID(), CLUSTER_ID_INVALID);
    done(4);
}
