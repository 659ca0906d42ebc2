// Atomic sums of outer products and vectors of all threads of a group, in every component type that memory can be.
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

template <ComponentEnum Type, typename T> void add(uint at)
{
    OuterProduct<Type>(vector<T, 3>(1, 2, 3), vector<T, 5>(1, 0, 2, 1, 4)).InterlockedAccumulate(Sums, at);
}
// A product: rows are a multiple of 16 bytes apart.
uint place(uint at, uint row, uint column, uint bytes) { return at + row * ((5 * bytes + 15) & ~15) + column * bytes; }
uint bits(uint at, uint bytes)
{
    uint word = Sums.Load(at & ~3);
    return bytes == 4 ? word : word >> (at & 3) * 8 & ((1u << bytes * 8) - 1);
}
template <ComponentEnum Type> uint wrong(uint at, uint bytes, int times)
{
    static const int A[3] = { 1, 2, 3 }, B[5] = { 1, 0, 2, 1, 4 };
    uint count = 0;
    for (uint r = 0; r < 3; ++r)
        for (uint c = 0; c < 5; ++c)
            count += Convert<ComponentType::F32, Type>(vector<typename dx::linalg::__detail::ComponentTypeTraits<Type>::Type, 1>(bits(place(at, r, c, bytes), bytes))).Data[0] != A[r] * B[c] * times;
    return count;
}
[numthreads(4, 1, 1)] void main(uint index : SV_GroupIndex)
{
    add<ComponentType::F32, float>(0);
    add<ComponentType::F16, float16_t>(1024);
    add<ComponentType::I32, int>(2048);
    add<ComponentType::U32, uint>(3072);
    add<ComponentType::I16, int16_t>(4096);
    add<ComponentType::U16, uint16_t>(5120);
    add<ComponentType::F8_E5M2, float>(6144);
    add<ComponentType::F32, float16_t>(7168);
    InterlockedAccumulate(Sums, 8192, vector<float, 3>(1, 0.5, -2));
    InterlockedAccumulate(Sums, 8256, vector<float16_t, 3>(1, 0.5, -2));
    InterlockedAccumulate(Sums, 8320, int2(7, -1));
    InterlockedAccumulate(Sums, 8384, vector<uint16_t, 3>(1, 2, 40000));
    AllMemoryBarrierWithGroupSync();
    if (index) return;
    IS(asfloat(Sums.Load(0)), 4);
    IS(wrong<ComponentType::U32>(3072, 4, 4), 0); IS(wrong<ComponentType::U16>(5120, 2, 4), 0);
    uint floats = 0, halves = 0, ints = 0, shorts = 0, small = 0, others = 0;
    static const int A[3] = { 1, 2, 3 }, B[5] = { 1, 0, 2, 1, 4 };
    for (uint r = 0; r < 3; ++r) {
        for (uint c = 0; c < 5; ++c) {
            int must = A[r] * B[c] * 4;
            floats += asfloat(bits(place(0, r, c, 4), 4)) != must;
            halves += f16tof32(bits(place(1024, r, c, 2), 2)) != must;
            ints += bits(place(2048, r, c, 4), 4) != must;
            shorts += bits(place(4096, r, c, 2), 2) != must;
            small += Convert<ComponentType::F32, ComponentType::F8_E5M2>(uint1(bits(place(6144, r, c, 1), 1))).Data[0] != must;
            others += asfloat(bits(place(7168, r, c, 4), 4)) != must;
        }
    }
    IS(floats, 0); IS(halves, 0); IS(ints, 0); IS(shorts, 0); IS(small, 0); IS(others, 0);
    // What is next to the numbers stays.
    IS(Sums.Load(20), 0); IS(Sums.Load(1024 + 8) >> 16, 0); IS(Sums.Load(6144 + 4) >> 8, 0);
    ISF(asfloat(Sums.Load(8192)), 4); ISF(asfloat(Sums.Load(8196)), 2); ISF(asfloat(Sums.Load(8200)), -8); IS(Sums.Load(8204), 0);
    ISF(f16tof32(Sums.Load(8256)), 4); ISF(f16tof32(Sums.Load(8256) >> 16), 2); ISF(f16tof32(Sums.Load(8260)), -8);
    IS(Sums.Load(8320), 28); IS(Sums.Load(8324), -4);
    IS(Sums.Load(8384), 4 | 8 << 16); IS(Sums.Load(8388), 160000 & 0xffff);
    done(23);
}
