// Sorting, scanning and reducing in a thread group, with and without waves.
// options: -T cs_6_0 -E Main -D COMPUTE
// RUN: %rtc -T cs_6_0 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_0 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_0 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_0 -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 64
#include "Inputs/out.hlsli"

groupshared uint Keys[THREADS];
groupshared uint Sums[2][THREADS];
groupshared float Partial[THREADS];
groupshared uint Buckets[16], Starts[16], Total;

void bitonic(uint i)
{
    for (uint k = 2; k <= THREADS; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1)
        {
            uint other = i ^ j;
            if (other > i)
            {
                uint a = Keys[i], b = Keys[other];
                if (((i & k) == 0) == (a > b)) { Keys[i] = b; Keys[other] = a; }
            }
            GroupMemoryBarrierWithGroupSync();
        }
}
uint scan(uint i, uint value)
{
    uint from = 0;
    Sums[0][i] = value;
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint step = 1; step < THREADS; step *= 2)
    {
        Sums[1 - from][i] = Sums[from][i] + (i >= step ? Sums[from][i - step] : 0);
        from = 1 - from;
        GroupMemoryBarrierWithGroupSync();
    }
    return Sums[from][i];
}
float reduce(uint i, float value)
{
    Partial[i] = value;
    GroupMemoryBarrierWithGroupSync();
    for (uint n = THREADS / 2; n > 0; n /= 2)
    {
        if (i < n) Partial[i] += Partial[i + n];
        GroupMemoryBarrierWithGroupSync();
    }
    return Partial[0];
}
// The same by waves: their number is not known.
uint scanByWaves(uint i, uint value)
{
    uint wave = i / WaveGetLaneCount(), own = WavePrefixSum(value), all = WaveActiveSum(value);
    if (WaveIsFirstLane()) Sums[0][wave] = all;
    GroupMemoryBarrierWithGroupSync();
    uint before = 0;
    for (uint w = 0; w < wave; ++w) before += Sums[0][w];
    GroupMemoryBarrierWithGroupSync();
    return before + own + value;
}
uint counting(uint i, uint key)
{
    if (i < 16) Buckets[i] = 0;
    GroupMemoryBarrierWithGroupSync();
    uint digit = key & 15;
    InterlockedAdd(Buckets[digit], 1);
    GroupMemoryBarrierWithGroupSync();
    if (i == 0)
    {
        uint sum = 0;
        for (int b = 0; b < 16; ++b) { Starts[b] = sum; sum += Buckets[b]; }
        Total = sum;
    }
    GroupMemoryBarrierWithGroupSync();
    return Starts[digit];
}
[numthreads(16, 4, 1)]
void Main(uint index : SV_GroupIndex, uint3 at : SV_GroupThreadID, uint3 id : SV_DispatchThreadID)
{
    ThreadNumber = index;
    putB(at.y * 16 + at.x == index && all(at == id));
    Keys[index] = inU(0);
    GroupMemoryBarrierWithGroupSync();
    bitonic(index);
    putU(Keys[index]);
    uint value = inU(1) & 0xffff;
    putU(scan(index, value));
    GroupMemoryBarrierWithGroupSync();
    putU(scanByWaves(index, value));
    putU(scan(index, value) - scanByWaves(index, value));
    putF(reduce(index, inF(0)));
    putU(counting(index, inU(2))); putU(Total);
}
