float F(float x) { return x; } float F(float y) { return y; }
[shader("raygeneration")] void Main() { int a; int a; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: redefinition.hlsl:1:38: error: redefinition of `F` [E0304]
// CHECK: redefinition.hlsl:1:7: note: previously declared here
// CHECK: redefinition.hlsl:2:52: error: redeclaration of `a` in the same scope [E0304]
// CHECK: redefinition.hlsl:2:45: note: previously declared here
