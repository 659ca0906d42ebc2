// Conversions of vectors: every number of eight bits, rounding to even, saturation, what is no number.
// rtc -T cs_6_10 -E main -enable-16bit-types
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -no-warnings %s -Fo %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/linalg.hlsli"

template <ComponentEnum To, ComponentEnum From, typename T> uint one(T x) { return Convert<To, From>(vector<T, 1>(x)).Data[0]; }
template <ComponentEnum To> float there_and_back(float x)
{
    return Convert<ComponentType::F32, To>(Convert<To, ComponentType::F32>(vector<float, 1>(x)).Data).Data[0];
}

[numthreads(1, 1, 1)] void main()
{
    // All numbers of eight bits, by their definition; each is read back.
    uint wrong4 = 0, wrong5 = 0, wrong8 = 0;
    for (uint b = 0; b < 256; ++b) {
        uint field4 = b >> 3 & 15, field5 = b >> 2 & 31;
        float sign = b >> 7 ? -1 : 1;
        float must4 = sign * asfloat((max(field4, 1u) + 117) << 23) * ((b & 7) + (field4 ? 8 : 0));
        float must5 = sign * asfloat((max(field5, 1u) + 110) << 23) * ((b & 3) + (field5 ? 4 : 0));
        float is4 = Convert<ComponentType::F32, ComponentType::F8_E4M3FN>(uint1(b)).Data[0];
        float is5 = Convert<ComponentType::F32, ComponentType::F8_E5M2>(uint1(b)).Data[0];
        if ((b & 0x7f) == 0x7f) wrong4 += !isnan(is4);
        else wrong4 += is4 != must4 || one<ComponentType::F8_E4M3FN, ComponentType::F32>(is4) != b;
        if ((b & 0x7f) > 0x7c) wrong5 += !isnan(is5);
        else if ((b & 0x7f) == 0x7c) wrong5 += !isinf(is5);
        else wrong5 += is5 != must5;
        if ((b & 0x7f) <= 0x7c) wrong5 += one<ComponentType::F8_E5M2, ComponentType::F32>(is5) != b;
        int signed_ = int(b << 24) >> 24;
        wrong8 += Convert<ComponentType::I32, ComponentType::I8>(uint1(b | 0x5500)).Data[0] != signed_;
        wrong8 += Convert<ComponentType::U32, ComponentType::U8>(uint1(b | 0x5500)).Data[0] != b;
        wrong8 += Convert<ComponentType::F16, ComponentType::I8>(uint1(b)).Data[0] != signed_;
    }
    IS(wrong4, 0); IS(wrong5, 0); IS(wrong8, 0);
    // Between 1 and 1.125, 1.125 and 1.25; too large; as small as the least number, its half, and a little more.
    ISF(there_and_back<ComponentType::F8_E4M3FN>(1.0625), 1); ISF(there_and_back<ComponentType::F8_E4M3FN>(1.1875), 1.25);
    ISF(there_and_back<ComponentType::F8_E4M3FN>(-1.07), -1.125); ISF(there_and_back<ComponentType::F8_E4M3FN>(1000), 448);
    ISF(there_and_back<ComponentType::F8_E4M3FN>(-465), -448); ISF(there_and_back<ComponentType::F8_E4M3FN>(asfloat(0x7f800000)), 448);
    ISF(there_and_back<ComponentType::F8_E4M3FN>(0.001953125), 0.001953125); ISF(there_and_back<ComponentType::F8_E4M3FN>(0.0009765625), 0);
    ISF(there_and_back<ComponentType::F8_E4M3FN>(0.001), 0.001953125); ISF(there_and_back<ComponentType::F8_E4M3FN>(0.0154), 0.015625);
    ISF(there_and_back<ComponentType::F8_E5M2>(1.125), 1); ISF(there_and_back<ComponentType::F8_E5M2>(1.375), 1.5);
    ISF(there_and_back<ComponentType::F8_E5M2>(61439), 57344); IS((isinf(there_and_back<ComponentType::F8_E5M2>(61440))), 1);
    ISF(there_and_back<ComponentType::BFloat16>(1.00390625), 1); ISF(there_and_back<ComponentType::BFloat16>(1.01171875), 1.015625);
    ISF(there_and_back<ComponentType::F16>(2049), 2048); IS((isinf(there_and_back<ComponentType::F16>(65520))), 1);
    ISF(there_and_back<ComponentType::F16>(0.00000003), 0.000000059604645); IS((isnan(there_and_back<ComponentType::F8_E4M3FN>(asfloat(0x7fc00000)))), 1);
    // Integers.
    IS((one<ComponentType::I8, ComponentType::I32>(300)), 0x7f); IS((one<ComponentType::I8, ComponentType::I32>(-300)), 0x80);
    IS((one<ComponentType::U8, ComponentType::I32>(-1)), 0); IS((one<ComponentType::U8, ComponentType::U32>(0xffffffffu)), 255);
    IS((one<ComponentType::I32, ComponentType::U32>(0xffffffffu)), 0x7fffffff); IS((one<ComponentType::U32, ComponentType::I32>(-5)), 0);
    IS((one<ComponentType::I16, ComponentType::I32>(40000)), 0x7fff); IS((one<ComponentType::U16, ComponentType::I32>(40000)), 40000);
    IS((one<ComponentType::I32, ComponentType::F32>(2.5)), 2); IS((one<ComponentType::I32, ComponentType::F32>(3.5)), 4); IS((one<ComponentType::I32, ComponentType::F32>(-2.5)), -2);
    IS((one<ComponentType::I32, ComponentType::F32>(3e9)), 0x7fffffff); IS((one<ComponentType::I32, ComponentType::F32>(-3e9)), 0x80000000);
    IS((one<ComponentType::U32, ComponentType::F32>(3e9)), 3000000000u); IS((one<ComponentType::U32, ComponentType::F32>(-3.0f)), 0);
    IS((one<ComponentType::U32, ComponentType::F32>(5e9)), 0xffffffff); IS((one<ComponentType::I32, ComponentType::F32>(asfloat(0x7fc00000))), 0);
    IS((one<ComponentType::I8, ComponentType::F32>(-128.5)), 0x80); IS((one<ComponentType::I8, ComponentType::F32>(127.5)), 0x7f);
    IS((one<ComponentType::F8_E4M3FN, ComponentType::I32>(17)), 0x58); IS((one<ComponentType::F8_E4M3FN, ComponentType::I32>(19)), 0x5a);
    // Several in a word; the last word has room left.
    InterpretedVector<uint, 2, ComponentType::I8> five = Convert<ComponentType::I8, ComponentType::F32>(vector<float, 5>(1, -2, 3, -4, 5));
    IS(five.Data.x, 0xfc03fe01); IS(five.Data.y, 5);
    InterpretedVector<uint, 3, ComponentType::BFloat16> three = Convert<ComponentType::BFloat16, ComponentType::I32>(vector<int, 5>(1, 2, 3, 4, 5));
    IS(three.Data.x, 0x40003f80); IS(three.Data.y, 0x40804040); IS(three.Data.z, 0x40a0);
    InterpretedVector<float, 8, ComponentType::F32> eight = Convert<ComponentType::F32, ComponentType::F8_E5M2>(uint2(0x34c0383c, 0x44));
    ISF(eight.Data[0], 1); ISF(eight.Data[2], -2); ISF(eight.Data[3], 0.25); ISF(eight.Data[4], 4); ISF(eight.Data[7], 0);
    done(54);
}
