// Library profiles that are experiments of the reference, without a validator.
// RUN: not %rtc -T lib_6_1 %s 2>&1 | FileCheck %s
// RUN: not %rtc -T lib_6_2 -Vd %s 2>&1 | FileCheck %s
// CHECK: error: profile `lib_6_{{[12]}}` is an experiment that no validator knows; libraries begin with lib_6_3
float f(float x) { return x; }
