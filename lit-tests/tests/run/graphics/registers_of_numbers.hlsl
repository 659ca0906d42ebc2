// Numbers outside of cbuffers with registers: the others come after all of them, in the order of the source.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, its constants outside of cbuffers ignore -fvk-b-shift, by which this comparison finds bindings.
// RUN: %rtc -T ps_6_0 -E Ps %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T ps_6_0 -E Ps -spirv -fvk-use-dx-layout %s | FileCheck %s --check-prefix=SPIRV
// CHECK: float x; {{ *}}; Offset: 36
// CHECK: float y; {{ *}}; Offset: 0
// CHECK: float z; {{ *}}; Offset: 32
// CHECK: float4 q; {{ *}}; Offset: 48
// SPIRV: OpMemberDecorate %{{.*}} 0 Offset 36
// SPIRV: OpMemberDecorate %{{.*}} 1 Offset 0
// SPIRV: OpMemberDecorate %{{.*}} 2 Offset 32
// SPIRV: OpMemberDecorate %{{.*}} 3 Offset 48
//> [targets.Color]
//> size = [2, 2]
//> format = "rgba32_float"
//> expect = [{ is = [1, 2, 3, 7] }]
//> [constants."$Globals"]
//> y = { float = 2 }
//> z = { float = 3 }
//> x = { float = 1 }
//> q = { float4 = [4, 5, 6, 7] }
//> [[draw]]
//> count = 3
float x; float y : register(c0); float z : register(c2); float4 q;
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Ps() : SV_Target { return float4(x, y, z, q.w); }
