// A texture and a sampler that ask to be one descriptor: said to stay two.
[[vk::combinedImageSampler]][[vk::binding(3)]] Texture2D<float4> T : register(t0);
[[vk::combinedImageSampler]][[vk::binding(4)]] SamplerState S : register(s0);
RWBuffer<float4> O : register(u0);
[shader("raygeneration")] void Main() { O[0] = T.SampleLevel(S, 0.5, 0); }
// RUN: %rtc -T lib_6_3 -spirv -fdiagnostics-format=short %s -Fo %t.spv 2>&1 | FileCheck %s
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -WX -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// CHECK: combined_image_sampler.hlsl:2:3: warning: texture and sampler stay two descriptors here
// CHECK: combined_image_sampler.hlsl:3:3: warning: texture and sampler stay two descriptors here
