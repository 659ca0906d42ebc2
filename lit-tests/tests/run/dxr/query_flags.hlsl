// RayFlags of a query are those of its type and those of the call.
// rtc -T lib_6_5
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    RayQuery<RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> q;
    uint more = thread() & 1 ? RAY_FLAG_CULL_BACK_FACING_TRIANGLES : RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH;
    q.TraceRayInline(Scene, more, 0xff, to(8, 0.25));
    IS(q.Proceed(), 0);
    IS(q.RayFlags(), more | 0x201); ISF(q.RayTMin(), 0.25); IS3(q.WorldRayOrigin(), float3(80.25, -0.25, -10)); IS3(q.WorldRayDirection(), float3(0, 0, 1));
    // The triangle there is seen from the back.
    IS(q.CommittedStatus(), thread() & 1 ? COMMITTED_NOTHING : COMMITTED_TRIANGLE_HIT);
    done(10);
}
