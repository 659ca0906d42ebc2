// In the listing of a buffer an array of structures ends as in the reference's listings, with a second semicolon; other members have one.
// RUN: %rtc -T cs_6_0 -E main %s | FileCheck %s
// CHECK: float4 x[2]; {{ *}}; Offset:    0
// CHECK: } a[2];; {{ *}}; Offset:    0
// CHECK: } b; {{ *}}; Offset:   96
// CHECK: } $Globals; {{ *}}; Offset:    0 Size:   132
struct A { float4 x[2]; float y; };
A a[2];
A b;
RWBuffer<float> o;
[numthreads(1, 1, 1)] void main() { o[0] = a[1].y + b.y; }
