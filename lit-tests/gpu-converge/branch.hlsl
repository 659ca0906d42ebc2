// A shadow ray in half of the lanes, and arithmetic after it.
// rtc -T lib_6_3
// scene: converge.toml
#include "converge.hlsli"

uint4 Kernel(uint state)
{
    uint lit = 0;
    if (Hash(state) & 1) lit = Trace(state, 1);
    return Work(state + lit);
}
