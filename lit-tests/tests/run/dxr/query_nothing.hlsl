// A query that meets nothing: the status says so, and the committed distance is TMax.
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
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(20, 0, 60 + thread()));
    IS(q.CommittedStatus(), COMMITTED_NOTHING);
    IS(q.Proceed(), 0); IS(q.CommittedStatus(), COMMITTED_NOTHING); ISF(q.CommittedRayT(), 60 + thread());
    IS(q.Proceed(), 0); IS(q.Proceed(), 0);
    // Masks that share nothing.
    q.TraceRayInline(Scene, 0, 0xff00, to(1));
    IS(q.Proceed(), 0); IS(q.CommittedStatus(), COMMITTED_NOTHING); ISF(q.CommittedRayT(), 1000);
    done(9);
}
