// Diagnostics are compared with comments of the source, also of included files.
// RUN: %rtc -T lib_6_6 -verify %s -I %S/Inputs
// RUN: not %rtc -T lib_6_6 -verify -DMORE %s -I %S/Inputs 2>&1 | FileCheck %s
#include "verify.hlsli"
float f() { return colour; } // expected-error {{use of undeclared identifier `colour`}}
// expected-error@+2 {{[E0304]}}
float twice; // expected-note {{previously declared here}}
int twice;
#ifdef MORE
// CHECK: verify.hlsl:11: error: this error was not expected: use of undeclared identifier `missing` [E0301]
float g() { return missing; }
#endif
