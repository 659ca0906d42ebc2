// Atomic exchange and bitwise comparison of floats.
// options: -T cs_6_0 -E Main -D COMPUTE
// reference: no, it compares no floats
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

struct S { uint n; float f; float3 v; };
groupshared float G, H[THREADS];
groupshared S Many[THREADS];
RWStructuredBuffer<float> F : register(u2);
RWByteAddressBuffer B : register(u3);

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    float f = index;
    H[index] = f; F[index] = f; B.Store(index * 4, asuint(f));
    S s = { index, f, float3(f, 1, 2) };
    Many[index] = s;
    if (index == 0) G = 1;
    GroupMemoryBarrierWithGroupSync();
    float o;
    InterlockedCompareStoreFloatBitwise(G, 1, 2.5);
    InterlockedCompareExchangeFloatBitwise(H[index], 3, 9, o); expect(int(o), index);
    InterlockedCompareExchangeFloatBitwise(Many[index].v.x, index & 1 ? f : -1, 50, o); expect(int(o), index);
    InterlockedCompareStoreFloatBitwise(Many[index].f, f, 8);
    InterlockedExchange(Many[index].v[1], 6, o); expect(int(o), 1);
    InterlockedExchange(F[index], 0.5, o); expect(int(o), index);
    InterlockedCompareExchangeFloatBitwise(F[index], index < 4 ? 0.5 : 1, 4, o); expect(int(o * 2), 1);
    B.InterlockedExchangeFloat(index * 4, 0.25, o); expect(int(o), index);
    B.InterlockedCompareExchangeFloatBitwise(index * 4, 0.25, 16, o); expect(int(o * 4), 1);
    B.InterlockedCompareStoreFloatBitwise(index * 4, index & 1 ? 16 : 15, 17);
    // The bits decide: -0 is not 0.
    H[index] = index == 3 ? 9 : H[index];
    float z = index == 0 ? 0 : -0.0;
    Many[index].v.z = z;
    InterlockedCompareExchangeFloatBitwise(Many[index].v.z, 0.0, 7, o); expect(int(Many[index].v.z), index == 0 ? 7 : 0);
    GroupMemoryBarrierWithGroupSync();
    expect(int(G * 2), 5);
    expect(int(H[index]), index == 3 ? 9 : index);
    S t = Many[index ^ 1];
    expect(int(t.v.x), index & 1 ? int(index ^ 1) : 50); expect(int(t.f), 8); expect(int(t.v.y), 6); expect(t.n, index ^ 1);
    expect(int(F[index] * 2), index < 4 ? 8 : 1); expect(int(asfloat(B.Load(index * 4))), index & 1 ? 17 : 16);
}
