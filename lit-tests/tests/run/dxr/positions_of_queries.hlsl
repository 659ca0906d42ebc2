// CandidateTriangleObjectPositions and CommittedTriangleObjectPositions where a geometry has several triangles. For the CPU device alone:
// lavapipe 25.0.7 may give those of another triangle of the geometry.
// rtc -T lib_6_10
// scene: Inputs/stack.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    uint wrong = 0, wanted = thread() & 7;
    while (q.Proceed())
    {
        BuiltInTrianglePositions t = q.CandidateTriangleObjectPositions();
        float z = q.CandidatePrimitiveIndex() * 3 % 8;
        wrong += any(t.p0 != float3(-1, -1, z)) || any(t.p1 != float3(0, 1, z)) || any(t.p2 != float3(1, -1, z));
        if (q.CandidatePrimitiveIndex() == wanted)
            q.CommitNonOpaqueTriangleHit();
    }
    BuiltInTrianglePositions t = q.CommittedTriangleObjectPositions();
    float z = wanted * 3 % 8;
    IS(wrong, 0); IS3(t.p0, float3(-1, -1, z)); IS3(t.p1, float3(0, 1, z)); IS3(t.p2, float3(1, -1, z));
    done(10);
}
