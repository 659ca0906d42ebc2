// Derivatives and quads where four lanes are a square of threads.
// options: -T cs_6_6 -E Main -D COMPUTE
// reference: no, which lanes are a quad of a square group is up to the device in SPIR-V for it
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -Od -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 32
#include "Inputs/out.hlsli"
groupshared uint Quad[THREADS];
[numthreads(8, 4, 1)]
void Main(uint index : SV_GroupIndex, uint3 at : SV_GroupThreadID)
{
    ThreadNumber = index;
    float v = at.x * 3.0 + at.y * 7.0 + (at.x & 1) * (at.y & 1) * 100.0;
    float flat = at.x * 3.0 + at.y * 7.0;
    expect(int(ddx_coarse(flat)), 3); expect(int(ddy_coarse(flat)), 7);
    expect(int(ddx_fine(v)), at.y & 1 ? 103 : 3);
    expect(int(ddy_fine(v)), at.x & 1 ? 107 : 7);
    expect(QuadReadAcrossX(at.x), at.x ^ 1); expect(QuadReadAcrossY(at.y), at.y ^ 1);
    expect(QuadReadLaneAt(at.x * 10 + at.y, 3), (at.x | 1) * 10 + (at.y | 1));
    expect(WaveGetLaneIndex() & 3, (at.x & 1) + 2 * (at.y & 1));
    if (at.x & 2)
        expect(int(ddx(at.x * at.x * 1.0)), 2 * (at.x & ~1) + 1);
}
