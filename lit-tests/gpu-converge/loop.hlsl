// One to four rays, as many as a lane has, and arithmetic after them.
// rtc -T lib_6_3
// scene: converge.toml
#include "converge.hlsli"

uint4 Kernel(uint state)
{
    uint found = 0;
    uint trips = 1 + (Hash(state) & 3);
    [loop] for (uint i = 0; i < trips; ++i)
    {
        found += Trace(state, 0);
        state = Hash(state);
    }
    return Work(state + found);
}
