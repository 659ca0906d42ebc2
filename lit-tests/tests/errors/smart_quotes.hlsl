[shader(“raygeneration”)] void Main() { }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: smart_quotes.hlsl:1:9: error: typographic quotation marks do not delimit a string [E0102]
// CHECK: note: fix: replace `“raygeneration”` with `"raygeneration"`
