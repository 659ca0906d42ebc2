// Semantics of the definition count, not those of declarations before or after it.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T ps_6_0 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s --check-prefix=SPV
// CHECK: ; TEXCOORD                 3
// CHECK: ; SV_SampleIndex
// CHECK: ; SV_Target                1
// SPV-DAG: OpName %{{.*}} "in.var.TEXCOORD3"
// SPV-DAG: OpName %{{.*}} "out.var.SV_Target1"
// SPV-DAG: BuiltIn SampleId
float4 main(float t : bogus, uint x : SV_IsFrontFace) : bogus;
float4 main(float t : TEXCOORD3, uint y : SV_SampleIndex) : SV_Target1 { return t + y; }
float4 main(float t : other, uint x : SV_Coverage) : other;
