float F(float x) { if (x > 0) return 1; }
[shader("raygeneration")] void Main() { float y = F(1); }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK: missing_return.hlsl:1:7: error: control can reach the end of `F` without returning a value [-Wreturn-type] [W0401]
// RUN: %rtc -T lib_6_3 -Wno-error=return-type %s -Fo %t.dxil
// An error by default is one without warnings, too.
// RUN: not %rtc -T lib_6_3 -no-warnings -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: %rtc -T lib_6_3 -no-warnings -Wno-error=return-type %s -Fo %t.dxil
