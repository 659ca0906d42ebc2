[shader("raygeneration")] void Main() { int n = 3; float a[n]; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: array_size.hlsl:1:60: error: expected a constant expression [E0324]
