// Where numbers are after resources in a structure of a constant buffer: arrays and structures of resources alone end the row, one resource does not. Members of the buffer itself that take no bytes end none.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
struct Inner { Texture2D t; };
struct Nothing {};
struct Base { float a; Texture2D t[2]; };
struct All : Base { float b; Texture2D one; float c; Inner inner; float d; Nothing none; float e; Inner last[2]; };
All all;
Nothing nothing;
float after;
// CHECK: ; cbuffer $Globals
// CHECK: float a; {{.*}} Offset:    0
// CHECK: float b; {{.*}} Offset:   16
// CHECK: float c; {{.*}} Offset:   20
// CHECK: float d; {{.*}} Offset:   32
// CHECK: float e; {{.*}} Offset:   48
// CHECK: float after; {{.*}} Offset:   64
cbuffer C { float2 First; Inner Only; Nothing None; Texture2D Two[2]; float Last; }
// CHECK: ; cbuffer C
// CHECK: float2 First; {{.*}} Offset:    0
// CHECK: float Last; {{.*}} Offset:    8
float4 main() : SV_Target { return all.a + all.b + all.c + all.d + all.e + after + First.x + Last + Only.t.Load(0); }
