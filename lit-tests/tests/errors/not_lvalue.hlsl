[shader("raygeneration")] void Main() { int a = 1; (a + 1) = 2; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: not_lvalue.hlsl:1:53: error: cannot assign to: the expression is a value or a constant, not an l-value [E0317]
