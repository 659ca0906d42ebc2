// Attributes of Vulkan that are execution modes of pixel shaders. Other stages and DXIL have none of them.
// RUN: %rtc -T ps_6_0 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T ps_6_0 -spirv %s | FileCheck %s
// RUN: %rtc -T vs_6_0 -E vs -spirv %s | FileCheck %s --check-prefix=VERTEX
// RUN: %rtc -T ps_6_0 %s -Fo %t.dxil
// RUN: not %rtc -T ps_6_0 -DTWICE -spirv %s 2>&1 | FileCheck %s --check-prefix=TWICE
// CHECK-DAG: OpExtension "SPV_KHR_post_depth_coverage"
// CHECK-DAG: OpExtension "SPV_AMD_shader_early_and_late_fragment_tests"
// CHECK-DAG: OpExecutionMode %{{.*}} DepthUnchanged
// CHECK-DAG: OpExecutionMode %{{.*}} PostDepthCoverage
// CHECK-DAG: OpExecutionMode %{{.*}} EarlyAndLateFragmentTestsAMD
// CHECK-DAG: OpExecutionMode %{{.*}} StencilRefGreaterFrontAMD
// CHECK-DAG: OpExecutionMode %{{.*}} StencilRefLessBackAMD
// VERTEX-NOT: AMD
// RUN: %rtc -T ps_6_0 -E depth -spirv %s -Fo %t.depth.spv
// RUN: %spirv-val %t.depth.spv
// RUN: %rtc -T ps_6_0 -E depth -spirv %s | FileCheck %s --check-prefix=DEPTH
// The mode needs an extension where no stencil reference is written, too.
// DEPTH: OpExtension "SPV_EXT_shader_stencil_export"
// TWICE: error: `stencil_ref_less_equal_back` and `stencil_ref_unchanged_back` are mutually exclusive
struct Out { float4 c : SV_Target; uint s : SV_StencilRef; };
[[vk::post_depth_coverage]] [[vk::early_and_late_tests]] [[vk::depth_unchanged]] [[vk::stencil_ref_greater_equal_front, vk::stencil_ref_less_equal_back]]
#ifdef TWICE
[[vk::stencil_ref_unchanged_back]]
#endif
Out main(uint i : SV_Coverage) { Out o; o.c = i; o.s = i; return o; }
[[vk::early_and_late_tests]] float4 vs() : SV_Position { return 0; }
[[vk::early_and_late_tests]] [[vk::depth_unchanged]] [[vk::stencil_ref_greater_equal_front]]
float4 depth(float4 p : SV_Position, out float d : SV_Depth) : SV_Target { d = p.z; return 1; }
