// Bits of floating-point numbers, and what the reference compiler does not compile to SPIR-V, against plain arithmetic.
// reference: no, it lacks some of these
// options: -T lib_6_6 -enable-16bit-types
// RUN: %rtc -T lib_6_6 -enable-16bit-types -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -enable-16bit-types -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_6 -enable-16bit-types -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_6 -enable-16bit-types -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

uint ubyteOf(uint v, uint n) { return (v >> (8 * n)) & 255; }
uint sad(uint reference, uint a) { uint sum = 0; for (uint n = 0; n < 4; ++n) if (ubyteOf(reference, n) != 0) sum += abs(int(ubyteOf(reference, n)) - int(ubyteOf(a, n))); return sum; }
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 8; ++i)
    {
        uint lo = inU(i), hi = (inU(i + 8) & 0x3fffffff) + 0x10000000;
        double v = asdouble(lo, hi);
        uint a, b; asuint(v, a, b); expect(a, lo); expect(b, hi);
        double2 two = asdouble(uint2(lo, lo + 1), uint2(hi, hi)); uint2 c, e; asuint(two, c, e); expect(c.y, lo + 1); expect(e.x, hi);
        uint2 s = uint2(inU(i + 1), inU(i + 2)); uint4 acc = uint4(1, 2, 3, inU(i) & 255);
        uint4 m = msad4(inU(i), s, acc);
        expect(m.x, 1 + sad(inU(i), s.x)); expect(m.y, 2 + sad(inU(i), s.x >> 8 | s.y << 24)); expect(m.z, 3 + sad(inU(i), s.x >> 16 | s.y << 16)); expect(m.w, (inU(i) & 255) + sad(inU(i), s.x >> 24 | s.y << 8));
        // The fraction has no sign.
        float x = inF(i) * 37, power; float fraction = frexp(x, power);
        expect(asint(fraction * exp2(power)), asint(abs(x))); expect(x == 0 || (fraction >= 0.5 && fraction < 1), 1);
        float whole; float part = modf(x, whole); expect(asint(whole + part), asint(x)); expect(asint(whole), asint(trunc(x)));
        expect(asint(ldexp(fraction, power)), asint(abs(x))); expect(asint(ldexp(x, 3)), asint(x * 8));
    }
    float3 power3; float3 parts = frexp(float3(0.75, 8, -48), power3);
    expect(asint(parts.x), asint(0.75)); expect(asint(parts.y), asint(0.5)); expect(asint(parts.z), asint(0.75)); expect((int)power3.x, 0); expect((int)power3.y, 4); expect((int)power3.z, 6);
    float one = asfloat(inU(0) * 0 + 0x3f800000), tiny = asfloat(inU(0) * 0 + 1), endless = asfloat(inU(0) * 0 + 0x7f800000), none = asfloat(inU(0) * 0 + 0x7fc00000);
    expect(isnormal(one), 1); expect(isnormal(tiny), 0); expect(isnormal(endless), 0); expect(isnormal(none), 0); expect(isnormal(one * 0), 0);
    expect(isfinite(tiny), 1); expect(isfinite(endless), 0); expect(isfinite(none), 0); expect(isinf(endless), 1); expect(isinf(none), 0); expect(isnan(none), 1); expect(isnan(endless), 0);
    half hone = (half)one; expect(isnormal(hone), 1); expect(isnormal(asfloat16((uint16_t)1)), 0); expect(isinf(asfloat16((uint16_t)0x7c00)), 1); expect(isnan(asfloat16((uint16_t)0x7e00)), 1);
    int4 colour = D3DCOLORtoUBYTE4(float4(one, 0.5, 0, 0.25)); expect(colour.x, 0); expect(colour.y, 127); expect(colour.z, 255); expect(colour.w, 63);
    expect(f32tof16(one), 0x3c00); expect(asint(f16tof32(0x3c00 + inU(0) * 0)), asint(1.0)); expect(f32tof16(float2(one, -2)).y, 0xc000);
    float4 l = lit(one, 0.5, 2); expect(asint(l.x), asint(1.0)); expect(asint(l.y), asint(1.0)); expect(asint(l.z), asint(0.25)); expect(asint(lit(-one, 0.5, 2).z), 0); expect(asint(lit(one, -0.5, 2).z), 0);
    float4 t = dst(float4(1, 2, 3, 4) * one, float4(5, 6, 7, 8)); expect(asint(t.x), asint(1.0)); expect(asint(t.y), asint(12.0)); expect(asint(t.z), asint(3.0)); expect(asint(t.w), asint(8.0));
    bool3 p = bool3(inU(0) & 1, inU(1) & 1, inU(2) & 1), q = bool3(inU(3) & 1, inU(4) & 1, inU(5) & 1), w = and(p, q), z = or(p, q);
    int3 chosen = select(p, int3(1, 2, 3), int3(4, 5, 6)); half3 halves = select(q, half3(1, 2, 3), half3(4, 5, 6)); double2 doubles = select(p.xy, double2(1, 2), double2(3, 4));
    for (uint k = 0; k < 3; ++k)
    {
        expect(w[k], p[k] && q[k]); expect(z[k], p[k] || q[k]); expect(chosen[k], p[k] ? int(k + 1) : int(k + 4)); expect(int(halves[k]), q[k] ? int(k + 1) : int(k + 4));
        if (k < 2) expect(int(doubles[k]), p[k] ? int(k + 1) : int(k + 3));
    }
    int64_t big = select(p.x, int64_t(1) << 40, int64_t(7)); expect(int(big >> 36), p.x ? 16 : 0);
    int16_t3 words = int16_t3(int16_t(inS(0)), 0x3c00, 0x4100); half3 same = asfloat16(words);
    expect(int(same.y), 1); expect(int(same.z * (half)2), 5); expect(asint16(same).x, inS(0)); expect(asuint16((half)-2), 0xc000); expect(asuint16(words).y, 0x3c00); expect(int(asfloat16(asuint16((half)7))), 7);
}
