// The negation and complement of a flag are of its enumeration.
// RUN: %rtc -T cs_6_0 %s -Fc - | FileCheck %s
// RUN: %rtc -T cs_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
enum Flags { Red = 1, Green = 2, Blue = 4 };
int kind(Flags f) { return 1000 + f; }
int kind(int i) { return i; }
RWByteAddressBuffer o;
[numthreads(1, 1, 1)]
void main()
{
    // CHECK: i32 0, i32 undef, i32 999, i32 1003, i32 1000,
    o.Store3(0, uint3(kind(-Red), kind(+Green + Red), kind(~Red & Red)));
    Flags f = Red | Green;
    f &= ~Green;
    // CHECK: i32 16, i32 undef, i32 1001, i32 -2,
    o.Store2(16, uint2(kind(f), int(~Red)));
}
