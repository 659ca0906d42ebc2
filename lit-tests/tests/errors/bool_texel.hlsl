RWTexture2D<bool2> B : register(u0); [shader("raygeneration")] void Main() { B[uint2(0, 0)] = true; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK: bool_texel.hlsl:1:1: error: `RWTexture2D` cannot hold `bool2` [E0503]
