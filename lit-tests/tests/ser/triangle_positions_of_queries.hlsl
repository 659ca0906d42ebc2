// Positions of a candidate and of a committed triangle, and of the hit object from it.
// rtc -T lib_6_10
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_10 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_10 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(VEIL));
    float sum = 0;
    while (q.Proceed())
    {
        BuiltInTrianglePositions c = q.CandidateTriangleObjectPositions();
        sum += c.p1.z + c.p1.y;
        if (q.CandidatePrimitiveIndex() == 1)
            q.CommitNonOpaqueTriangleHit();
    }
    ISF(sum, 4); IS3(q.CommittedTriangleObjectPositions().p2, float3(1, -1, 2));
    dx::HitObject h = dx::HitObject::FromRayQuery(q);
    IS3(h.TriangleObjectPositions().p0, float3(-1, -1, 2)); ISF(h.GetRayTCurrent(), 12);
    done(8);
}
