// Wave and quad operations on matrices.
// options: -T cs_6_0 -E Main -D COMPUTE
// reference: no, it has no matrices there
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
#define THREADS 8
#include "Inputs/out.hlsli"

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    int i = index;
    int2x3 k = int2x3(i, 2 * i, 3, -i, i & 1, 7 - i);
    float2x2 m = float2x2(i, 0.5, i & 2, 1);
    int2x3 sum = WaveActiveSum(k);
    expect(sum._m00, 28); expect(sum._m01, 56); expect(sum._m02, 24); expect(sum._m10, -28); expect(sum._m11, 4); expect(sum._m12, 28);
    expect(int(WaveActiveMax(m)._m10), 2); expect(int(WaveActiveProduct(m)._m01 * 256), 1);
    expect(WavePrefixSum(k)._m02, 3 * i); expect(WavePrefixSum(k)._m00, i * (i - 1) / 2);
    expect(WaveReadLaneAt(k, 3)._m10, -3); expect(WaveReadLaneAt(k, 7 - index)._m12, i); expect(WaveReadLaneFirst(k)._m12, 7);
    bool2x3 eq = WaveActiveAllEqual(k);
    expect(eq._m00, 0); expect(eq._m02, 1); expect(eq._m12, 0);
    expect(int(QuadReadAcrossX(m)._m00), i ^ 1); expect(QuadReadAcrossY(k)._m12, 7 - (i ^ 2)); expect(QuadReadLaneAt(k, 2)._m01, 2 * ((i & 4) + 2));
    bool2x2 b = bool2x2(i & 1, i & 2, true, false);
    expect(WaveReadLaneAt(b, 1)._m00, 1); expect(QuadReadAcrossDiagonal(b)._m01, (i & 2) == 0);
}
