// Structures of whole rows of four words, which packages hold as rows: every type and offset, parts of vectors, numbers that begin in the middle of a row,
// elements and components chosen at run time, 16 and 64 bits, atomics, the length. And arrays that are copies of others, with writes before, after and between.
// reference: no, its stores of 16 bits overwrite the neighbour
// options: -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE
// RUN: %rtc -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.rtp
// RUN: %rtc dis %t.rtp | FileCheck %s
// CHECK: OpTypeRuntimeArray %v4uint
// CHECK: OpLoad %v4uint
#include "Inputs/out.hlsli"

struct Whole { float4 a; uint4 b; };
struct Mixed { float3 position; uint id; float2 uv; half2 h; uint16_t s[2]; uint64_t wide; uint2 pad; float4x3 m; uint4 tail; };
RWStructuredBuffer<float4> Vectors : register(u4);
RWStructuredBuffer<Whole> Wholes : register(u5);
RWStructuredBuffer<Mixed> Mixes : register(u6);

struct Numbers { int a[4]; int b; };
int changed(Numbers x, int i) { x.a[i & 3] += 100; return x.a[(i + 1) & 3] + x.a[i & 3]; }
int read(Numbers x, int i) { return x.a[i & 3] * 2 + x.b; }

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    uint t = thread, n = inU(0) & 3;
    // Vectors: whole, in part, by number.
    Vectors[t] = float4(inS(0), inS(1), inS(2), inS(3));
    Vectors[t].yz = float2(7, 8);
    Vectors[t][n] += 50;
    float4 v = Vectors[t];
    float4 must = float4(inS(0), 7, 8, inS(3));
    must[n] += 50;
    for (uint i = 0; i < 4; ++i) { expect(int(v[i]), int(must[i])); expect(int(Vectors[t][i]), int(must[i])); }
    // Structures of two rows.
    Whole w;
    w.a = float4(1, 2, 3, inS(4)); w.b = uint4(inU(1), inU(2), inU(3), inU(4));
    Wholes[t] = w;
    Wholes[t].b.w = 99;
    InterlockedAdd(Wholes[t].b.z, 5);
    uint before;
    InterlockedExchange(Wholes[t].b.x, 1234, before);
    Whole back = Wholes[t];
    expect(int(back.a.w), inS(4)); expect(int(back.b.x), 1234); expect(int(before), inI(1)); expect(int(back.b.y), inI(2));
    expect(int(back.b.z), inI(3) + 5); expect(int(back.b.w), 99);
    // A structure with everything: four words, two, halves, shorts, 64 bits, a matrix, four words.
    Mixed x;
    x.position = float3(inS(5), inS(6), inS(7)); x.id = inU(5); x.uv = float2(0.5, -2);
    x.h = half2(1.5, -3); x.s[0] = (uint16_t)inU(6); x.s[1] = (uint16_t)inU(7);
    x.wide = (uint64_t(inU(8)) << 32) | inU(9);
    for (uint r = 0; r < 4; ++r) x.m[r] = float3(r * 3, r * 3 + 1, r * 3 + 2);
    x.pad = 0; x.tail = uint4(1, 2, 3, 4);
    Mixes[t] = x;
    Mixes[t].s[n & 1] = (uint16_t)77;
    Mixes[t].h.y = (half)9;
    Mixes[t].m[n][n % 3] = 60;
    Mixes[t].m._m31 = 61;
    Mixed y = Mixes[t];
    expect(int(y.position.x), inS(5)); expect(int(y.position.z), inS(7)); expect(int(y.id), inI(5));
    expect(int(y.uv.x * 2), 1); expect(int(y.uv.y), -2); expect(int(y.h.x * 2), 3); expect(int(y.h.y), 9);
    expect(y.s[n & 1], 77); expect(y.s[1 - (n & 1)], int(inU(6 + 1 - (n & 1)) & 0xffff));
    expect(int(y.wide), inI(9)); expect(int(y.wide >> 32), inI(8));
    for (uint k = 0; k < 12; ++k)
    {
        uint row = k / 3, column = k % 3;
        int m = row == 3 && column == 1 ? 61 : row == n && column == n % 3 ? 60 : int(k);
        expect(int(y.m[row][column]), m); expect(int(Mixes[t].m[row][column]), m);
    }
    expect(int(y.tail.x + y.tail.w * 10), 41); expect(int(Mixes[t].tail[n]), int(n) + 1);
    uint count, stride;
    Mixes.GetDimensions(count, stride);
    expect(int(stride % 16), 0);

    // Copies of arrays: nothing between copy and read, something before, after, and between.
    Numbers a;
    for (uint j = 0; j < 4; ++j) a.a[j] = inS(j);
    a.b = 3;
    int sum = 0, right = 0;
    for (int q = 0; q < 4; ++q)
    {
        sum += read(a, q + int(n)); right += inS((q + n) & 3) * 2 + 3;
        sum += changed(a, q); right += inS((q + 1) & 3) + inS(q) + 100;
    }
    expect(sum, right);
    int copy[4] = a.a;
    a.a[n] = 1000;
    expect(copy[n], inS(n)); expect(a.a[n], 1000); expect(copy[(n + 1) & 3], inS((n + 1) & 3));
    int total = 0, wanted = 0;
    for (uint p = 0; p < 4; ++p)
    {
        int again[4] = a.a;
        total += again[(p + n) & 3];
        a.a[(p + n) & 3] += 10;
        total += again[(p + n) & 3] * 3;
        wanted += ((p == 0) ? 1000 : inS((p + n) & 3)) * 4;
    }
    expect(total, wanted);
    int swapped[4] = a.a;
    for (uint s = 0; s < 2; ++s)
    {
        int old[4] = swapped;
        for (uint e = 0; e < 4; ++e) swapped[e] = old[(e + 1 + n * 0) & 3];
    }
    expect(swapped[n], a.a[(n + 2) & 3]);
}
