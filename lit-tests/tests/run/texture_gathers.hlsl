// Gathers of every channel, with one offset, with four, and compared.
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

Texture2D<float4> T2 : register(t12);
Texture2DArray<float4> T2A : register(t13);
Texture2D<uint4> U2 : register(t14);
Texture2D<int> I2 : register(t15);
TextureCube<float4> TC : register(t16);
Texture2D<float> Depth : register(t17);
Texture2DArray<float> DepthA : register(t18);
SamplerState PointClamp : register(s21);
SamplerComparisonState CmpClamp : register(s24);

[shader("raygeneration")]
void Main()
{
    float2 at = float2(inF(0), inF(1)) / 16 + 0.013;
    int2 by = int2(inI(2), inI(3)) & 3;
    putF4(T2.Gather(PointClamp, at));
    putF4(T2.GatherRed(PointClamp, at, int2(1, -2)));
    putF4(T2.GatherGreen(PointClamp, at));
    putF4(T2.GatherBlue(PointClamp, at, by));
    putF4(T2.GatherAlpha(PointClamp, at, int2(-8, 7)));
    putF4(T2A.GatherGreen(PointClamp, float3(at, Thread() % 3), int2(2, 2)));
    putU4(U2.GatherAlpha(PointClamp, at));
    putI4(I2.Gather(PointClamp, at));
    putF4(TC.GatherBlue(PointClamp, float3(at, 0.7)));
    putF4(Depth.GatherCmp(CmpClamp, at, 0.5));
    putF4(Depth.GatherCmpRed(CmpClamp, at, inF(4) / 8, by));
    putF4(DepthA.GatherCmp(CmpClamp, float3(at, 1), 0.25, int2(1, 0)));
}
