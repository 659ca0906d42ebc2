// Groupshared variables of native 16-bit types.
// options: -T cs_6_2 -enable-16bit-types -E Main -D COMPUTE
// RUN: %rtc -T cs_6_2 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_2 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_2 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_2 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 8
#include "Inputs/out.hlsli"

struct S { half h; int16_t3 v; uint16_t u; float16_t2x2 m; float f; };
groupshared S Many[THREADS];
groupshared half4 H[THREADS];
groupshared uint16_t2 U[2][THREADS];

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    S s; s.h = half(inF(0)); s.v = int16_t3(inI(0), inI(1), index); s.u = uint16_t(inU(2)); s.m = float16_t2x2(1, 2, half(inF(1)), 4); s.f = inF(2);
    Many[index] = s;
    H[index] = half4(inF(3), inF(4), 1, index);
    U[index & 1][index] = uint16_t2(inU(3), index); U[1 - (index & 1)][index] = 0;
    GroupMemoryBarrierWithGroupSync();
    uint o = (index + 3) % THREADS;
    S t = Many[o];
    putF(t.h); putI3(t.v); putU(t.u); putF2(t.m[0]); putF2(t.m[1]); putF(t.f);
    putF4(H[o]); putF(H[o][o & 3]); putU2(U[o & 1][o]); putU2(U[index & 1][o]);
    putI(Many[o].v[o % 3]); putF(Many[o].m[o & 1][1]);
}
