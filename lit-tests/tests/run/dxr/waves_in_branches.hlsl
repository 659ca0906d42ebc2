// Wave operations count the threads that are there: those of a branch, those that have not left a loop.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    uint n = thread(), all = WaveActiveCountBits(true), odd = WaveActiveCountBits(n & 1), here;
    if (n & 1)
        here = WaveActiveCountBits(true);
    else
        here = WaveActiveCountBits(true) + 1000;
    IS(here, n & 1 ? odd : all - odd + 1000);
    uint turns = 0, wrong = 0;
    uint mine = n % 4;
    for (uint i = 0; i < 4; ++i)
    {
        uint stay = WaveActiveCountBits(mine > i);
        if (mine <= i)
            break;
        wrong += WaveActiveCountBits(true) != stay;
        ++turns;
    }
    IS(turns, mine); IS(wrong, 0);
    done(3);
}
