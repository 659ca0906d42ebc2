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
#if __HLSL_VERSION > 2018
template<typename T> uint sized(T) { return sizeof(T); }
#endif
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
    // What is computed of them has no type either.
    double third = (c ? 0.1 : 0.2) + (c ? 0.2 : 0.4), product = (c ? 0.1 : 0.2) * 3;
    IS(low(third), 0x33333334); IS(high(third), 0x3fd33333); IS(low(product), 0x33333334);
    IS(low(-(c ? 0.1 : 0.2)), 0x9999999a); IS(high(-(c ? 0.1 : 0.2)), 0xbfb99999); IS(low((c ? 1 : 2) * 0.1), 0x9999999a);
    IS(low(select(c, 0.1, 0.2)), 0x9999999a); IS(low(select(not, 1, 0.1)), 0x9999999a); IS(low((thread(), c ? 0.1 : 0.2)), 0x9999999a);
    IS(low((double)-(c ? not ? 1 : 0.1 : 0.2)), 0x9999999a); IS(low(c ? 0.1 + (not ? 1 : 0) : 5), 0x9999999a);
    int64_t sign = c ? -1 : 0xffffffff, minus = -(not ? 1 : 0x80000000);
    IS(uint(sign >> 32), 0xffffffff); IS(uint(minus >> 32), 0xffffffff); IS(uint(minus), 0x80000000);
    uint64_t shifted = (c ? 1 : 2) << 40, inverse = ~(c ? 1 : 2), large = (c ? 3 : 4) * 0x7fffffff;
    IS(uint(shifted >> 32), 0x100); IS(uint(inverse >> 32), 0xffffffff); IS(uint(large >> 32), 1); IS(uint(large), 0x7ffffffd);
    // Quotients and what is shifted to the right have the sign and all the bits of what they are made of.
    uint quotient = (c ? -8 : 4) / 2, right = (c ? -8 : 4) >> 1, rest = (c ? -7 : 4) % 4;
    IS(quotient, 0xfffffffc); IS(right, 0xfffffffc); IS(rest, 0xfffffffd);
    uint16_t half_of = (c ? 70000 : 3) / 2;
    IS(uint(half_of), 35000);
    uint unsigned_quotient = (c ? 0xfffffff8 : 4) / 2;
    IS(unsigned_quotient, 0x7ffffffc);
    double one_and_half = ((c ? 7 : 8) / 2) * 0.5;
    IS(low(one_and_half), 0); IS(high(one_and_half), 0x3ff80000);
    int truncated = (c ? 1 : 2) - (not ? 1.5 : 2.5);
    IS(truncated, -1);
    bool none = (c ? 1 : 2) - 1;
    IS(none ? 1 : 0, 0);
    float x = (c ? 1 : 2) + 0.25;
    IS(asuint(x), 0x3fa00000);
#if __HLSL_VERSION > 2018
    IS(sized((c ? 1 : 2) + 1), 4); IS(sized((c ? 1 : 0x100000000) + 1), 8); IS(sized(select(c, 1, 0.5)), 4); IS(sized((c ? 1 : 2) + c), 4);
#endif
    // Without a use that gives it a type it is of `int` or `float`.
    IS((c ? -1 : 5) / 2, 0); IS(-(c ? 3 : 5) >> 1, -2); IS((c ? 1 : 5) / 2.0 == 0.5 ? 1 : 0, 1); IS(~(c ? 1 : 2), -2);
    RawWritten.Store(0, -2);
    RawWritten.InterlockedMax(0, c ? 3 : 4);
    IS(RawWritten.Load(0), 0xfffffffe);
#if __HLSL_VERSION > 2018
    done(52);
#else
    done(48);
#endif
}
