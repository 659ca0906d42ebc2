// Numbers become halves by rounding to the nearest, halfway to the even one, once; what is too large becomes infinite, what is small denormal.
// What no compiler knows: a 32-bit float of these bits.
// reference: no, the expected values are written here
// device: cpu, drivers may round as they like and compute minimum precision in 32 bits
// options: -T lib_6_3 -enable-16bit-types
// RUN: %rtc -T lib_6_3 -enable-16bit-types -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -enable-16bit-types -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -enable-16bit-types -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

#define IS(found, must) expect(int(found), int(must))
#define ISF(found, must) expect(asint(float(found)), asint(float(must)))
// A number that no compiler knows: the last word of the results is zero until it is written.
uint number(uint n) { return n + Out.Load(32764); }

// What no compiler knows: a 32-bit float of these bits.
float known(uint bits) { return asfloat(bits + number(0)); }
uint bits(float16_t h) { return asuint16(h); }
void both(float from, uint must)
{
    IS(bits(float16_t(from)), must);
    IS(f32tof16(from), must);
    IS(bits(float16_t(double(from))), must);
}
[shader("raygeneration")] void Main()
{
    both(known(asuint(2049.0)), 0x6800); both(known(asuint(2051.0)), 0x6802); both(known(asuint(-2049.0)), 0xe800); both(known(asuint(2049.5)), 0x6801);
    both(known(asuint(65504.0)), 0x7bff); both(known(asuint(65519.996)), 0x7bff); both(known(asuint(65520.0)), 0x7c00); both(known(asuint(-1e30)), 0xfc00);
    // The least normal one, denormals, halfway between 0 and the least denormal.
    both(known(0x38800000), 0x0400); both(known(0x387fe000), 0x0400); both(known(0x387fc000), 0x03ff); both(known(0x33800000), 0x0001);
    both(known(0x33000000), 0x0000); both(known(0x33000001), 0x0001); both(known(0xb3000001), 0x8001); both(known(0x7f800000), 0x7c00); both(known(0x80000000), 0x8000);
    // Just above and below halfway in a double, which is halfway as a float.
    double half_way = double(known(asuint(2049.0))), little = asdouble(number(0), 0x3e000000 + number(0));
    IS(bits(float16_t(half_way + little)), 0x6801); IS(bits(float16_t(half_way - little)), 0x6800);
    IS(bits(float16_t(-half_way - little)), 0xe801); IS(bits(float16_t(double(known(asuint(2051.0))) - little)), 0x6801);
    IS(bits(float16_t(double(known(0x33000000)) + little * little)), 0x0001); IS(bits(float16_t(double(known(asuint(65520.0))) - little)), 0x7bff);
    // Integers; arithmetic has the same rounding, and keeps denormals.
    IS(bits(float16_t(number(1) + 2048u)), 0x6800); IS(bits(float16_t(number(3) + 2048u)), 0x6802); IS(bits(float16_t(number(0) + 65520u)), 0x7c00); IS(bits(float16_t(int(number(0)) - 70000)), 0xfc00);
    float16_t large = float16_t(known(asuint(2048.0))), one = float16_t(known(asuint(1.0))), least = asfloat16(uint16_t(1 + number(0)));
    IS(bits(large + one), 0x6800); IS(bits(large + 3 * one), 0x6802); IS(bits(large * large), 0x7c00); IS(bits(least + least), 2); IS(bits(least * float16_t(0.5)), 0); IS(bits(least * float16_t(1.5)), 2);
    // Back: a denormal half is an exact float.
    IS(asuint(float(least)), 0x33800000); IS(asuint(f16tof32(0x03ff + number(0))), 0x387fc000); IS(asuint(f16tof32(0xfc00 + number(0))), 0xff800000);
}
