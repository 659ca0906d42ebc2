[shader("raygeneration")] void Main() { int a = 1
int b = 2; }
float F( { }
int x = 1 +;
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: missing_semicolon.hlsl:1:50: error: expected `;` after number `1` [E0202]
// CHECK: note: fix: insert `;`
// CHECK: missing_semicolon.hlsl:3:9: error: expected `)` after `(` [E0203]
// CHECK: missing_semicolon.hlsl:3:8: note: opened here
// CHECK: note: fix: insert `)`
// CHECK: missing_semicolon.hlsl:4:12: error: expected an expression, found `;` [E0201]
