[shader("raygeneration")] void Main() { float2 v = 1; float z = v.z; v.xx = 2; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: swizzle.hlsl:1:67: error: invalid swizzle `z` of `float2` [E0321]
// CHECK: swizzle.hlsl:1:70: error: cannot assign to: a component occurs twice [E0317]
