// In a structure in a constant buffer, an enumeration of 16 bits starts where one of 32 bits would; elsewhere it is like a number of 16 bits.
// RUN: %rtc -T cs_6_2 -E main -HV 2021 -enable-16bit-types -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// CHECK: a; {{ *}}; Offset: {{ *}}0
// CHECK: h; {{ *}}; Offset: {{ *}}4
// CHECK: u; {{ *}}; Offset: {{ *}}8
// CHECK: x; {{ *}}; Offset: {{ *}}10
// CHECK: v; {{ *}}; Offset: {{ *}}12
// CHECK: after; {{ *}}; Offset: {{ *}}14
// CHECK: last; {{ *}}; Offset: {{ *}}16
// CHECK: h; {{ *}}; Offset: {{ *}}4
// CHECK: u; {{ *}}; Offset: {{ *}}6
// CHECK: x; {{ *}}; Offset: {{ *}}8
// CHECK: v; {{ *}}; Offset: {{ *}}10
enum H : uint16_t { First };
struct Enums { uint a; H h, u; uint16_t x; H v; };
cbuffer C { Enums e; H after; uint16_t last; }
StructuredBuffer<Enums> s;
RWByteAddressBuffer o : register(u0);
[numthreads(1, 1, 1)] void main() { o.Store(0, (uint)e.h + (uint)e.u + (uint)after + last + e.x + (uint)e.v + (uint)s[0].u); }
