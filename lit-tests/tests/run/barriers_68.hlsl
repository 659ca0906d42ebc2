// Barriers by memory type and by resource order what other threads wrote.
// options: -T cs_6_8 -E Main -D COMPUTE
// reference: no, it does not know them
// RUN: %rtc -T cs_6_8 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_8 -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 32
#include "Inputs/out.hlsli"
RWStructuredBuffer<uint> U : register(u2);
groupshared uint G[THREADS];

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    G[index] = index * 3;
    Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    expect(G[(index + 9) % THREADS], (index + 9) % THREADS * 3);
    U[index] = index * 5;
    Barrier(U, GROUP_SYNC | DEVICE_SCOPE);
    expect(U[(index + 17) % THREADS], (index + 17) % THREADS * 5);
    Barrier(ALL_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    G[index] = U[index ^ 1] + 1;
    Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, GROUP_SYNC | DEVICE_SCOPE);
    expect(G[index ^ 3], (index ^ 2) * 5 + 1);
    Barrier(0, GROUP_SYNC);
    Barrier(UAV_MEMORY, 0);
}
