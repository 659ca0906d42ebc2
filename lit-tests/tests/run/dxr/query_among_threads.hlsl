// Queries of a group's threads share what they found through groupshared memory.
// rtc -T lib_6_5
// scene: Inputs/stack_compute.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define COMPUTE
#include "Inputs/dxr.hlsli"

groupshared float Found[8];
[shader("compute")] [numthreads(8, 1, 1)] void Main(uint3 id : SV_DispatchThreadID, uint3 local : SV_GroupThreadID)
{
    Thread = id.x;
    RayQuery<RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> q;
    q.TraceRayInline(Scene, 0, 0xff, ray(float3(0.25, -0.25, local.x - 0.75), float3(0, 0, 1)));
    q.Proceed();
    Found[local.x] = q.CommittedPrimitiveIndex() + q.CommittedRayT();
    GroupMemoryBarrierWithGroupSync();
    float sum = 0;
    for (uint i = 0; i < 8; ++i)
        sum += Found[i];
    ISF(sum, 28 + 8 * 0.75);
    // The inverse of p -> 3 p mod 8 is itself.
    uint next = (local.x + 1) % 8;
    ISF(Found[next], next * 3 % 8 + 0.75);
    done(2);
}
