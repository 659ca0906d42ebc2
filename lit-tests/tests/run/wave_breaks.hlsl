// Operations among lanes on an exit edge of a loop belong to the iteration in which lanes leave.
// options: -T cs_6_0 -E Main -D COMPUTE
// reference: no, it forgets the round of operations in functions that are called, as its listing says (newer ones too)
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
uint first(uint rounds)
{
    [loop] for (uint i = 0; i < 3; ++i)
    {
        if (i == rounds)
            return here();
    }
    return 0;
}

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    uint left = index / 2;
    uint got = 0;
    while (true)
    {
        if (left == 0)
        {
            got = here();
            break;
        }
        left--;
    }
    expect(got, 3u << (index & ~1));
    expect(here(), 0xff);
    [loop] for (uint i = 0; i < 8; ++i)
    {
        if (i == index) { got = here(); break; }
    }
    expect(got, 1u << index);
    // Out of two loops, and by what a function returns.
    expect(first(index % 3), index % 3 == 0 ? 0x49 : index % 3 == 1 ? 0x92 : 0x24);
    got = 0;
    bool done = false;
    [loop] for (uint a = 0; a < 3 && !done; ++a)
        [loop] for (uint c = 0; c < 3; ++c)
        {
            if (a * 3 + c == index / 2 * 2)
            {
                for (uint n = 0; n < 2; ++n)
                    got += here();
                done = true;
                break;
            }
        }
    expect(got, 2 * (3u << (index & ~1)));
    // No other way to go on than out.
    got = 0;
    [loop] for (uint d = 0; d < 8; ++d)
    {
        if (d < index)
            continue;
        got = here();
        if (index & 1)
        {
            got |= 0x100;
            break;
        }
        else
        {
            got |= 0x200;
            break;
        }
    }
    expect(got, 1u << index | (index & 1 ? 0x100 : 0x200));
    // And out of the shader.
    [loop] for (uint e = 0; e < 8; ++e)
    {
        if (e == 7 - index)
        {
            expect(here(), 1u << index);
            return;
        }
    }
    expect(1, 0);
}
