// Atomic operations on groupshared variables, members, array elements and vector components.
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

struct S { uint a; int2 b; uint4 v[3]; };
groupshared uint Sum, Bits, Smallest, Largest, Winner;
groupshared int Signed[4];
groupshared S Many[THREADS];
groupshared uint3 Triple;

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    if (index == 0)
    {
        Sum = 5; Bits = 0; Smallest = 0xffffffff; Largest = 0; Winner = 100; Triple = uint3(1, 2, 3);
        for (int i = 0; i < 4; ++i) Signed[i] = i - 2;
    }
    S s = { index, int2(inI(0), inI(1)), { uint4(inU(2), inU(3), inU(4), inU(5)), uint4(1, 2, 3, 4), uint4(5, 6, 7, index) } };
    Many[index] = s;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Sum, inU(6)); InterlockedOr(Bits, 1u << index); InterlockedMin(Smallest, inU(7)); InterlockedMax(Largest, inU(7));
    InterlockedMin(Signed[index & 3], inI(8)); InterlockedMax(Signed[3], -1);
    InterlockedAdd(Triple.z, index); InterlockedXor(Triple[index & 1], 1u << index);
    uint o; int io;
    InterlockedCompareStore(Winner, 100, 7);
    // Alone: what was there comes back.
    InterlockedAdd(Many[index].a, 3, o); putU(o);
    InterlockedMin(Many[index].b.y, inI(9), io); putI(io);
    InterlockedMax(Many[index].b[index & 1], inI(10), io); putI(io);
    InterlockedAnd(Many[index].v[index % 3].z, inU(11), o); putU(o);
    InterlockedExchange(Many[index].v[1][index & 3], 77, o); putU(o);
    InterlockedCompareExchange(Many[index].v[2].w, index & 1 ? index : 99, 55, o); putU(o);
    GroupMemoryBarrierWithGroupSync();
    putU(Sum); putU(Bits); putU(Smallest); putU(Largest); putU(Winner); putU3(Triple);
    putI(Signed[index & 3]);
    S t = Many[(index + 1) % THREADS];
    putU(t.a); putI2(t.b); putU4(t.v[0]); putU4(t.v[1]); putU4(t.v[2]);
}
