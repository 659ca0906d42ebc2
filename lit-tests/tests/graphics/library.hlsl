// Vertex and pixel shaders in a library: signatures in their records, without what is used of them; also once it is linked.
// RUN: %rtc -T lib_6_6 %s -validator-version 1.6 -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc link -T lib_6_6 %t.dxil -validator-version 1.6 -Fo %t.linked.dxil
// RUN: %dxil-val %t.linked.dxil
// RUN: %rtc dis %t.linked.dxil | FileCheck %s
// RUN: %rtc -T lib_6_6 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv

struct V { float4 at : SV_Position; float2 uv : UV; };
[shader("vertex")] V Vs(float3 p : P, float2 uv : UV) { V o; o.at = float4(p, 1); o.uv = uv; return o; }
[shader("pixel")] [earlydepthstencil] float4 Ps(V v) : SV_Target { return v.uv.xyxy * ddx(v.uv.x); }
[shader("compute")] [numthreads(8, 1, 1)] void Cs() {}

// CHECK-DAG: = !{void ()* @Ps, !"Ps", [[PS:![0-9]+]], null, [[PROPS:![0-9]+]]}
// CHECK-DAG: [[PROPS]] = !{i32 0, i64 8, i32 8, i32 0, i32 5
// CHECK-DAG: = !{void ()* @Vs, !"Vs", [[VS:![0-9]+]], null
// CHECK-DAG: !"UV", i8 9, i8 0, {{![0-9]+}}, i8 2, i32 1, i8 2, i32 1, i8 0, null}
// CHECK-DAG: !"SV_Position", i8 9, i8 3, {{![0-9]+}}, i8 4, i32 1, i8 4, i32 0, i8 0, null}
