float F(float x);
float G(float x) { return F(x - 1); }
float F(float x) { return x > 0 ? G(x) : 0; }
[shader("raygeneration")] void Main() { float y = F(3); }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: recursion.hlsl:3:7: error: recursive call of `F`: HLSL does not support recursion [E0603]
// CHECK: recursion.hlsl:3:35: note: `G` is called here
// CHECK: recursion.hlsl:2:27: note: `F` is called here
// CHECK: note: shaders recurse by tracing rays
