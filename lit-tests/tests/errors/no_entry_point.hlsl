// A SPIR-V module needs an entry point; a DXIL library may do without.
float F(float x) { return x; }
// RUN: %rtc -T lib_6_3 %s -Fo %t.dxil
// RUN: not %rtc -T lib_6_3 -spirv -fdiagnostics-format=short %s -Fo %t.spv 2>&1 | FileCheck %s
// RUN: not test -e %t.spv
// CHECK: error: there is no entry point
