// Levels that follow from what the lanes of a quad sample, limited and blended: the same as with explicit levels.
// reference: no, it does not know this shader model
// device: cpu, few others have limits of levels, and others blend levels less exactly
// options: -T cs_6_8 -E Main -D COMPUTE
// RUN: %rtc -T cs_6_8 -E Main -D COMPUTE -HV 2021 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_8 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#define THREADS 16
#include "Inputs/out.hlsli"

Texture2D<float4> T2 : register(t12);
TextureCube<float4> TC : register(t15);
Texture2D<float> Depth : register(t17);
SamplerState Linear : register(s20);
SamplerState Mirror : register(s22);
SamplerComparisonState CmpClamp : register(s24);

static const float2 Wide[4] = { float2(1, 0.5), float2(2, 2), float2(3, 0), float2(0.25, 16) };
void same(float4 found, float4 must) { expect(all(abs(found - must) < 1e-5), 1); }

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    uint quad = index >> 2;
    float2 corner = float2(index & 1, index >> 1 & 1);
    float2 at = 0.213 + 0.07 * quad + corner * Wide[quad] / 8;
    float3 direction = float3(corner.x * 0.5 - 0.25, corner.y * 0.5 - 0.25, 1);
    float level = T2.CalculateLevelOfDetailUnclamped(Linear, at);
    same(T2.Sample(Linear, at), T2.SampleLevel(Linear, at, level));
    same(T2.Sample(Mirror, at, int2(-3, 2)), T2.SampleLevel(Mirror, at, level, int2(-3, 2)));
    same(T2.SampleBias(Linear, at, 0.7), T2.SampleLevel(Linear, at, level + 0.7));
    same(T2.Sample(Linear, at, int2(0, 0), 1.5), T2.SampleLevel(Linear, at, max(level, 1.5)));
    same(T2.SampleBias(Linear, at, -3, int2(0, 0), 0.25), T2.SampleLevel(Linear, at, max(level - 3, 0.25)));
    same(T2.SampleGrad(Linear, at, ddx(at), ddy(at)), T2.Sample(Linear, at));
    same(TC.Sample(Linear, direction), TC.SampleLevel(Linear, direction, 1));
    same(Depth.SampleCmp(CmpClamp, at, 0.5), Depth.SampleCmpGrad(CmpClamp, at, 0.5, ddx(at), ddy(at)));
    same(Depth.SampleCmp(CmpClamp, at, 0.5, int2(0, 0), 1), Depth.SampleCmpLevel(CmpClamp, at, 0.5, max(level, 1)));
    same(Depth.SampleCmpBias(CmpClamp, at, 0.5, 1), Depth.SampleCmpLevel(CmpClamp, at, 0.5, level + 1));
}
