// Labels of a `switch` in branches: the `switch` enters them there, whatever the condition is; from above the condition decides.
// options: -T cs_6_6 -E Main -D COMPUTE
// reference: no, without optimisation it comes to labels in branches that were not taken, and has no SPIR-V for them
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -Od -Zi -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

int one(int v, bool c)
{
    int x = 0;
    switch (v) { case 0: x += 1; if (c) { x += 10; case 1: x += 100; } x += 1000; break; default: x = 5; }
    return x;
}
int sides(int v, bool c)
{
    int x = 0;
    switch (v) { case 0: if (c) { x += 1; case 1: x += 10; } else { x += 100; case 2: x += 1000; } x += 10000; }
    return x;
}
int chain(int v, int c)
{
    int x = 0;
    switch (v)
    {
    case 0:
        if (c == 0) x += 1;
        else if (c == 1) { x += 10; case 1: x += 100; if (c > 5) break; }
        else { case 2: x += 1000; default: x += 10000; }
        x += 100000;
    }
    return x;
}
int nested(int v, int c)
{
    int x = 0;
    switch (v)
    {
    case 0: if (c > 0) { if (c > 1) { int y; y = 1; x += y; case 1: y = 10; x += y; } else { case 2: x += 100; } x += 1000; }
        x += 10000;
    }
    return x;
}
int wide(uint64_t v, bool c)
{
    int x = 0;
    switch (v) { case 0x100000000ull: if (c) { case 7: x += 1; } x += 10; }
    return x;
}
int looped(bool c)
{
    int x = 0;
    for (int i = 0; i < 6; ++i)
    {
        switch (i) { case 0: if (c) { x += 1; continue; case 1: x += 10; break; case 3: x += 100; } x += 1000; }
        x += 10000;
    }
    return x;
}
int single(int v, bool c) { int x = 0; switch (v) if (c) case 1: x = 1; else case 2: x = 2; return x; }
int known(bool c) { int x = 0; switch (1) { case 0: if (c) { x = 1; case 1: x += 3; } } return x; }
int returns(int v, bool c) { switch (v) { case 0: if (c) { return 1; case 1: return 2; } default: return 3; } }

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    const int o = inI(0) - inI(0);
    const bool yes = o == 0, no = o != 0;
    expect(one(o, yes), 1111); expect(one(o, no), 1001); expect(one(o + 1, no), 1100); expect(one(o + 1, yes), 1100); expect(one(o + 2, yes), 5);
    expect(sides(o, yes), 10011); expect(sides(o, no), 11100); expect(sides(o + 1, no), 10010); expect(sides(o + 2, yes), 11000);
    expect(sides(o + 3, yes), 0);
    expect(chain(o, o), 100001); expect(chain(o, o + 1), 100110); expect(chain(o, o + 2), 111000); expect(chain(o + 1, o), 100100);
    expect(chain(o + 1, o + 6), 100); expect(chain(o + 2, o + 1), 111000); expect(chain(o + 9, o), 110000);
    expect(nested(o, o), 10000); expect(nested(o, o + 1), 11100); expect(nested(o, o + 2), 11011); expect(nested(o + 1, o), 11010);
    expect(nested(o + 2, o), 11100); expect(nested(o + 3, o + 2), 0);
    expect(wide(0x100000000ull + o, yes), 11); expect(wide(0x100000000ull + o, no), 10); expect(wide(7ull + o, no), 11); expect(wide(o, yes), 0);
    expect(looped(yes), 51111); expect(looped(no), 62110);
    expect(single(o + 1, no), 1); expect(single(o + 2, yes), 2); expect(single(o, yes), 0);
    expect(known(yes), 3); expect(known(no), 3);
    expect(returns(o, yes), 1); expect(returns(o, no), 3); expect(returns(o + 1, no), 2); expect(returns(o + 5, yes), 3);
}
