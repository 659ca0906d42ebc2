// Parts of groupshared variables as groupshared parameters: members, elements, components, and parts of such parameters.
// options: -T cs_6_6 -E Main -D COMPUTE -HV 202x
// reference: no, the pinned compiler does not have such parameters
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 202x -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 202x -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 202x -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 202x -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 8
#include "Inputs/out.hlsli"

struct Part { uint list[THREADS]; float4 v; uint2 pair; };
groupshared Part Parts[4];
groupshared uint Grid[3][THREADS];
groupshared uint2x2 Matrix;

void put(groupshared uint to[THREADS], uint at, uint value) { to[at] = value; }
void add(groupshared uint to, uint by) { InterlockedAdd(to, by); }
void scale(groupshared float f) { f = f * 2 + 1; }
void fill(groupshared Part p, uint at, uint value) { put(p.list, at, value); if (at == 0) { p.v.y = value; scale(p.v[1]); } add(p.pair.y, 1); }
uint sum(groupshared uint from[THREADS]) { uint s = 0; for (uint i = 0; i < THREADS; ++i) s += from[i]; return s; }

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    if (index == 0) { for (uint i = 0; i < 4; ++i) Parts[i] = (Part)0; for (uint k = 0; k < 3; ++k) for (uint n = 0; n < THREADS; ++n) Grid[k][n] = 0; Matrix = 0; }
    GroupMemoryBarrierWithGroupSync();

    put(Parts[1].list, index, 10 + index);
    fill(Parts[2], index, index + 5);
    fill(Parts[inU(0) * 0 + 3], THREADS - 1 - index, 2 * index);
    uint which = 0;
    put(Grid[++which], index, which);
    put(Grid[index & 2], index, 7);
    add(Parts[0].pair.x, 3);
    add(Parts[0].list[index & 1], 2);
    add(Matrix[1][0], index);
    GroupMemoryBarrierWithGroupSync();

    expect(Parts[1].list[index], 10 + index);
    expect(sum(Parts[2].list), 8 * 5 + 28);
    expect(Parts[2].v.y, 11);
    expect(Parts[2].pair.y, 8); expect(Parts[3].pair.y, 8);
    expect(Parts[3].list[index], 2 * (THREADS - 1 - index));
    expect(Parts[3].v.y, 4 * (THREADS - 1) + 1);
    expect(which, 1); expect(sum(Grid[1]), 8); expect(sum(Grid[0]), 4 * 7); expect(sum(Grid[index & 2]), 4 * 7);
    expect(Parts[0].pair.x, 24); expect(Parts[0].list[0], 8); expect(Parts[0].list[1], 8);
    expect(Matrix[1][0], 28);
}
