// What the SPIR-V back end writes in a form that GPUs have instructions for: 16-bit stores, components chosen at run time, packed bytes, booleans of vectors,
// clamps of finite numbers and of others, remainders of powers of two. Each against plain arithmetic.
// reference: no, its stores of 16 bits to byte-address buffers overwrite the neighbour
// options: -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE
// RUN: %rtc -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -enable-16bit-types -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

RWByteAddressBuffer Raw : register(u4);
groupshared float4 SharedF[THREADS];
groupshared int3x4 SharedM[THREADS];
groupshared bool4 SharedB[THREADS];

uint half_at(uint at) { return (Raw.Load(at & ~3u) >> ((at & 2) * 8)) & 0xffff; }
int plain_remainder(int a, int b) { int m = int(uint(abs(a)) % uint(abs(b))); return a < 0 ? -m : m; }

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    uint o = Thread() * 256;
    // Neighbouring halves, at addresses known and not; vectors from odd halves on.
    for (uint i = 0; i < 8; ++i) Raw.Store(o + 4 * i, 0xa5a5a5a5);
    Raw.Store<uint16_t>(o + 2, (uint16_t)inU(0));
    Raw.Store<int16_t>(o + 4 + 2 * (inU(1) & 1), (int16_t)inU(2));
    Raw.Store<uint16_t3>(o + 10, (uint16_t3)uint3(inU(3), inU(4), inU(5)));
    Raw.Store<half2>(o + 18 + 4 * (inU(6) & 1), half2(1.5, -2));
    expect(half_at(o), 0xa5a5); expect(half_at(o + 2), inU(0) & 0xffff);
    expect(half_at(o + 4 + 2 * (inU(1) & 1)), inU(2) & 0xffff); expect(half_at(o + 6 - 2 * (inU(1) & 1)), 0xa5a5);
    expect(half_at(o + 8), 0xa5a5);
    for (uint k = 0; k < 3; ++k) expect(half_at(o + 10 + 2 * k), inU(3 + k) & 0xffff);
    expect(half_at(o + 16), 0xa5a5);
    expect(half_at(o + 18 + 4 * (inU(6) & 1)), 0x3e00); expect(half_at(o + 20 + 4 * (inU(6) & 1)), 0xc000);
    expect(half_at(o + 22 - 4 * (inU(6) & 1)), 0xa5a5);
    expect(Raw.Load<uint16_t>(o + 10), inU(3) & 0xffff);

    // Components chosen at run time, with writes between load and choice.
    uint n = inU(7) & 3, row = inU(8) % 3;
    SharedF[thread] = float4(inS(0), inS(1), inS(2), inS(3));
    SharedB[thread] = bool4(inU(0) & 1, inU(1) & 1, inU(2) & 1, inU(3) & 1);
    for (uint r = 0; r < 3; ++r) SharedM[thread][r] = int4(inI(r), inI(r + 1), inI(r + 2), inI(r + 3));
    float4 before = SharedF[thread];
    SharedF[thread][n] += 100;
    expect(int(before[n]), inS(n)); expect(int(SharedF[thread][n]), inS(n) + 100);
    expect(int(SharedF[thread][(n + 1) & 3]), inS((n + 1) & 3));
    expect(SharedM[thread][row][n], inI(row + n)); expect(SharedB[thread][n], inU(n) & 1);

    // Bytes.
    int4 v = int4(inI(9), inI(10) % 300, inI(11) % 300, inI(12) % 200);
    uint low = 0, s = 0, u = 0;
    for (uint b = 0; b < 4; ++b)
    {
        low |= (uint(v[b]) & 255) << (8 * b); s |= uint(clamp(v[b], -128, 127) & 255) << (8 * b); u |= uint(clamp(v[b], 0, 255)) << (8 * b);
    }
    expect(uint(pack_s8(v)), low); expect(uint(pack_clamp_s8(v)), s); expect(uint(pack_clamp_u8(v)), u);
    expect(uint(pack_clamp_s8(int4(-1000, 1000, -1, inI(13) % 128))), 0x00ff7f80u | (uint(inI(13) % 128) & 255) << 24);

    // Booleans.
    bool4 bits = bool4(inU(14) & 1, inU(14) & 2, inU(14) & 4, inU(14) & 8);
    uint4 words = uint4(inU(15), inU(16), inU(17), inU(18));
    bool4 less = words < words.yzwx;
    expect(any(bits), (inU(14) & 15) != 0); expect(all(bits), (inU(14) & 15) == 15);
    expect(any(less), less.x || less.y || less.z || less.w); expect(all(less.xy), less.x && less.y);
    expect(any(!less.xyz), !less.x || !less.y || !less.z); expect(all(less), 0); expect(any(less.xxy), less.x || less.y);
    float4 chosen = float4(less) * float4(1, 2, 4, 8) + float(less.x) * 16;
    expect(int(chosen.x + chosen.y + chosen.z + chosen.w), (less.x ? 1 + 64 : 0) + (less.y ? 2 : 0) + (less.z ? 4 : 0) + (less.w ? 8 : 0));

    // Clamps: of finite numbers, of what memory holds, of what is not a number.
    float f = float(inS(4));
    expect(int(saturate(f * 0.25) * 64), inS(4) < 0 ? 0 : inS(4) > 4 ? 64 : inS(4) * 16);
    // Zero, which no compiler knows.
    uint none = inU(0) == inU(1) && inU(1) == inU(2) ? 1 : 0;
    float zero = float(none), nan = asfloat(0x7fc00000 | none), infinite = asfloat(0x7f800000 | none);
    expect(int(saturate(nan)), 0); expect(int(saturate(infinite)), 1); expect(int(saturate(-infinite)), 0); expect(int(saturate(infinite * zero)), 0);
    float3 c = float3(f * 0.0625, 0.5, 1);
    for (uint t = 0; t < 3; ++t) { c = saturate(c * 2 - 0.25); c = c.yzx; }
    float once = min(max(f * 0.125 - 0.25, 0), 1), twice = min(max(once * 2 - 0.25, 0), 1);
    expect(int(c.x * 64), int(64 * min(max(twice * 2 - 0.25, 0), 1))); expect(int(c.y), 1);
    float grown = 1;
    for (uint g = 0; g < 130 + (inU(0) & 1); ++g) grown = grown * 2;
    expect(int(saturate(grown - grown)), 0);

    // Remainders.
    for (uint m = 0; m < 4; ++m)
    {
        int a = inI(20 + m);
        expect(a % 8, plain_remainder(a, 8)); expect(a % 1, 0); expect(a % 7, plain_remainder(a, 7)); expect(a % 0x40000000, plain_remainder(a, 0x40000000));
        expect(a % int(0x80000000), a == int(0x80000000) ? 0 : a);
        expect(int16_t(a) % int16_t(16), plain_remainder(int(int16_t(a)), 16));
    }
    int2 two = int2(-17, inI(24)) % 4;
    expect(two.x, -1); expect(two.y, plain_remainder(inI(24), 4)); expect(int(0x80000000 + none) % 4, 0); expect(int(0x80000001 + none) % 4, -3);
}
