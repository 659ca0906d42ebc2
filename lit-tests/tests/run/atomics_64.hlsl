// Atomic operations of 64 bits.
// options: -T cs_6_6 -E Main -D COMPUTE
// reference: no, its layout of such buffers is another
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 8
#include "Inputs/out.hlsli"

struct S { uint64_t u; int64_t i; uint n; };
groupshared uint64_t G;
groupshared int64_t H[THREADS];
groupshared S Many[THREADS];
RWStructuredBuffer<S> A : register(u2);
RWByteAddressBuffer B : register(u3);
RWStructuredBuffer<int64_t> I : register(u4);

void wide(uint64_t value, uint64_t must) { expect(int(uint(value)), int(uint(must))); expect(int(uint(value >> 32)), int(uint(must >> 32))); }
[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    uint64_t u = (uint64_t(index + 1) << 32) + 0xffffffffu; int64_t i = -int64_t(index) * 0x100000000ll;
    uint64_t lo; int64_t so;
    S s = { u, i, index };
    Many[index] = s; A[index] = s; I[index] = i; H[index] = i;
    B.Store<uint64_t>(index * 8, u);
    if (index == 0) { G = 1; B.Store<uint64_t>(1024, uint64_t(0)); }
    AllMemoryBarrierWithGroupSync();
    InterlockedAdd(G, uint64_t(1) << 40); B.InterlockedAdd64(1024, 0x80000000u);
    InterlockedAdd(Many[index].u, 1, lo); wide(lo, u);
    InterlockedMin(Many[index].i, -5, so); wide(uint64_t(so), uint64_t(i));
    InterlockedMax(H[index], int64_t(-3) << 32, so); wide(uint64_t(so), uint64_t(i));
    InterlockedCompareExchange(Many[index].u, u + 1, 5, lo); wide(lo, u + 1);
    InterlockedAdd(A[index].u, 1, lo); wide(lo, u);
    InterlockedMax(A[index].i, -5, so); wide(uint64_t(so), uint64_t(i));
    InterlockedExchange(I[index], int64_t(7) << 33, so); wide(uint64_t(so), uint64_t(i));
    InterlockedCompareExchange(I[index], int64_t(7) << 33, -1, so); wide(uint64_t(so), uint64_t(7) << 33);
    B.InterlockedAnd64(index * 8, ~uint64_t(0xff)); B.InterlockedOr64(index * 8, uint64_t(1) << 63, lo); wide(lo, u - 0xff);
    B.InterlockedMin64(index * 8, int64_t(4), so); wide(uint64_t(so), (u - 0xff) | (uint64_t(1) << 63));
    B.InterlockedMax64(index * 8, uint64_t(4), lo); wide(lo, (u - 0xff) | (uint64_t(1) << 63));
    B.InterlockedExchange64(index * 8, uint64_t(9) << 32, lo);
    B.InterlockedCompareStore64(index * 8, uint64_t(index & 1 ? 9 : 8) << 32, 6);
    AllMemoryBarrierWithGroupSync();
    wide(G, (uint64_t(8) << 40) + 1); wide(B.Load<uint64_t>(1024), uint64_t(4) << 32);
    wide(Many[index].u, 5); wide(uint64_t(Many[index].i), uint64_t(index == 0 ? -5ll : i));
    wide(uint64_t(H[index]), uint64_t(index > 3 ? -3ll * 0x100000000ll : i)); wide(uint64_t(I[index]), ~uint64_t(0));
    wide(A[index].u, u + 1); wide(uint64_t(A[index].i), uint64_t(index == 0 ? 0ll : -5ll)); expect(A[index].n, index);
    wide(B.Load<uint64_t>(index * 8), index & 1 ? 6 : uint64_t(9) << 32);
}
