// Structured buffers: nested structs, matrices, bool, writes.
// reference DXIL: no, it copies booleans of structures as words, and `!` turns the lowest bit of one around, as its listing says (newer ones too)
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

struct A { float a; float3 b; int2 c; bool d; };
struct B { A one; A list[2]; float3x2 m; row_major float2x3 r; uint4 tail; };
StructuredBuffer<B> Read : register(t3);
RWStructuredBuffer<B> Write : register(u4);
StructuredBuffer<float3> Vectors : register(t5);
RWStructuredBuffer<float2x3> Matrices : register(u6);
struct Nested { float x; float2x2 m[2]; };
StructuredBuffer<Nested> Deep : register(t7);
void show(B b)
{
    putF(b.one.a); putF3(b.one.b); putI2(b.one.c); putB(b.one.d);
    for (int i = 0; i < 2; ++i) { putF(b.list[i].a); putF3(b.list[i].b); putI2(b.list[i].c); putB(b.list[i].d); }
    for (int i = 0; i < 3; ++i) putF2(b.m[i]);
    putF3(b.r[0]); putF3(b.r[1]); putU4(b.tail);
}
[shader("raygeneration")]
void Main()
{
    uint t = Thread(), k = inU(0) & 1;
    show(Read[t]);
    putF(Read[t].list[k].b[k + 1]);
    putF(Read[t].m[k][k]);
    putF2(Read[t].m[2]);
    putF3(Read.Load(t + 1).r[1]);
    putF(Read[t].m._m21);
    B b = Read[t];
    b.list[k].d = !b.list[k].d;
    b.m[1] = b.m[0].yx;
    Write[t] = b;
    Write[t].one.b.yz = float2(1, 2);
    Write[t].list[k].c[1 - k] = 5;
    Write[t].m[2][k] = 8;
    Write[t].r[k] += 1;
    Write[t].tail.w++;
    Write[t].one.d = true;
    show(Write[t]);
    putF3(Vectors[t]); putF(Vectors[t][k]);
    Matrices[t] = float2x3(1, 2, 3, 4, 5, 6);
    Matrices[t][1].xz = t;
    Matrices[t]._m02 += 0.5;
    putF3(Matrices[t][0]); putF3(Matrices[t][1]);
    float2x3 m = Matrices[t] * 2;
    putF3(m[k]);
    // Indices that count down.
    int down = -int(k);
    putF3(Read[t].list[down * -1].b); putF(Read[t].one.b[down * -2]); putU(Read[t].tail[3 + down * 3]); Write[t].list[1 - k * 1].a = 9; putF(Write[t].list[1 + down].a);
    putF2(Deep[t].m[k][1]); putF(Deep[t].m[1][k][1 - k]); putF2(Deep[t].m[0][0]);
}
