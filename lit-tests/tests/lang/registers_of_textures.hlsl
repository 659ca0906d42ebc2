// A texture may have its register written `s`, and a sampler `t`: the number counts in their own class, in Vulkan with the shift of the letter.
// RUN: %rtc -T ps_6_0 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T ps_6_0 -spirv -fvk-s-shift 20 0 -fvk-t-shift 40 0 %s -Fo %t.spv -Fc - | FileCheck %s --check-prefix=SPIRV
// RUN: not %rtc -T ps_6_0 -DWRONG %s 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK-DAG: sampler {{.*}} s3 {{ *}}1
// CHECK-DAG: texture {{.*}} t2 {{ *}}1
// SPIRV-DAG: OpName [[T:%[0-9A-Za-z_]+]] "t"
// SPIRV-DAG: OpDecorate [[T]] Binding 22
// SPIRV-DAG: OpName [[S:%[0-9A-Za-z_]+]] "s"
// SPIRV-DAG: OpDecorate [[S]] Binding 43
Texture2D t : register(s2);
SamplerState s : register(t3);
#ifdef WRONG
// WRONG: expected `t`, found `s`
Buffer<float> b : register(s4);
#endif

float4 main(float2 uv : UV) : SV_Target { return t.Sample(s, uv); }
