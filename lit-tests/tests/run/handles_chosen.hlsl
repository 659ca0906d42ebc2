// Resources chosen by control flow: conditionals, branches, loops, arrays and structures of them in variables.
// reference: no, it refuses such choices
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

RWByteAddressBuffer A : register(u20);
RWByteAddressBuffer B : register(u21);
RWByteAddressBuffer C : register(u22);
RWByteAddressBuffer T[4] : register(u30);
RWStructuredBuffer<uint2> S1 : register(u23);
RWStructuredBuffer<uint2> S2 : register(u24);
static RWByteAddressBuffer Current = A;

struct Pair { RWByteAddressBuffer one; RWByteAddressBuffer two; uint n; };
struct Nest { Pair p[2]; RWStructuredBuffer<uint2> s; };

uint at() { return Thread() * 4; }
RWByteAddressBuffer pick(uint n) { if (n == 0) return A; if (n == 1) return B; return C; }
void swap(inout RWByteAddressBuffer x, inout RWByteAddressBuffer y) { RWByteAddressBuffer z = x; x = y; y = z; }
void choose(uint n, out RWByteAddressBuffer b) { switch (n) { case 0: b = T[0]; break; case 1: b = T[2]; break; default: b = C; break; } }
uint through(Pair p, bool second) { return (second ? p.two : p.one).Load(at()) + p.n; }
uint sum(RWByteAddressBuffer all[3]) { uint s = 0; for (uint i = 0; i < 3; ++i) s = s * 10 + all[i].Load(at()); return s; }
[shader("raygeneration")]
void Main()
{
    uint t = Thread();
    A.Store(at(), 1); B.Store(at(), 2); C.Store(at(), 3);
    for (uint i = 0; i < 4; ++i) T[i].Store(at(), 4 + i);
    S1[t] = uint2(8, 9); S2[t] = uint2(10, 11);

    RWByteAddressBuffer x = t & 1 ? A : B;
    expect(x.Load(at()), t & 1 ? 1 : 2);
    x.Store(at(), 7); expect(A.Load(at()), t & 1 ? 7 : 1); expect(B.Load(at()), t & 1 ? 2 : 7);
    A.Store(at(), 1); B.Store(at(), 2);
    expect((t < 3 ? T[t & 1] : T[3]).Load(at()), t < 3 ? 4 + (t & 1) : 7);
    expect(pick(t % 3).Load(at()), 1 + t % 3);
    RWByteAddressBuffer y = A, z = T[1];
    for (uint i = 0; i < t; ++i) { swap(y, z); if (i == 4) break; if (i == 2) { z = C; continue; } }
    uint ys[8] = { 1, 5, 1, 5, 3, 5, 5, 5 };
    expect(y.Load(at()), ys[t]);
    choose(t & 3, x); expect(x.Load(at()), (t & 3) == 0 ? 4 : (t & 3) == 1 ? 6 : 3);
    uint was; x.InterlockedAdd(at(), 20, was); expect(x.Load(at()), was + 20); x.Store(at(), was);
    Pair p; p.one = B; p.two = T[t & 3]; p.n = 100;
    if (t & 2) p.one = C;
    expect(through(p, t & 1), 100 + (t & 1 ? 4 + (t & 3) : t & 2 ? 3 : 2));
    RWByteAddressBuffer all[3] = { A, C, T[2] };
    expect(sum(all), 136);
    all[t % 3] = B;
    expect(sum(all), t % 3 == 0 ? 236 : t % 3 == 1 ? 126 : 132);
    expect(all[(t + 1) % 3].Load(at()), t % 3 == 0 ? 3 : t % 3 == 1 ? 6 : 1);
    RWByteAddressBuffer big[40]; for (uint k = 0; k < 40; ++k) big[k] = k % 7 == 0 ? A : T[k & 3];
    expect(big[t * 5].Load(at()), t * 5 % 7 == 0 ? 1 : 4 + (t * 5 & 3));
    Nest nest[2];
    nest[0].p[0] = p; nest[0].p[1].one = T[3]; nest[0].p[1].two = A; nest[0].p[1].n = 5; nest[0].s = S1;
    nest[1] = nest[0]; nest[1].s = S2; nest[1].p[0].n = 6;
    expect(nest[t & 1].s[t].y, t & 1 ? 11 : 9);
    nest[t & 1].s[t].x += 50; expect(S1[t].x, t & 1 ? 8 : 58); expect(S2[t].x, t & 1 ? 60 : 10);
    expect(nest[t & 1].p[1].one.Load(at()) + nest[t & 1].p[0].n, t & 1 ? 13 : 107);
    expect(Current.Load(at()), 1);
    if (t > 4) Current = T[2];
    expect(Current.Load(at()), t > 4 ? 6 : 1);
    RWByteAddressBuffer late;
    if (t == 0) late = A; else if (t == 1) late = B;
    if (t < 2) { expect(late.Load(at()), t + 1); } else expect(0, 0);
    uint d; (t & 1 ? A : T[0]).GetDimensions(d); expect(d > 0, 1);
}
