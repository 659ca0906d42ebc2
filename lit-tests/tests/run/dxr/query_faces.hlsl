// Facing of candidates and of committed triangles, and culling by it.
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
    uint i = thread() % 12;
    bool behind = 0x0b50 >> i & 1, kept = 0x0060 >> i & 1;
    RayQuery<RAY_FLAG_FORCE_NON_OPAQUE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(i));
    IS(q.Proceed(), 1); IS(q.CandidateTriangleFrontFace(), !behind);
    q.CommitNonOpaqueTriangleHit();
    IS(q.Proceed(), 0); IS(q.CommittedTriangleFrontFace(), !behind);
    q.TraceRayInline(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, to(i));
    IS(q.Proceed(), !behind || kept);
    q.TraceRayInline(Scene, RAY_FLAG_CULL_FRONT_FACING_TRIANGLES, 0xff, to(i));
    IS(q.Proceed(), behind || kept);
    done(6);
}
