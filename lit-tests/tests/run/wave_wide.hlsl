// Wave operations on 64-bit integers, doubles and minimum-precision types.
// options: -T cs_6_2 -E Main -D COMPUTE
// RUN: %rtc -T cs_6_2 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_2 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_2 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_2 -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 8
#include "Inputs/out.hlsli"

void put64(uint64_t v) { putU(uint(v)); putU(uint(v >> 32)); }
[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    uint64_t u = uint64_t(inU(0)) << 32 | inU(1); int64_t i = int64_t(u) - (int64_t(inI(2)) << 20);
    put64(WaveActiveSum(u)); put64(WaveActiveMin(i)); put64(WaveActiveMax(u)); put64(WaveActiveBitOr(u)); put64(WavePrefixSum(i));
    put64(WaveReadLaneFirst(u)); put64(WaveReadLaneAt(i, 5)); putB(WaveActiveAllEqual(u));
    double d = inF(0);
    putF(float(WaveActiveSum(d))); putF(float(WavePrefixProduct(d))); putF(float(WaveReadLaneAt(d, 3)));
    min16int s = min16int(inI(3) % 100); min16float h = min16float(inF(1)); min16uint us = min16uint(inU(3) % 100);
    putI(WaveActiveSum(s)); putI(WaveActiveMin(s)); putU(WaveActiveMax(us)); putF(WaveActiveMax(h)); putF(WaveReadLaneAt(h, index ^ 1));
}
