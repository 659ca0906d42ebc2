// A texture and a sampler in one descriptor: by attributes of two variables with one binding, or of a type of their own.
// RUN: %rtc -T ps_6_7 -E Main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T ps_6_7 -E Main -spirv %s | FileCheck %s
// RUN: %rtc -T ps_6_7 -E Main -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T lib_6_3 -WX -validator-version 1.6 %s -DLIBRARY -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: not %rtc -T lib_6_3 -spirv %s -DLIBRARY -Fo %t.rtp 2>&1 | FileCheck %s --check-prefix=PACKAGE
// RUN: not %rtc -T ps_6_0 -E Main %s 2>&1 | FileCheck %s --check-prefix=DXIL
// RUN: not %rtc -T ps_6_0 -E Channel -spirv %s 2>&1 | FileCheck %s --check-prefix=CHANNEL

// PACKAGE: error: `T` is a combined image sampler, which Direct3D has not
// DXIL: error: `vk::SampledTexture2D` {{.*}}SPIR-V
// CHANNEL: error: {{.*}}Vulkan compares the red channel alone

[[vk::combinedImageSampler]] [[vk::binding(3, 1)]] Texture2D<float4> T : register(t0);
[[vk::combinedImageSampler]] [[vk::binding(3, 1)]] SamplerState S : register(s0);

float4 through(Texture2D<float4> t, SamplerState s, float2 at) { return t.Sample(s, at) + t.Load(int3(0, 0, 0)); }

#ifdef LIBRARY
RWBuffer<float4> O : register(u0);
[shader("raygeneration")] void Generate() { O[0] = T.SampleLevel(S, 0.5, 0); }
#else
vk::SampledTexture2D Plain;
vk::SampledTexture2D<uint> Numbers : register(t1);
vk::SampledTextureCUBEArray<float2> Cubes[4];
vk::SampledTexture2DMS<float4> Samples;

// CHECK: OpName %[[T:[0-9A-Za-z_]+]] "T"
// CHECK-DAG: OpDecorate %[[T]] DescriptorSet 1
// CHECK-DAG: OpDecorate %[[T]] Binding 3
// CHECK-DAG: %[[IMAGE:[0-9A-Za-z_]+]] = OpTypeImage %{{[0-9A-Za-z_]+}} 2D 2 0 0 1 Unknown
// CHECK-DAG: %[[SAMPLED:[0-9A-Za-z_]+]] = OpTypeSampledImage %[[IMAGE]]
// CHECK-NOT: OpTypeSampler{{$}}
float lod(vk::SampledTexture2D t, float2 at) { return t.CalculateLevelOfDetail(at); }

float4 Main(float2 at : TEXCOORD, uint n : N) : SV_Target
{
    uint w, h, levels, status;
    Plain.GetDimensions(0, w, h, levels);
    // CHECK: OpImage %[[IMAGE]]
    // CHECK: OpImageQuerySizeLod
    float4 r = Plain.Sample(at) + Plain.Sample(at, int2(1, 2)) + Plain.SampleGrad(at, 1, 2) + Plain.SampleLevel(at, 3) + Plain.GatherGreen(at);
    r += Plain.SampleCmp(at, 0.5) + Plain.Load(int3(1, 2, 0)) + lod(Plain, at) + Plain.Sample(at, int2(0, 1), 2.0, status);
    // CHECK: OpImageSampleImplicitLod
    r += Numbers.Sample(at) + w + h + levels + status;
    r.xy += Cubes[n & 3].SampleBias(float4(at, at), 1) + Cubes[NonUniformResourceIndex(n)].SampleCmpLevelZero(float4(at, at), 0.25);
    r += Samples.Load(int2(3, 4), 1);
    return r + through(T, S, at);
}

vk::SampledTexture2D<float> Depth;
float4 Channel(float2 at : TEXCOORD) : SV_Target { return Depth.GatherCmpBlue(at, 0.5); }
#endif
