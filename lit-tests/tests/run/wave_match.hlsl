// Sets of lanes with the same value, and prefixes within them.
// options: -T cs_6_5 -E Main -D COMPUTE
// reference: no, its SPIR-V has no such operation
// RUN: %rtc -T cs_6_5 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_5 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_5 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_5 -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 8
#include "Inputs/out.hlsli"

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    uint k = index % 3;                    // lanes 0 3 6, 1 4 7, 2 5
    uint mask = k == 0 ? 0x49 : k == 1 ? 0x92 : 0x24;
    uint4 match = WaveMatch(k);
    expect(match.x, mask); expect(match.y | match.z | match.w, 0);
    expect(WaveMatch(float(k) / 2).x, mask);
    expect(WaveMatch(uint2(k, index & 1)).x, mask & ((index & 1) ? 0xaa : 0x55));
    expect(WaveMatch(float2x2(k, 0, 1, index & 1)).x, mask & ((index & 1) ? 0xaa : 0x55));
    expect(WaveMatch(index & 4).x, index & 4 ? 0xf0 : 0x0f);
    expect(WaveMatch(index & 4 ? asfloat(0x7fc00000) : 1.0).x, index & 4 ? 0xf0 : 0x0f);

    // Before lane n are the lanes n - 3, n - 6 … of its set.
    uint before = index / 3;
    expect(WaveMultiPrefixSum(10u, match), before * 10);
    expect(WaveMultiPrefixSum(index, match), before == 0 ? 0 : before == 1 ? k : 2 * k + 3);
    expect(WaveMultiPrefixSum(-int(index), match), before == 0 ? 0 : before == 1 ? -int(k) : -int(2 * k + 3));
    expect(int(WaveMultiPrefixSum(index * 0.5, match) * 2), before == 0 ? 0 : before == 1 ? k : 2 * k + 3);
    expect(WaveMultiPrefixProduct(3, match), before == 0 ? 1 : before == 1 ? 3 : 9);
    expect(WaveMultiPrefixBitOr(1u << index, match), mask & ((1u << index) - 1));
    expect(WaveMultiPrefixBitXor(3u << index, match), before == 0 ? 0 : before == 1 ? 3 << k : 27 << k);
    expect(WaveMultiPrefixBitAnd(~(1u << index), match), ~(mask & ((1u << index) - 1)));
    expect(WaveMultiPrefixCountBits(index != 3, match), index == 6 ? 1 : before);
    expect(WaveMultiPrefixSum(int2(1, index), match).y, before == 0 ? 0 : before == 1 ? k : 2 * k + 3);
    // Within divergent control flow, and what comes after it.
    if (index & 1)
        expect(WaveMatch(k).x, mask & 0xaa);
    else
        expect(WaveMultiPrefixSum(1, uint4(0x55, 0, 0, 0)), index / 2);
    expect(WaveActiveCountBits(true), 8);
}
