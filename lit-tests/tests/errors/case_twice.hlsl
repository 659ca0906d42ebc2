[shader("raygeneration")] void Main() { switch (1) { case 1: break; case 1: break; } }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: case_twice.hlsl:1:74: error: duplicate label in the `switch` [E0402]
// CHECK: case_twice.hlsl:1:59: note: first used here
