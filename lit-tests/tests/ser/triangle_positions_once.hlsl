// The three vertices of a triangle are one operation, which gives all of them, until the query may have another triangle.
// RUN: %rtc -T cs_6_10 -E main -no-warnings %s -Fo %t.dxil -Fc %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_10 -E main -no-warnings -Od %s -Fo %t.od.dxil -Fc %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %llvm-verify %t.od.dxil
RaytracingAccelerationStructure Scene;
RWStructuredBuffer<float3> Out;
float3 normalOf(BuiltInTrianglePositions t) { return cross(t.p1 - t.p0, t.p2 - t.p0); }

[numthreads(1, 1, 1)] void main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 };
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, ray);
    float3 sum = 0;
    while (q.Proceed())
        if (q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE)
        {
            sum += normalOf(q.CandidateTriangleObjectPositions());
            q.CommitNonOpaqueTriangleHit();
            sum += q.CandidateTriangleObjectPositions().p0;
        }
    Out[0] = normalOf(q.CommittedTriangleObjectPositions()) + sum;
}
// CHECK-COUNT-2: = call <9 x float> @dx.op.rayQuery_CandidateTriangleObjectPosition
// CHECK-NOT: = call <9 x float> @dx.op.rayQuery_CandidateTriangleObjectPosition
// CHECK: = call <9 x float> @dx.op.rayQuery_CommittedTriangleObjectPosition
// CHECK-NOT: = call <9 x float> @dx.op.rayQuery_CommittedTriangleObjectPosition
