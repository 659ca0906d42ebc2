// A choice between numbers without a type has none either: what it is used for gives it one, as of the number alone.
// rtc -T lib_6_6 -enable-16bit-types
// scene: Inputs/some.toml
// RUN: %rtc -T lib_6_6 -enable-16bit-types -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -HV 2018
#include "Inputs/resources.hlsli"

RWByteAddressBuffer RawWritten : register(u1);
double same(double x) { return x; }
uint low(double x) { uint l, h; asuint(x, l, h); return l; }
uint high(double x) { uint l, h; asuint(x, l, h); return h; }

[shader("raygeneration")] void Main()
{
    if (thread() > 0) { done(0); return; }
    bool c = one() == 1, not = one() == 2;
    // Doubles are not rounded to float before.
    double d = c ? 0.1 : 0.2;
    IS(low(d), 0x9999999a); IS(high(d), 0x3fb99999);
    IS(low(same(c ? 0.1 : 2)), 0x9999999a); IS(low(not ? 1 : c ? 0.1 : 0.2), 0x9999999a);
    double2 two = c ? 0.1 : 0.2;
    IS(low(two.y), 0x9999999a);
    double sum = d + (c ? 0.1 : 0.2);
    IS(low(sum), 0x9999999a); IS(high(sum), 0x3fc99999);
    // Arithmetic of 16 bits stays in 16 bits.
    uint16_t most = uint16_t(one() * 65535);
    IS(uint(most + (c ? 1 : 2)), 0);
    IS(uint(uint16_t(most + (c ? 1 : 2)) >> 1), 0); IS((most + (c ? 3 : 4)) >> 1, 1);
    half h = half(one() * 2049);
    IS(asuint(float(h * (c ? 0.3 : 0.2))), 0x4419a000);
    // Numbers of 64 bits are whole, and choices between them are numbers of 64 bits.
    uint64_t wide = c ? 0x123456789 : 5, more = (c ? 0x100000000 : 5) + 0x100000000;
    IS(uint(wide >> 32), 1); IS(uint(wide), 0x23456789); IS(uint(more >> 32), 2);
    int64_t negative = c ? -1 : 5;
    IS(uint(negative >> 32), 0xffffffff);
    // Among themselves they are of `int` and `float`.
    IS((c ? -1 : 5) / 2, 0); IS(-(c ? 3 : 5) >> 1, -2); IS((c ? 1 : 5) / 2.0 == 0.5 ? 1 : 0, 1); IS(~(c ? 1 : 2), -2);
    RawWritten.Store(0, -2);
    RawWritten.InterlockedMax(0, c ? 3 : 4);
    IS(RawWritten.Load(0), 0xfffffffe);
    done(20);
}
