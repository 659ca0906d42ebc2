// Queries of a partitioned structure.
// rtc -T lib_6_5
// scene: Inputs/partitions_everywhere.toml
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    static const uint INDEX[6] = { 0, 1, 5, 3, 99, 7 };
    static const float T[6] = { 12, 12, 6, 9, 1000, 9 };
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
