// Four iterations, of which a lane skips some, and arithmetic after them.
// rtc -T lib_6_3
// scene: converge.toml
#include "converge.hlsli"

uint4 Kernel(uint state)
{
    uint found = 0;
    [loop] for (uint i = 0; i < 4; ++i)
    {
        state = Hash(state);
        if (state & 4) continue;
        found += Trace(state, 0);
    }
    return Work(state + found);
}
