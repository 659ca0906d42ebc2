cbuffer C : register(b0) { float4 a : packoffset(c0); float3 b : packoffset(c0.y); }
[shader("raygeneration")] void Main() { float x = a.x + b.x; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: packoffset.hlsl:1:62: error: `b` overlaps `a` [E0502]
// CHECK: packoffset.hlsl:1:35: note: `a`
