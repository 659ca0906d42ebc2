[shader("raygeneration")] void Main() { [unrol] for (int i = 0; i < 4; ++i) { } }
// RUN: %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK: unroll.hlsl:1:42: warning: unknown attribute `unrol` is ignored [-Wunknown-attributes] [W0402]
