// Votes, reductions, prefixes, reads of other lanes, in and out of divergent control flow.
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
#define THREADS 32
#include "Inputs/out.hlsli"

void all(uint u, int i, float f, bool b)
{
    putB(WaveActiveAnyTrue(b)); putB(WaveActiveAllTrue(b)); putB(WaveActiveAllEqual(u)); putB(WaveActiveAllEqual(u & 0));
    putU4(WaveActiveBallot(b)); putU(WaveActiveCountBits(b)); putU(WavePrefixCountBits(b));
    putU(WaveActiveSum(u)); putI(WaveActiveProduct(i | 1)); putI(WaveActiveMin(i)); putI(WaveActiveMax(i));
    putU(WaveActiveMin(u)); putU(WaveActiveMax(u)); putU(WaveActiveBitAnd(u)); putU(WaveActiveBitOr(u)); putU(WaveActiveBitXor(u));
    putF(WaveActiveSum(f)); putF(WaveActiveMin(f)); putF(WaveActiveMax(f)); putF(WaveActiveProduct(f * 0.25));
    putU(WavePrefixSum(u)); putI(WavePrefixProduct(i | 1)); putF(WavePrefixSum(f));
    putU(WaveReadLaneFirst(u)); putF(WaveReadLaneFirst(f));
    putB(WaveIsFirstLane());
}
[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    uint u = inU(0); int i = inI(1); float f = inF(2); bool b = inU(3) & 1;
    uint lane = WaveGetLaneIndex();
    putU(lane < WaveGetLaneCount());
    all(u, i, f, b);
    if (lane & 1)
        all(u, i, f, b);
    else if (lane & 2)
        putU(WaveActiveSum(u));
    else
        putI(WaveActiveSum(i));
    // Lanes leave a loop one after the other.
    uint left = lane % 5;
    while (true)
    {
        putU(WaveActiveCountBits(true));
        putU(WaveReadLaneFirst(lane));
        if (left == 0)
            break;
        left--;
    }
    putU(WaveActiveCountBits(true));
    // The first lane alone.
    if (WaveIsFirstLane())
        putU(WaveActiveSum(7u));
    putU(WaveReadLaneAt(u, 2)); putF(WaveReadLaneAt(f, (lane + 1) % WaveGetLaneCount())); putB(WaveReadLaneAt(b, lane ^ 1));
}
