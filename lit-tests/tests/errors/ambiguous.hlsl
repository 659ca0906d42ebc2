void F(int a, float b) {} void F(float a, int b) {}
[shader("raygeneration")] void Main() { F(1, 2); }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: ambiguous.hlsl:2:41: error: ambiguous call of `F` with arguments of types (literal int, literal int) [E0314]
// CHECK: ambiguous.hlsl:1:6: note: candidate: void F(int, float)
// CHECK: ambiguous.hlsl:1:32: note: candidate: void F(float, int)
