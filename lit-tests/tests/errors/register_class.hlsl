RWTexture2D<float4> Out : register(t0); [shader("raygeneration")] void Main() { Out[uint2(0, 0)] = 1; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: register_class.hlsl:1:27: error: wrong register class for this resource: expected `u`, found `t` [E0501]
