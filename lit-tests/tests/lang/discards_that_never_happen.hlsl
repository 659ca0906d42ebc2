// A discard whose condition never holds is no operation: the shader keeps its early depth tests.
// RUN: %rtc -T ps_6_0 -E main -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -E main -spirv %s -Fo %t.spv -Fc - | FileCheck %s --check-prefix=SPV
// RUN: %spirv-val %t.spv
// RUN: %rtc -T ps_6_0 -E some -validator-version 1.6 %s -Fc - | FileCheck %s --check-prefix=SOME
// CHECK-LABEL: define void @main
// CHECK-NOT: discard
// SPV-NOT: OpKill
// SPV-NOT: OpDemote
float4 main(float4 p : P) : SV_Target { clip(1); clip(float2(0, 3)); if (false) discard; return p; }
// SOME-COUNT-1: call void @dx.op.discard
// SOME-NOT: call void @dx.op.discard
float4 some(float4 p : P) : SV_Target { clip(float2(0, p.x)); clip(2); return p; }
