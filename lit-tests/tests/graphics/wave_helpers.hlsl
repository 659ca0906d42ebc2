// [WaveOpsIncludeHelperLanes]: an attribute of the function in DXIL since shader model 6.7, quads that stay together in SPIR-V; it counts for the entry points of pixel shaders.
// RUN: %rtc -T ps_6_7 -E main %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T ps_6_7 -E main -denorm ftz %s | FileCheck %s --check-prefix=DENORM
// RUN: %rtc -T ps_6_7 -E plain %s | FileCheck %s --check-prefix=NONE
// RUN: %rtc -T ps_6_6 -E main %s | FileCheck %s --check-prefix=NONE
// RUN: %rtc -T cs_6_7 -E cs %s | FileCheck %s --check-prefix=NONE
// RUN: %rtc -T lib_6_7 %s -Fo %t.lib.dxil
// RUN: %dxv %t.lib.dxil
// RUN: %rtc dis %t.lib.dxil | FileCheck %s --check-prefix=LIB
// RUN: %rtc link -T ps_6_7 -E main %t.lib.dxil -Fo %t.linked.dxil
// RUN: %rtc dis %t.linked.dxil | FileCheck %s
// RUN: %rtc -spirv -T ps_6_7 -E main %s -fspv-target-env=vulkan1.3 -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T ps_6_0 -E main %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefix=SPV
// RUN: %rtc -spirv -T ps_6_7 -E plain %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefix=SPVNONE
// RUN: %rtc -spirv -T cs_6_7 -E cs %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefix=SPVNONE

// CHECK: define void @main() #[[OWN:[0-9]+]]
// CHECK: attributes #[[OWN]] = { "waveops-include-helper-lanes" }
// DENORM: attributes #0 = { "fp32-denorm-mode"="ftz" "waveops-include-helper-lanes" }
// NONE-NOT: waveops-include-helper-lanes
// LIB-DAG: define void @main() #[[OWN:[0-9]+]]
// LIB-DAG: define void @plain() {
// LIB-DAG: define void @cs() #{{[0-9]+}} {
// LIB: attributes #[[OWN]] = { "waveops-include-helper-lanes" }
// SPV: OpCapability QuadControlKHR
// SPV-DAG: OpExtension "SPV_KHR_maximal_reconvergence"
// SPV-DAG: OpExtension "SPV_KHR_quad_control"
// SPV: OpEntryPoint Fragment [[MAIN:%[0-9A-Za-z_]+]]
// SPV-DAG: OpExecutionMode [[MAIN]] MaximallyReconvergesKHR
// SPV-DAG: OpExecutionMode [[MAIN]] RequireFullQuadsKHR
// SPVNONE-NOT: QuadControlKHR
// SPVNONE-NOT: RequireFullQuadsKHR

// Of a function that is no entry point it means nothing.
[WaveOpsIncludeHelperLanes] float called(float x) { return WaveActiveSum(x); }

[shader("pixel")] [waveopsincludehelperlanes] float4 main(float f : F) : SV_Target { clip(f); return called(f); }

[shader("pixel")] float4 plain(float f : F) : SV_Target { return called(f); }

RWStructuredBuffer<float> Out;
[shader("compute")] [numthreads(4, 1, 1)] [WaveOpsIncludeHelperLanes] void cs(uint i : SV_GroupIndex) { Out[i] = called(i); }
