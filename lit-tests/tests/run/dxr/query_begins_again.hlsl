// TraceRayInline begins a query again, whatever state it is in.
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
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    q.TraceRayInline(Scene, 0, 0xff, to(0, 0, 300));
    ISF(q.CommittedRayT(), 300);
    IS(q.Proceed(), 1);
    q.CommitNonOpaqueTriangleHit();
    // In the middle of the candidates.
    q.TraceRayInline(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, to(0, 5, 200));
    IS(q.CommittedStatus(), COMMITTED_NOTHING); ISF(q.CommittedRayT(), 200); IS(q.RayFlags(), RAY_FLAG_FORCE_OPAQUE); ISF(q.RayTMin(), 5);
    IS(q.Proceed(), 0); ISF(q.CommittedRayT(), 10);
    // After the end.
    q.TraceRayInline(Scene, 0, 0xff, to(20, 0, 100));
    IS(q.Proceed(), 0); IS(q.CommittedStatus(), COMMITTED_NOTHING); ISF(q.CommittedRayT(), 100);
    done(11);
}
