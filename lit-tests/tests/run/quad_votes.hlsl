// Votes of quads, quads of booleans, lanes of quads by a value.
// options: -T cs_6_0 -E Main -D COMPUTE
// reference: no, it has no votes of quads
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
#define THREADS 16
#include "Inputs/out.hlsli"

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    bool b = index == 1 || index >= 12;
    expect(QuadAny(b), index < 4 || index >= 12);
    expect(QuadAll(b), index >= 12);
    expect(QuadReadAcrossX(b), (index ^ 1) == 1 || index >= 12);
    expect(QuadReadLaneAt(b, 1), index < 4 || index >= 12);
    expect(QuadReadLaneAt(index, index >> 2), (index & ~3) + (index >> 2));
    expect(QuadReadLaneAt(index, 3 - (index & 3)), index ^ 3);
    expect(QuadReadAcrossDiagonal(index), index ^ 3);
}
