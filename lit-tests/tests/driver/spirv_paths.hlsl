// Members and elements with constant numbers are signed constants in paths, types without members have names, and the set of functions that nothing calls is
// not imported: as in the reference's modules. Derivatives are those of the extension that the device has.
// RUN: %rtc -T cs_6_6 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s
// RUN: %rtc -T cs_6_6 -E main -spirv -DSINE %s | FileCheck %s --check-prefix=SINE
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-extension=SPV_NV_compute_shader_derivatives %s | FileCheck %s --check-prefix=NV
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-extension=SPV_NV_compute_shader_derivatives -fspv-extension=SPV_KHR_compute_shader_derivatives %s | FileCheck %s
// CHECK: OpExtension "SPV_KHR_compute_shader_derivatives"
// CHECK-NOT: GLSL.std.450
// CHECK: OpName %type_2d_image "type.2d.image"
// CHECK: OpName %type_sampler "type.sampler"
// CHECK: OpName %type_sampled_image "type.sampled.image"
// CHECK: OpAccessChain %_ptr_Uniform_v4float %source %int_0 %uint_3 %int_1
// CHECK: OpAccessChain %_ptr_Workgroup_float %shared_ %int_5
// SINE: OpExtInstImport "GLSL.std.450"
// NV: OpExtension "SPV_NV_compute_shader_derivatives"
// NV-NOT: SPV_KHR_compute_shader_derivatives
struct S { float4 a, b; };
RWStructuredBuffer<S> source;
RWStructuredBuffer<float4> target;
groupshared float shared_[8];
Texture2D<float4> t;
SamplerState s;
[numthreads(8, 8, 1)] void main(uint i : SV_GroupIndex)
{
    float4 v = source[3].b;
    if (i < 8) shared_[i] = v.x;
    GroupMemoryBarrierWithGroupSync();
    target[i] = v + shared_[5] + t.Sample(s, v.xy);
#ifdef SINE
    target[i] += sin(v);
#endif
}
