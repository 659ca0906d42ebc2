TriangleHitGroup Group = { "Any" }; [shader("raygeneration")] void Main() { }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: hit_group.hlsl:1:26: error: `TriangleHitGroup` expects 2 values (any-hit shader, closest-hit shader), found 1 [E0607]
