// Wave operations on vectors, booleans and one-component vectors.
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
    uint2 u = uint2(inU(0), inU(1)); int3 i = int3(inI(2), inI(3), inI(4)); float4 f = float4(inF(0), inF(1), inF(2), inF(3));
    bool2 b = bool2(u.x & 1, u.y & 2);
    uint1 one = u.x;
    putU2(WaveActiveSum(u)); putI3(WaveActiveMax(i)); putF4(WaveActiveMin(f)); putU2(WaveActiveBitXor(u));
    putU2(WaveReadLaneAt(u, index & 3));
    bool2 x = WaveReadLaneAt(b, 1); putB(x.x); putB(x.y);
    putU(WaveActiveSum(one)); putU(WaveReadLaneFirst(one).x);
    putU(WaveActiveSum(u.x & 1)); putU(WaveActiveCountBits(u.y & 4));
}
