// Vectors whose components are converted or compared from numbers of several widths: each keeps its own, where the rest is one instruction on the vector.
// options: -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types
// reference: no, it does not know vectors in memory
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -Od -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#define THREADS 8
#include "Inputs/out.hlsli"
RWStructuredBuffer<uint64_t3> L : register(u4);
RWStructuredBuffer<int3> I : register(u5);
RWStructuredBuffer<float4> F : register(u6);
RWStructuredBuffer<uint16_t4> S : register(u7);

[numthreads(THREADS, 1, 1)] void Main(uint3 t : SV_DispatchThreadID)
{
    ThreadNumber = t.x;
    S[t.x] = uint16_t4(t.x, 40000 + t.x, 3, 7);
    uint16_t4 s = S[t.x];
    int16_t4 n = (int16_t4)s;
    uint u = inU(t.x) & 31;
    int i = inS(t.x);
    L[t.x] = uint64_t3((uint64_t)u, (uint64_t)s.y, (uint64_t)s.z);
    uint64_t3 l = L[t.x] + uint64_t3((uint64_t)u, (uint64_t)s.z, (uint64_t)n.x);
    expect((int)l.x, 2 * u); expect((int)l.y, 40003 + t.x); expect((int)l.z, 3 + t.x);
    L[t.x] = l >> (uint64_t3((uint64_t)u, (uint64_t)s.z, (uint64_t)s.w) & (uint64_t3)63);
    expect((int)L[t.x].x, 2 * u >> u); expect((int)L[t.x].y, (int)((40003 + t.x) >> 3)); expect((int)L[t.x].z, 0);
    I[t.x] = int3((int)n.y, (int)(l.x >> 1), i) * int3(3, 5, 7);
    expect(I[t.x].x, 3 * ((int)t.x - 25536)); expect(I[t.x].y, 5 * u); expect(I[t.x].z, 7 * i);
    F[t.x] = float4((float)n.y, (float)i, (float)s.y, (float)(half)n.z) * float4(2, 2, 0.25, 8);
    expect((int)F[t.x].x, 2 * ((int)t.x - 25536)); expect((int)F[t.x].y, 2 * i); expect((int)(F[t.x].z * 4), 40000 + t.x); expect((int)F[t.x].w, 24);
    bool4 b = bool4(s.y == 40001, u > 15, l.y > 40005, n.x < 3);
    F[t.x] = select(b, F[t.x], F[t.x] + 1);
    expect((int)F[t.x].x, 2 * ((int)t.x - 25536) + (t.x == 1 ? 0 : 1)); expect((int)F[t.x].y, 2 * i + (u > 15 ? 0 : 1));
    expect((int)(F[t.x].z * 4), 40000 + t.x + (t.x > 2 ? 0 : 4)); expect((int)F[t.x].w, t.x < 3 ? 24 : 25);
    S[t.x] = uint16_t4((uint16_t)u, (uint16_t)l.y, (uint16_t)i, (uint16_t)b.x) + s;
    expect(S[t.x].x, u + t.x); expect(S[t.x].y, (80003 + 2 * t.x) & 0xffff); expect(S[t.x].z, (i + 3) & 0xffff); expect(S[t.x].w, t.x == 1 ? 8 : 7);
}
