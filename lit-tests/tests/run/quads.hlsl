// Reads and votes of quads.
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
#define THREADS 16
#include "Inputs/out.hlsli"

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    uint u = inU(0); float3 f = float3(inF(0), inF(1), inF(2));
    putU(QuadReadAcrossX(u)); putF3(QuadReadAcrossY(f));
    putU(QuadReadLaneAt(u, 2)); putF3(QuadReadLaneAt(f, 0));
    if (index & 4)
        putU(QuadReadAcrossDiagonal(u));
}
