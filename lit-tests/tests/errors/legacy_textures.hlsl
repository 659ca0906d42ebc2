sampler2D Old; RWBuffer<float4> O : register(u0); [numthreads(1, 1, 1)] void main() { O[0] = tex2Dlod(Old, 0.5); }
// RUN: not %rtc -T cs_6_0 -E main -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK: legacy_textures.hlsl:1:1: error: unknown type name `sampler2D`
// CHECK: legacy_textures.hlsl:1:94: error: use of undeclared identifier `tex2Dlod` [E0301]
// CHECK: note: the texture functions of Direct3D 9 are gone
