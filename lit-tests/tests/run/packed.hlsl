// Packed bytes and halves, and bits of integers of 16 and 64 bits, against plain arithmetic and values by hand.
// reference: no, it does not compile these to SPIR-V
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

int byteOf(uint v, uint n) { return int(v << (24 - 8 * n)) >> 24; }
uint ubyteOf(uint v, uint n) { return (v >> (8 * n)) & 255; }
uint64_t wide(uint i) { return uint64_t(inU(i)) << 32 | inU(i + 1); }
int lowest(uint64_t v) { for (int n = 0; n < 64; ++n) if ((v >> n & 1) != 0) return n; return -1; }
int highest(uint64_t v) { for (int n = 63; n >= 0; --n) if ((v >> n & 1) != 0) return n; return -1; }
int ones(uint64_t v) { int c = 0; for (int n = 0; n < 64; ++n) c += int(v >> n & 1); return c; }
uint64_t turned(uint64_t v, int bits) { uint64_t r = 0; for (int n = 0; n < bits; ++n) if ((v >> n & 1) != 0) r |= uint64_t(1) << (bits - 1 - n); return r; }
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 12; i += 3)
    {
        uint a = inU(i), b = inU(i + 1), c = inU(i + 2);
        int s = inI(i + 2);
        uint u = c;
        for (uint n = 0; n < 4; ++n) { s += byteOf(a, n) * byteOf(b, n); u += ubyteOf(a, n) * ubyteOf(b, n); }
        expect(dot4add_i8packed(a, b, inI(i + 2)), s);
        expect(dot4add_u8packed(a, b, c), u);

        int8_t4_packed p = (int8_t4_packed)a;
        uint8_t4_packed q = (uint8_t4_packed)a;
        int4 ps = unpack_s8s32(p); uint4 qs = unpack_u8u32(q);
        int16_t4 ph = unpack_s8s16(p); uint16_t4 qh = unpack_u8u16(q);
        for (uint m = 0; m < 4; ++m)
        {
            expect(ps[m], byteOf(a, m)); expect(qs[m], ubyteOf(a, m));
            expect(ph[m], byteOf(a, m)); expect(qh[m], ubyteOf(a, m));
        }
        expect(uint(pack_s8(ps)), a); expect(uint(pack_u8(qs)), a); expect(uint(pack_u8(qh)), a); expect(uint(pack_s8(ph)), a);
        int4 v = int4(inI(i), inI(i + 1) % 300, inI(i + 2) % 300, inI(i + 3) % 200);
        uint cs = 0, cu = 0, cl = 0;
        for (uint k = 0; k < 4; ++k) { cs |= (clamp(v[k], -128, 127) & 255) << (8 * k); cu |= clamp(v[k], 0, 255) << (8 * k); cl |= (v[k] & 255) << (8 * k); }
        expect(uint(pack_clamp_s8(v)), cs); expect(uint(pack_clamp_u8(v)), cu); expect(uint(pack_s8(v)), cl);
        int16_t4 h = int16_t4(v.yzwy);
        expect(uint(pack_clamp_s8(h)), uint(pack_clamp_s8(int4(h)))); expect(uint(pack_clamp_u8(h)), uint(pack_clamp_u8(int4(h))));
    }
    expect(uint(pack_clamp_u8(int4(-1, 0, 255, 256))), 0xffff0000); expect(uint(pack_clamp_s8(int4(-129, -128, 127, 128))), 0x7f7f8080);
    expect(dot4add_i8packed(0xff020304, 0x01020380, 5), -1 + 4 + 9 - 512 + 5);
    expect(asint(dot2add(half2(1.5, -2), half2(inS(3), 0.25), 10)), asint(1.5 * inS(3) - 0.5 + 10));
    expect(AddUint64(uint2(0xffffffff, 1), uint2(2, 3)).x, 1); expect(AddUint64(uint2(0xffffffff, 1), uint2(2, 3)).y, 5);

    for (uint j = 0; j < 8; j += 2)
    {
        uint64_t w = j == 0 ? 0 : wide(j);
        expect(countbits(w), ones(w)); expect(firstbitlow(w), lowest(w)); expect(firstbithigh(w), highest(w));
        int64_t sw = int64_t(w);
        expect(firstbithigh(sw), highest(sw < 0 ? ~w : w)); expect(firstbitlow(sw), lowest(w));
        uint64_t r = reversebits(w), e = turned(w, 64);
        expect(uint(r), uint(e)); expect(uint(r >> 32), uint(e >> 32));
        uint64_t2 pair = uint64_t2(w, w >> 5);
        expect(countbits(pair).y, ones(w >> 5)); expect(firstbithigh(pair).y, highest(w >> 5));

        uint16_t x = uint16_t(inU(j + 9)); int16_t y = int16_t(inI(j + 9));
        expect(countbits(x), ones(x)); expect(firstbitlow(x), lowest(x)); expect(firstbithigh(x), highest(x));
        expect(firstbithigh(y), highest(y < 0 ? uint64_t(uint16_t(~y)) : uint64_t(uint16_t(y))));
        expect(reversebits(x), uint(turned(x, 16))); expect(countbits(uint16_t3(x, x, 7)).z, 3);
    }
    expect(firstbithigh(int64_t(-1)), -1); expect(firstbithigh(int16_t(-1)), -1); expect(firstbithigh(uint64_t(1) << 40), 40);
}
