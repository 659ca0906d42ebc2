// Where members of a cbuffer are in DXIL, as the reference compiler places them: those with `packoffset` first, the others after the last one of them; a matrix
// of booleans that is a member itself has its registers to itself, one in a structure or an array does not. SPIR-V has the rules of packing.
// RUN: %rtc -T ps_6_0 -E Ps -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T ps_6_0 -E Ps -no-warnings %s -Fc - | FileCheck %s
// RUN: %rtc -T ps_6_0 -E Ps -no-warnings -spirv -fvk-use-dx-layout -DSPIRV %s -Fc - | FileCheck %s --check-prefix=SPIRV
#ifndef SPIRV
// CHECK: float a; {{.*}} Offset: 32
// CHECK: float4 b; {{.*}} Offset: 16
// CHECK: float2 c; {{.*}} Offset: 36
// CHECK: float d; {{.*}} Offset: 8
// CHECK: float e[2]; {{.*}} Offset: 48
cbuffer Mixed : register(b0) { float a; float4 b : packoffset(c1); float2 c; float d : packoffset(c0.z); float e[2]; };
// CHECK: float f; {{.*}} Offset: 4
// CHECK: float g; {{.*}} Offset: 0
cbuffer Second : register(b1) { float f; float g : packoffset(c0); };
// CHECK: float h; {{.*}} Offset: 0
// CHECK: bool2x1 i; {{.*}} Offset: 16
// CHECK: uint j; {{.*}} Offset: 32
// CHECK: bool2x2 k; {{.*}} Offset: 48
// CHECK: float2 l; {{.*}} Offset: 80
// CHECK: bool1x1 m; {{.*}} Offset: 96
// CHECK: uint n; {{.*}} Offset: 112
cbuffer Booleans : register(b2) { float h; bool2x1 i; uint j; bool2x2 k; float2 l; bool1x1 m; uint n; };
struct Inner { bool2x2 o; uint p; };
// CHECK: bool2x2 o; {{.*}} Offset: 0
// CHECK: uint p; {{.*}} Offset: 24
// CHECK: bool2x2 q[2]; {{.*}} Offset: 32
// CHECK: uint r; {{.*}} Offset: 88
cbuffer Nested : register(b3) { Inner inner; bool2x2 q[2]; uint r; };
// CHECK: float2x2 s; {{.*}} Offset: 0
// CHECK: uint t; {{.*}} Offset: 24
cbuffer Floats : register(b4) { float2x2 s; uint t; };
float4 Ps() : SV_Target
{
    float sum = a + b.x + c.x + d + e[1] + f + g + h + j + l.x + n + inner.p + r + s[0][0] + t;
    return sum + (i[0][0] ? 1 : 0) + (k[1][1] ? 1 : 0) + (m[0][0] ? 1 : 0) + (inner.o[0][1] ? 1 : 0) + (q[1][0][0] ? 1 : 0);
}
#else
// SPIRV-DAG: OpMemberDecorate %type_Mixed 0 Offset 0
// SPIRV-DAG: OpMemberDecorate %type_Mixed 1 Offset 20
cbuffer Mixed : register(b0) { float a; float b : packoffset(c1.y); };
float4 Ps() : SV_Target { return a + b; }
#endif
