// A function that some lanes leave early, and arithmetic after it.
// rtc -T lib_6_3
// scene: converge.toml
#include "converge.hlsli"

uint Found(uint state)
{
    if (Hash(state) & 1) return 7;
    uint first = Trace(state, 0);
    if (first == 1) return first;
    return first + Trace(Hash(state), 1);
}

uint4 Kernel(uint state)
{
    return Work(state + Found(state));
}
