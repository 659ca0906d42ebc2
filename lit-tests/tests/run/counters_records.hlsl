// Hidden counters: up gives the number before, down the number after; appending uses it.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

struct Item { float3 at; uint of; float2x2 m; };
[[vk::counter_binding(40)]] RWStructuredBuffer<uint> List : register(u4);
[[vk::counter_binding(41)]] AppendStructuredBuffer<uint2> Pairs : register(u5);
[[vk::counter_binding(42)]] RWStructuredBuffer<Item> Items : register(u6);

[shader("raygeneration")]
void Main()
{
    // One thread, since the order of threads is open.
    if (Thread() != 3) return;
    for (uint i = 0; i < 5; ++i)
        List[List.IncrementCounter()] = 100 + i * inU(i);
    putU(List.DecrementCounter());
    putU(List.DecrementCounter());
    putU(List.IncrementCounter());
    for (uint k = 0; k < 5; ++k) putU(List[k]);
    Pairs.Append(uint2(inU(0), 7));
    Pairs.Append(uint2(8, inU(1)));
    uint n, stride;
    Pairs.GetDimensions(n, stride); putU(stride);
    Item item = { float3(inF(0), inF(1), inF(2)), 5, float2x2(1, 2, 3, 4) };
    uint at = Items.IncrementCounter();
    Items[at] = item; Items[at].m[1].x += 0.5; Items[at].of++;
    putF3(Items[0].at); putU(Items[0].of); putF2(Items[0].m[0]); putF2(Items[0].m[1]);
}
