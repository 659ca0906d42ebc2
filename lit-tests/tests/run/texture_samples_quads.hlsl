// Levels of detail that follow from what the lanes of a quad sample: implicit, biased, clamped, compared, and queried.
// reference: no, it has no derivatives in compute shaders for Vulkan
// options: -T cs_6_6 -E Main -D COMPUTE
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
#define THREADS 16
#include "Inputs/out.hlsli"

Texture1D<float4> T1 : register(t10);
Texture1DArray<float2> T1A : register(t11);
Texture2D<float4> T2 : register(t12);
Texture2DArray<float3> T2A : register(t13);
Texture3D<float4> T3 : register(t14);
TextureCube<float4> TC : register(t15);
TextureCubeArray<float> TCA : register(t16);
Texture2D<float> Depth : register(t17);
SamplerState Linear : register(s20);
SamplerState PointClamp : register(s21);
SamplerState Mirror : register(s22);
SamplerComparisonState CmpPoint : register(s23);

// Texels of 8 from lane to lane, to the right and down; the levels that follow for images and lines, in sixteenths.
static const float2 Wide[4] = { float2(1, 0.5), float2(2, 2), float2(3, 0), float2(0.25, 16) };
static const int Exact[4] = { 0, 16, 25, 64 };
static const int OfLine[4] = { 0, 16, 25, -32 };
void told(float level, int sixteenths) { expect(int(round(level * 16)), sixteenths); }

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    uint quad = index >> 2;
    float2 wide = Wide[quad] / 8;
    float2 corner = float2(index & 1, index >> 1 & 1);
    float2 at = 0.213 + 0.07 * quad + corner * wide;
    // Eight texels a side, three levels.
    int exact = Exact[quad];
    told(T2.CalculateLevelOfDetail(Linear, at), min(exact, 32));
    told(T2.CalculateLevelOfDetailUnclamped(Linear, at), exact);
    told(T2A.CalculateLevelOfDetailUnclamped(Mirror, at), exact);
    told(T1.CalculateLevelOfDetailUnclamped(Linear, at.x), OfLine[quad]);
    told(T3.CalculateLevelOfDetailUnclamped(Linear, float3(at, 0)), exact);
    // A step of 1 across a face of a cube is half of it.
    float3 direction = float3(corner.x * 0.5 - 0.25, corner.y * 0.5 - 0.25, 1);
    told(TC.CalculateLevelOfDetailUnclamped(Linear, direction), 16);
    // Levels between two are not the same on all devices, so textures are seen at the nearest one.
    putF4(T1.Sample(PointClamp, at.x)); putF4(T1.Sample(PointClamp, at.x, 2)); putF2(T1A.Sample(PointClamp, float2(at.x, quad)));
    putF4(T2.Sample(PointClamp, at)); putF4(T2.Sample(PointClamp, at, int2(-3, 2)));
    putF4(T2.SampleBias(PointClamp, at, 0.75)); putF4(T2.SampleBias(PointClamp, at, -1, int2(1, 1)));
    putF3(T2A.Sample(PointClamp, float3(at, 1.3))); putF4(T3.Sample(PointClamp, float3(at, 0.4)));
    putF4(TC.Sample(PointClamp, direction)); putF(TCA.Sample(PointClamp, float4(direction, 1)));
    putF(Depth.SampleCmp(CmpPoint, at, 0.5)); putF(Depth.SampleCmp(CmpPoint, at, 0.25, int2(1, 0)));
}
