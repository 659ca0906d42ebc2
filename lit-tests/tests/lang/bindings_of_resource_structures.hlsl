// In a module with a structure of resources an array takes as many bindings as it has elements, as with the reference; else one.
// RUN: %rtc -T ps_6_6 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T ps_6_6 -spirv %s | FileCheck %s
// RUN: %rtc -T ps_6_6 -spirv -DPLAIN %s | FileCheck %s --check-prefix=PLAIN
// CHECK-DAG: OpDecorate %First Binding 0
// CHECK-DAG: OpDecorate %Given Binding 12
// CHECK-DAG: OpDecorate %Both_Textures Binding 4
// CHECK-DAG: OpDecorate %Both_Sampler Binding 7
// CHECK-DAG: OpDecorate %Last Binding 14
// PLAIN-DAG: OpDecorate %First Binding 0
// PLAIN-DAG: OpDecorate %Given Binding 12
// PLAIN-DAG: OpDecorate %Textures Binding 1
// PLAIN-DAG: OpDecorate %Sampler Binding 2
// PLAIN-DAG: OpDecorate %Last Binding 3
Texture2D<float4> First[4];
[[vk::binding(12)]] Texture2D<float4> Given[2];
#ifdef PLAIN
Texture2D<float4> Textures[3];
SamplerState Sampler;
#define TEXTURES Textures
#define SAMPLER Sampler
#else
struct Resources { Texture2D<float4> Textures[3]; SamplerState Sampler; };
Resources Both;
#define TEXTURES Both.Textures
#define SAMPLER Both.Sampler
#endif
Texture2D<float4> Last[5];
float4 main(float2 uv : UV) : SV_Target
{
    return First[0].Sample(SAMPLER, uv) + Given[1].Sample(SAMPLER, uv) + TEXTURES[1].Sample(SAMPLER, uv) + Last[4].Sample(SAMPLER, uv);
}
