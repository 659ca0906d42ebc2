// The size of a tbuffer, which its record does not say, is that of its structure.
// RUN: %rtc -T ps_6_0 -E main -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc reflect %t.dxil | FileCheck %s --check-prefix=REFLECT
// CHECK-DAG: } Tab; {{ *}}; Offset:    0 Size:    60
// CHECK-DAG: } One; {{ *}}; Offset:    0 Size:    40
// CHECK-DAG: } C; {{ *}}; Offset:    0 Size:    12
// REFLECT-DAG: "bytes": 60
// REFLECT-DAG: "bytes": 40
// REFLECT-DAG: "bytes": 12
tbuffer Tab : register(t2) { float4 a; int b[3]; float2 c; }
struct S { float3 x; uint y; float2x2 m; };
TextureBuffer<S> One : register(t5);
cbuffer C { float3 d; }
float4 main() : SV_Target { return a + b[1] + c.xyxy + One.y + One.m._m01 + d.xyzx; }
