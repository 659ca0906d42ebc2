// Queries of a partitioned structure. For the CPU device
// alone: lavapipe 25.0.7 has no partitioned structures.
// rtc -T lib_6_10
// scene: Inputs/partitions.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    static const uint INDEX[6] = { 0, 1, 5, 3, 99, 7 };
    static const float T[6] = { 12, 12, 6, 10, 1000, 9 };
    uint i = thread() % 6;
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(i));
    IS(q.Proceed(), 0); ISF(q.CommittedRayT(), T[i]); IS(q.CommittedStatus(), i == 4 ? COMMITTED_NOTHING : COMMITTED_TRIANGLE_HIT);
    if (i != 4)
    {
        IS(q.CommittedInstanceIndex(), INDEX[i]); IS(q.CommittedInstanceContributionToHitGroupIndex(), i == 2);
    }
    done(i == 4 ? 3 : 5);
}
