// Atomic operations on structured and byte-address buffers and on textures.
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

struct S { float x; uint a; int2 b; uint3 v[2]; };
RWStructuredBuffer<S> A : register(u2);
RWByteAddressBuffer B : register(u3);
RWStructuredBuffer<int> I : register(u4);
RWTexture2D<uint> T : register(u9);
RWStructuredBuffer<uint> C : register(u5);

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    uint o; int io; float fo;
    S s = { 1.5, index, int2(inI(0), inI(1)), { uint3(1, 2, 3), uint3(inU(2), 5, 6) } };
    A[index] = s;
    I[index] = inI(3);
    B.Store4(index * 16, uint4(inU(4), inU(5), inU(6), inU(7)));
    T[uint2(index & 7, index >> 3)] = inU(8);
    if (index == 0) { C[0] = 3; C[1] = 0; B.Store(1024, 10); }
    AllMemoryBarrierWithGroupSync();
    InterlockedAdd(C[0], index); InterlockedXor(C[1], 1u << index);
    B.InterlockedAdd(1024, index);
    InterlockedAdd(A[index].a, 10, o); putU(o);
    InterlockedMin(A[index].b.y, -1, io); putI(io);
    InterlockedMax(A[index].b[index & 1], 4, io); putI(io);
    InterlockedOr(A[index].v[1].x, 0xf0, o); putU(o);
    InterlockedCompareExchange(A[index].v[index & 1].z, 3, 33, o); putU(o);
    InterlockedCompareStore(A[index].v[0].y, 2, 22);
    InterlockedMin(I[index], 3); InterlockedMax(I[index], -3, io); putI(io);
    B.InterlockedAdd(index * 16, 7, o); putU(o);
    B.InterlockedMin(index * 16 + 4, 9u, o); putU(o);
    B.InterlockedMax(index * 16 + 8, inI(9), io); putI(io);
    B.InterlockedAnd(index * 16 + 12, 0xff, o); putU(o);
    B.InterlockedExchange(index * 16, 100 + index, o); putU(o);
    B.InterlockedCompareExchange(index * 16, 100 + (index & ~1u), 5, o); putU(o);
    B.InterlockedCompareStore(index * 16 + 12, 0, 1);
    InterlockedAdd(T[uint2(index & 7, index >> 3)], 5, o); putU(o);
    InterlockedMax(T[uint2(index & 7, index >> 3)], 6u);
    InterlockedXor(T[uint2(index & 7, index >> 3)], 6, o); putU(o);
    AllMemoryBarrierWithGroupSync();
    uint n = (index + 5) % THREADS;
    putU(C[0]); putU(C[1]); putU(B.Load(1024));
    putU(A[n].a); putI2(A[n].b); putU3(A[n].v[0]); putU3(A[n].v[1]); putI(I[n]); putU4(B.Load4(n * 16)); putU(T[uint2(n & 7, n >> 3)]);
}
