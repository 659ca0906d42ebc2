[shader("raygeneration")] void Main() { break; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: break_outside.hlsl:1:41: error: `break` is only allowed in a loop or switch [E0401]
