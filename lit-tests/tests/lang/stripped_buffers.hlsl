// Listings of containers without reflection say of each buffer how many bytes it has; a structure without members is empty.
// RUN: %rtc -T cs_6_0 -E main -Qstrip_reflect %s -Fo %t.o
// RUN: %rtc dis %t.o | FileCheck %s
// RUN: %rtc -T cs_6_0 -E main %s -Fo %t.whole.o
// RUN: %rtc dis %t.whole.o | FileCheck %s --check-prefix=WHOLE
// CHECK: ; cbuffer
// CHECK-NEXT: ; {
// CHECK-NEXT: ;
// CHECK-NEXT: ;   [20 x i8] (type annotation not present)
// CHECK-NEXT: ;
// CHECK-NEXT: ; }
// CHECK: ; Resource bind info for
// CHECK-NEXT: ; {
// CHECK-NEXT: ;
// CHECK-NEXT: ;   [8 x i8] (type annotation not present)
// CHECK-NEXT: ;
// CHECK-NEXT: ; }
// WHOLE: struct {{.*}}Nothing
// WHOLE-NEXT: {
// WHOLE-NEXT: ;
// WHOLE-NEXT: /* empty struct */
struct Nothing {};
cbuffer C { float4 a; Nothing n; float b; };
RWStructuredBuffer<uint2> o;
[numthreads(1, 1, 1)] void main() { o[0] = a.x + b; }
