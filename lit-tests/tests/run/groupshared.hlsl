// Groupshared variables of every type: structures, arrays of arrays, matrices, booleans, 64 bits.
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
#define THREADS 16
#include "Inputs/out.hlsli"

struct Inner { float2x3 m; bool b; row_major int3x2 r; };
struct S { uint a; Inner list[2]; float4 v; double d; int64_t l; bool2 f; };
groupshared S Many[THREADS];
groupshared float Grid[4][THREADS];
groupshared float3x3 Matrix;
groupshared int2x2 Matrices[3][2];
groupshared bool Flags[THREADS];
groupshared uint3 Vectors[THREADS];
groupshared uint64_t Wide[THREADS];
static groupshared float4 Hidden;
namespace n { groupshared int Inside[2]; }

void fill(out S s, uint index)
{
    s.a = inU(0);
    for (int i = 0; i < 2; ++i)
    {
        s.list[i].m = float2x3(inF(0), inF(1), inF(2), inF(3), inF(4), inF(5)) * (i + 1);
        s.list[i].b = (index + i) & 1;
        s.list[i].r = int3x2(inI(1), inI(2), inI(3), inI(4), inI(5), inI(6));
    }
    s.v = float4(inF(6), inF(7), inF(8), index);
    s.d = inF(9); s.l = int64_t(inI(7)) * 0x10001; s.f = bool2(index & 1, index & 2);
}
[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    fill(Many[index], index);
    for (int k = 0; k < 4; ++k) Grid[k][index] = inF(k);
    if (index < 3) { Matrix[index] = float3(inF(0), inF(1), inF(2)); Matrices[index][index & 1] = int2x2(index, 2, 3, inI(0)); Matrices[index][1 - (index & 1)] = 0; }
    if (index == 3) { Hidden = float4(inF(0), inF(1), inF(2), inF(3)); n::Inside[0] = inI(0); n::Inside[1] = 5; }
    Flags[index] = inU(0) & 1;
    Vectors[index] = uint3(index, inU(1), inU(2));
    Wide[index] = uint64_t(inU(3)) << 17;
    GroupMemoryBarrierWithGroupSync();
    uint o = (index + 5) % THREADS;
    S s = Many[o];
    putU(s.a); putF4(s.v); putF(float(s.d)); putU(uint(s.l)); putU(uint(s.l >> 32)); putB(s.f.x); putB(s.f.y);
    for (int i = 0; i < 2; ++i) { putF3(s.list[i].m[0]); putF3(s.list[i].m[1]); putB(s.list[i].b); putI2(s.list[i].r[0]); putI2(s.list[i].r[2]); }
    putF(Many[o].list[o & 1].m[o & 1][o % 3]); putI(Many[o].list[1]. r._m21); putF2(Many[o].v.wx);
    putF(Grid[o & 3][o]); putF3(Matrix[o % 3]); putF(Matrix[o % 3][o & 1]); putF3(mul(Matrix, float3(1, 2, 3)));
    int2x2 q = Matrices[o % 3][o & 1]; putI2(q[0]); putI2(q[1]);
    putB(Flags[o]); putU3(Vectors[o]); putU(Vectors[o][o % 3]); putU2(Vectors[o].zy); putU(uint(Wide[o])); putU(uint(Wide[o] >> 32));
    putF4(Hidden); putI(n::Inside[o & 1]);
    GroupMemoryBarrierWithGroupSync();
    Vectors[index].yz = uint2(7, index); Many[index].list[1].m[1][index % 3] = 3; Matrix[0][1] = 9; Many[index].f.y = true;
    GroupMemoryBarrierWithGroupSync();
    putU3(Vectors[o]); putF3(Many[o].list[1].m[1]); putF(Matrix._m01); putB(Many[o].f.y);
}
