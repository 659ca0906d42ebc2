// A ray in each arm of a branch, and arithmetic after it.
// rtc -T lib_6_3
// scene: converge.toml
#include "converge.hlsli"

uint4 Kernel(uint state)
{
    uint found;
    if (Hash(state) & 1) found = Trace(state, 0);
    else found = Trace(Hash(state), 1) + 5;
    return Work(state + found);
}
