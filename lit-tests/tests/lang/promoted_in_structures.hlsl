// With native 16-bit types, members of minimum precision start at multiples of 4 bytes in a structure of a constant buffer, where halves start at those of 2;
// they do not as members of the buffer itself, nor in structured buffers. So the reference compiler places them.
// RUN: %rtc -T ps_6_2 -E main -enable-16bit-types -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// CHECK: half x; {{ *}}; Offset: {{ *}}0
// CHECK: half3 y; {{ *}}; Offset: {{ *}}2
// CHECK: half a; {{ *}}; Offset: {{ *}}16
// CHECK: half3 b; {{ *}}; Offset: {{ *}}20
// CHECK: int16_t c; {{ *}}; Offset: {{ *}}28
// CHECK: float d; {{ *}}; Offset: {{ *}}32
// CHECK: half e; {{ *}}; Offset: {{ *}}36
// CHECK: half f; {{ *}}; Offset: {{ *}}38
// CHECK: half2 g; {{ *}}; Offset: {{ *}}40
// CHECK: half a; {{ *}}; Offset: {{ *}}0
// CHECK: half3 b; {{ *}}; Offset: {{ *}}2
struct S { min16float a; min16float3 b; min16int c; float d; half e, f; min10float2 g; };
cbuffer C { min16float x; min16float3 y; S s; };
StructuredBuffer<S> all;
float4 main() : SV_Target { return x + y.x + s.b.x + s.c + s.d + s.e + s.g.y + all[1].b.z; }
