// Loads of neighbouring components, which are one in DXIL: members of several types, arrays, computed addresses, the ends of buffers, writes between loads.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

struct Inner { float a; float b; int c; int d; };
struct Mixed { float x, y; uint i, j; float3 v; float w; Inner list[2]; int k, l; uint2 m; double e, f; int64_t g, h; };
struct Row { float4 a; uint b, c; float2 d; };
StructuredBuffer<Mixed> Read : register(t3);
RWStructuredBuffer<Mixed> Write : register(u4);
StructuredBuffer<Row> Rows : register(t5);
ByteAddressBuffer Words : register(t6);
RWByteAddressBuffer Raw : register(u7);

void show(Inner n) { putI(n.d); putF(n.b); putI(n.c); putF(n.a); }
void neighbours(uint at)
{
    // In the order of addresses, against it, with gaps, overlapping, twice.
    putU(Words.Load(at)); putU(Words.Load(at + 4)); putU(Words.Load(at + 8)); putU(Words.Load(at + 12)); putU(Words.Load(at + 16));
    putU(Words.Load(at + 44)); putU(Words.Load(at + 40)); putU(Words.Load(at + 36)); putU(Words.Load(at + 28)); putU(Words.Load(at + 32));
    putU2(Words.Load2(at + 64)); putU2(Words.Load2(at + 68)); putU(Words.Load(at + 72)); putU3(Words.Load3(at + 64)); putU(Words.Load(at + 72));
    putU4(Words.Load4(at + 80)); putU(Words.Load(at + 84)); putU(Words.Load(at + 96));
    putF(asfloat(Words.Load(at + 112))); putF(Words.Load<float>(at + 116)); putF2(Words.Load<float2>(at + 120));
}

[shader("raygeneration")]
void Main()
{
    uint t = Thread(), k = inU(0) & 1;
    Mixed s = Read[t];
    putF(s.x); putF(s.y); putU(s.i); putU(s.j); putF3(s.v); putF(s.w); show(s.list[0]); show(s.list[1]);
    putI(s.k); putI(s.l); putU2(s.m); putU(uint(s.g)); putU(uint(s.h >> 32)); putU(uint(s.g >> 32)); putU(uint(s.h));
    uint lo, hi;
    asuint(s.e, lo, hi); putU(lo); putU(hi); asuint(s.f, lo, hi); putU(lo); putU(hi);
    // One member or two of another element, an array with an index.
    putF(Read[t + 1].y); putF(Read[t + 1].x); putF(Read[k].w); putF(Read[k].v.z); putF(Read[k].v.x);
    show(Read[t].list[k]); show(Read[t].list[1 - k]);

    // Addresses: constants, multiples of 16, of 12, one less, within bounds.
    neighbours(64);
    neighbours(t * 128);
    neighbours(t * 12);
    neighbours((inU(1) & 63) * 4);
    putU(Words.Load(t * 4 - 4)); putU(Words.Load(t * 4)); putU(Words.Load(t * 4 + 4));
    putU(Words.Load((t - 1) * 4)); putU(Words.Load((t - 1) * 4 + 4));
    putU(Words.Load((t << 4 | 8))); putU(Words.Load(12 + t * 16));

    // The ends of buffers: each word for itself in a raw buffer, elements as a whole in others.
    for (uint n = 0; n < 3; ++n) {
        uint at = 16384 - 4 * n - 16 * (t & 1);
        putU(Words.Load(at)); putU(Words.Load(at + 4)); putU(Words.Load(at + 8)); putU(Words.Load(at + 12));
    }
    neighbours(16384 - 128 + (t & 7) * 16);
    Row r = Rows[511 + (t & 1)];
    putF4(r.a); putU(r.c); putU(r.b); putF2(r.d);
    putU(Rows[512 + t].b); putU(Rows[512 + t].c); putF(Rows[~0u - t].d.x); putF(Rows[~0u - t].d.y);

    // Writes between loads, to the same place, another one and another buffer.
    Write[t].k = 5; Write[t].l = 6;
    int k0 = Write[t].k;
    Write[t].l = k0 + 1;
    putI(Write[t].l); putI(Write[t].k);
    Raw.Store2(t * 64, uint2(1, 2));
    uint a = Raw.Load(t * 64);
    Raw.Store(t * 64 + 4, a + 8);
    uint b = Raw.Load(t * 64 + 4);
    uint was;
    Raw.InterlockedAdd(t * 64, b, was);
    putU(a); putU(b); putU(was); putU(Raw.Load(t * 64)); putU(Raw.Load(t * 64 + 4));
    // Reads of what nothing writes, around a branch and in it, after a loop.
    putU(Words.Load(t * 64 + 8));
    if (k == 0) { putU(Words.Load(t * 64 + 12)); Raw.Store(t * 64 + 12, 3); }
    putU(Raw.Load(t * 64 + 8)); putU(Raw.Load(t * 64 + 12));
    putU(Words.Load(t * 64 + 4));
    uint sum = 0;
    for (uint i = 0; i < 4 + k; ++i) { sum += Words.Load(t * 64 + i * 16) ^ Words.Load(t * 64 + i * 16 + 4); }
    putU(sum); putU(Words.Load(t * 64 + 24)); putU(Words.Load(t * 64 + 28));
    // The address of the second load is what the first gives.
    uint next = Words.Load(t * 64 + 32) & 0xff0;
    putU(Words.Load(t * 64 + 36)); putU(Words.Load(next)); putU(Words.Load(next + 4));
}
