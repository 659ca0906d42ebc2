// Literals in asuint16 and the like are 16-bit floats, those of integers too. A number that has a type is no such thing, and in HLSL 202x every literal has one.
// RUN: %rtc -T cs_6_6 -E main -enable-16bit-types %s | FileCheck %s
// RUN: not %rtc -T cs_6_6 -E main -enable-16bit-types -HV 202x %s 2>&1 | FileCheck %s --check-prefix=TYPED
// RUN: not %rtc -T cs_6_6 -E main -enable-16bit-types -DSUFFIX %s 2>&1 | FileCheck %s --check-prefix=TYPED

// CHECK: i32 0, i32 undef, i32 31616,
// CHECK: i32 4, i32 undef, i32 15360,
// CHECK: i32 8, i32 undef, i32 -17408,
// TYPED: argument 1 of `asuint16` is `float`

RWByteAddressBuffer o;
[numthreads(1, 1, 1)]
void main()
{
#ifdef SUFFIX
    o.Store(0, (uint)asuint16(61440.0f));
#else
    o.Store(0, (uint)asuint16(61440.0));
    o.Store(4, (uint)asuint16(1));
    o.Store(8, (int)asint16(-1));
#endif
}
