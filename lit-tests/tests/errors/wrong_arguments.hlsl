float Half(float x) { return x / 2; }
[shader("raygeneration")] void Main() { float a = Half(1, 2); }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: wrong_arguments.hlsl:2:51: error: `Half` expects 1 argument, found 2 [E0315]
// CHECK: wrong_arguments.hlsl:2:51: note: 2 arguments passed here
// CHECK: wrong_arguments.hlsl:1:7: note: candidate: float Half(float)
