// `loop-masked.hlsl` with four iterations in all lanes.
// rtc -T lib_6_3
// scene: converge.toml
#include "converge.hlsli"

uint4 Kernel(uint state)
{
    uint found = 0;
    uint trips = 1 + (Hash(state) & 3);
    [loop] for (uint i = 0; i < 4; ++i)
    {
        bool busy = i < trips;
        uint hit = TraceIf(state, 0, busy ? 0xff : 0);
        found += busy ? hit : 0;
        state = busy ? Hash(state) : state;
    }
    return Work(state + found);
}
