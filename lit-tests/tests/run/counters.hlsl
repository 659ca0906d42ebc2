// Hidden counters: up, down, append, consume, of arrays of buffers.
// reference: no, it has no counters of arrays, and the order of lanes is free
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

RWStructuredBuffer<uint> A[8] : register(u20);
[[vk::counter_binding(77)]] RWStructuredBuffer<uint2> B : register(u30);
AppendStructuredBuffer<uint2> P : register(u31);
[shader("raygeneration")]
void Main()
{
    uint t = Thread();
    RWStructuredBuffer<uint> a = A[NonUniformResourceIndex(t)];
    expect(a.IncrementCounter(), 0);
    expect(a.IncrementCounter(), 1);
    expect(a.DecrementCounter(), 1);
    uint n = A[NonUniformResourceIndex(t)].IncrementCounter();
    A[NonUniformResourceIndex(t)][n] = 40 + t;
    expect(a[1], 40 + t);
    uint mine = B.IncrementCounter();
    expect(mine < 8, 1);
    B[mine] = uint2(mine, 1);
    expect(B[mine].x, mine);
    P.Append(uint2(t, 3));
}
