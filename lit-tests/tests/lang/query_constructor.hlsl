// A ray query that is initialised by a new one, and template arguments with a conditional expression in parentheses.
// RUN: %rtc -T cs_6_5 %s -validator-version 1.6 -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_5 -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u1);
static const bool Large = true;
template <uint N, typename T> struct Size { static const T value = N; };
[numthreads(1, 1, 1)] void main()
{
    RayQuery<RAY_FLAG_FORCE_OPAQUE> query = RayQuery<RAY_FLAG_FORCE_OPAQUE>();
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    query.TraceRayInline(Scene, 0, 255, ray);
    query.Proceed();
    Out[0] = query.CommittedStatus();
    Out[1] = Size<(Large ? 40 : 20), uint>::value;
}
// CHECK: [[QUERY:%[0-9]+]] = call i32 @dx.op.allocateRayQuery(i32 178, i32 1)
// CHECK-NOT: allocateRayQuery
// CHECK: dx.op.rayQuery_TraceRayInline{{.*}}[[QUERY]]
// CHECK: rawBufferStore{{.*}}i32 40
