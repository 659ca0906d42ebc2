// A constant table that a function of another library turns out not to need is not in the result: no variable is never used.
// RUN: %rtc -T lib_6_3 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %rtc dis %t.a.dxil | FileCheck %s --check-prefix=TABLE
// RUN: %rtc -T lib_6_3 -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T lib_6_3 -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// TABLE: @{{.*}}Table{{.*}} = internal constant
// CHECK-NOT: Table
float second(float a, float b);
#ifdef A
static const float Table[5] = { -4.5, 23.75, -28.25, -14.5, 12.75 };
export float first(uint i, float b) { return second(Table[i % 5], b); }
#else
export float second(float a, float b) { return b * 2; }
#endif
