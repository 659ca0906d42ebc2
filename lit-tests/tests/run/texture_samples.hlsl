// Sampling at a level, with gradients, offsets and comparison, of every texture that has them.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

Texture1D<float4> T1 : register(t10);
Texture1DArray<float2> T1A : register(t11);
Texture2D<float4> T2 : register(t12);
Texture2DArray<float3> T2A : register(t13);
Texture3D<float4> T3 : register(t14);
TextureCube<float4> TC : register(t15);
TextureCubeArray<float> TCA : register(t16);
Texture2D<float> Depth : register(t17);
Texture2DArray<float> DepthA : register(t18);
TextureCube<float> DepthC : register(t19);
SamplerState Linear : register(s20);
SamplerState PointClamp : register(s21);
SamplerState Mirror : register(s22);
SamplerComparisonState CmpPoint : register(s23);
SamplerComparisonState CmpClamp : register(s24);

[shader("raygeneration")]
void Main()
{
    // Away from the borders between texels, where devices may choose either.
    float3 at = float3(inF(0), inF(1), inF(2)) / 16 + 0.013;
    float level = (Thread() & 7) * 0.5;
    putF4(T1.SampleLevel(PointClamp, at.x, level));
    putF4(T1.SampleLevel(Linear, at.x, 0, 2));
    putF2(T1A.SampleLevel(PointClamp, float2(at.x, Thread() % 3), 1));
    putF2(T1A.SampleLevel(Linear, float2(at.x, 1), 0, -3));
    putF4(T2.SampleLevel(PointClamp, at.xy, 0));
    putF4(T2.SampleLevel(Linear, at.xy, 1));
    putF4(T2.SampleLevel(Mirror, at.yx, 0, int2(3, -8)));
    putF3(T2A.SampleLevel(PointClamp, float3(at.xy, 2), 2));
    putF3(T2A.SampleLevel(Linear, float3(at.xy, 1), 0, int2(7, 1)));
    putF4(T3.SampleLevel(Linear, at, 0));
    putF4(T3.SampleLevel(PointClamp, at, 1, int3(1, -1, 2)));
    putF4(TC.SampleLevel(PointClamp, at, 0));
    putF(TCA.SampleLevel(PointClamp, float4(at, Thread() & 1), 1));
    putF4(T2.SampleGrad(PointClamp, at.xy, float2(0.5, 0), float2(0, 0.5)));
    putF4(T2.SampleGrad(Linear, at.xy, float2(0.125, 0), float2(0, 0.125), int2(1, 2)));
    putF4(T1.SampleGrad(PointClamp, at.x, 0.25, 0.25));
    putF4(T3.SampleGrad(PointClamp, at, float3(0.25, 0, 0), float3(0, 0.25, 0), int3(1, 0, -1)));
    putF3(T2A.SampleGrad(PointClamp, float3(at.xy, 0), float2(0.25, 0), float2(0, 0.25)));
    putF(Depth.SampleCmpLevelZero(CmpPoint, at.xy, 0.5));
    putF(Depth.SampleCmpLevelZero(CmpClamp, at.xy, inF(5) / 8, int2(1, 1)));
    putF(DepthA.SampleCmpLevelZero(CmpPoint, float3(at.xy, 2), 0.25));
    putF(DepthC.SampleCmpLevelZero(CmpPoint, at, 0.75));
    half4 h = (half4)T2.SampleLevel(PointClamp, (half2)0.3, 0);
    putF4(h);
}
