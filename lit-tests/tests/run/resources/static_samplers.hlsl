// Samplers of root signatures: addresses, filters, borders and comparison as they are written there.
// rtc -T lib_6_6
// scene: Inputs/picture.toml
// RUN: %rtc -T lib_6_6 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/resources.hlsli"

GlobalRootSignature Globals = { "UAV(u0), DescriptorTable(SRV(t1)),"
    "StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_WRAP, addressV = TEXTURE_ADDRESS_WRAP),"
    "StaticSampler(s1, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_CLAMP, addressV = TEXTURE_ADDRESS_MIRROR),"
    "StaticSampler(s2, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_BORDER, addressV = TEXTURE_ADDRESS_BORDER, borderColor = STATIC_BORDER_COLOR_OPAQUE_WHITE),"
    "StaticSampler(s3, filter = FILTER_MIN_MAG_LINEAR_MIP_POINT, addressU = TEXTURE_ADDRESS_CLAMP, addressV = TEXTURE_ADDRESS_CLAMP),"
    "StaticSampler(s4, filter = FILTER_COMPARISON_MIN_MAG_LINEAR_MIP_POINT, comparisonFunc = COMPARISON_LESS, addressU = TEXTURE_ADDRESS_CLAMP, addressV = TEXTURE_ADDRESS_CLAMP)" };
Texture2D<float4> Picture : register(t1);
SamplerState Wrap : register(s0);
SamplerState Clamp : register(s1);
SamplerState White : register(s2);
SamplerState Linear : register(s3);
SamplerComparisonState Less : register(s4);

[shader("raygeneration")] void Main()
{
    if (thread() > 0) { done(0); return; }
    float n = one();
    float w, h;
    Picture.GetDimensions(w, h);
    float4 corner = Picture.Load(int3(0, 0, 0)), right = Picture.Load(int3(w - 1, 0, 0)), bottom = Picture.Load(int3(0, h - 1, 0));
    float2 texel = 1 / float2(w, h);
    IS3(Picture.SampleLevel(Wrap, float2(n + 0.5 * texel.x, 0.5 * texel.y - 3), 0).xyz, corner.xyz);
    IS3(Picture.SampleLevel(Clamp, float2(7 * n, 0.5 * texel.y), 0).xyz, right.xyz);
    IS3(Picture.SampleLevel(Clamp, float2(-7 * n, -0.5 * texel.y), 0).xyz, corner.xyz);
    IS3(Picture.SampleLevel(Clamp, float2(-7 * n, 1 + 0.5 * texel.y), 0).xyz, bottom.xyz);
    IS3(Picture.SampleLevel(White, float2(-0.5 * n * texel.x, 0.5), 0).xyz, float3(1, 1, 1));
    float4 second = Picture.Load(int3(1, 0, 0));
    float3 off = abs(Picture.SampleLevel(Linear, float2(texel.x * n, 0.5 * texel.y), 0).xyz - (corner.xyz + second.xyz) / 2);
    IS(all(off < 0.003), 1);
    float4 reds = Picture.GatherRed(Wrap, texel * n);
    ISF(reds.w, corner.x); ISF(reds.z, second.x); ISF(reds.x, Picture.Load(int3(0, 1, 0)).x); ISF(reds.y, Picture.Load(int3(1, 1, 0)).x);
    ISF(Picture.SampleCmpLevelZero(Less, float2(0.5, 0.5) * texel * n, corner.x - 0.1), 1);
    ISF(Picture.SampleCmpLevelZero(Less, float2(0.5, 0.5) * texel * n, corner.x + 0.1), 0);
    done(22);
}
