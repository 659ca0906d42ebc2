// Which lanes are together in divergent control flow and after it.
// options: -T cs_6_0 -E Main -D COMPUTE
// reference: no, its reconvergence is undefined; here they do as soon as the source does
// RUN: %rtc -T cs_6_0 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_0 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_0 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_0 -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 8
#include "Inputs/out.hlsli"

uint here() { return WaveActiveBallot(true).x; }
uint below(uint n) { return (1u << n) - 1; }
uint twice(uint index)
{
    if (index & 1)
        return here();
    return here() << 8;
}

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    // Both arms and what follows them.
    uint a;
    if (index < 3) a = here(); else a = here() << 8;
    expect(a, index < 3 ? 0x07 : 0xf800); expect(here(), 0xff);
    // The same function from two places.
    expect(twice(index), index & 1 ? 0xaa : 0x5500);
    if (index & 4)
        expect(twice(index), index & 1 ? 0xa0 : 0x5000);
    // A loop that lanes leave one after the other.
    uint seen = 0;
    for (uint i = 0; i <= index; ++i)
        seen = seen * 16 + countbits(here());
    uint must = 0;
    for (uint j = 0; j <= index; ++j)
        must = must * 16 + (8 - j);
    expect(seen, must); expect(here(), 0xff);
    // Iterations that some lanes leave early.
    uint cut = 0;
    for (uint n = 0; n < 4; ++n)
    {
        if ((index + n) % 3 == 0)
            continue;
        cut += countbits(here()) << (4 * n);
    }
    uint mustCut = 0;
    for (uint k = 0; k < 4; ++k)
    {
        uint c = 0;
        for (uint l = 0; l < 8; ++l)
            c += (l + k) % 3 != 0;
        if ((index + k) % 3 != 0)
            mustCut += c << (4 * k);
    }
    expect(cut, mustCut);
    // Loops in loops, each with as many rounds as the lane and the outer round say.
    uint inner = 0, mustInner = 0;
    for (uint x = 0; x < 3; ++x)
    {
        for (uint y = 0; y < (index + x) % 4; ++y)
            inner = inner * 3 + countbits(here());
        inner += here() == 0xff;
    }
    for (uint u = 0; u < 3; ++u)
    {
        for (uint v = 0; v < (index + u) % 4; ++v)
        {
            uint c = 0;
            for (uint l = 0; l < 8; ++l)
                c += v < (l + u) % 4;
            mustInner = mustInner * 3 + c;
        }
        mustInner += 1;
    }
    expect(inner, mustInner);
    // Out of two loops at once.
    uint rounds = 0;
    bool done = false;
    for (uint p = 0; p < 4 && !done; ++p)
        for (uint q = 0; q < 4; ++q)
        {
            if (p * 4 + q > index * 2)
            {
                done = true;
                break;
            }
            rounds += countbits(here());
        }
    uint mustRounds = 0;
    for (uint r = 0; r <= index * 2; ++r)
        mustRounds += 8 - (r + 1) / 2;
    expect(rounds, mustRounds); expect(here(), 0xff);
    // A switch, one of its cases falls into the next; then lanes that return.
    uint s = 0;
    switch (index & 3)
    {
    case 0: s = here(); break;
    case 1: s = here() << 8; break;
    case 2: s = here() << 16; break;
    default: s = here() << 24; break;
    }
    expect(s, 0x11u << (index & 3) << (8 * (index & 3))); expect(here(), 0xff);
    if (index == 2 || index == 5)
        return;
    expect(here(), 0xdb);
    uint t = index, alone = 0;
    while (true)
    {
        t++;
        if (t > 8)
            break;
        if (t == 6)
            return;
        alone += countbits(here());
    }
    expect(here(), 0xc0); expect(alone, index == 6 ? 10 : 6);
}
