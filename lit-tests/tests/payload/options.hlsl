// When payload access qualifiers are in force, and what it takes to ask for them.
// RUN: not %rtc -T lib_6_5 -enable-payload-qualifiers %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=OLD %s
// RUN: not %rtc -T lib_6_7 -enable-payload-qualifiers -disable-payload-qualifiers %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: %rtc -T lib_6_5 %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %rtc -T lib_6_6 %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %rtc -T lib_6_6 -disable-payload-qualifiers -Wno-payload-access-qualifier -WX %s -Fo %t.dxil
// RUN: %rtc -T lib_6_8 -disable-payload-qualifiers %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: not %rtc -T lib_6_6 -enable-payload-qualifiers -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=ON %s
// RUN: not %rtc -T lib_6_7 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=ON %s
// RUN: not %rtc -T lib_6_10 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=ON %s
struct [raypayload] P { float a : read(caller) : write(miss); };
struct Plain { float a; };
[shader("miss")] void M(inout P p) { p.a = 1; }
[shader("miss")] void N(inout Plain p) { p.a = 1; }
// OLD: -enable-payload-qualifiers requires shader model 6.6 or higher
// BOTH: contradict each other
// OFF: the access qualifiers of `P` have no effect
// ON: options.hlsl:14:{{[0-9]+}}: error: `Plain` is used as a payload but not declared `[raypayload]` [E0706]
