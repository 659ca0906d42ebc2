static const int K = 1; [shader("raygeneration")] void Main() { K = 2; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: const_write.hlsl:1:65: error: cannot assign to: the expression is a value or a constant, not an l-value [E0317]
