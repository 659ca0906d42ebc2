// Paths of up to eight bounces with Russian roulette, a shadow ray where a light is above the surface, and shading.
// rtc -T lib_6_3
// scene: converge.toml
#include "converge.hlsli"

uint4 Kernel(uint state)
{
    uint light = 0;
    [loop] for (uint bounce = 0; bounce < 8; ++bounce)
    {
        uint found = Trace(state, 0);
        if (found == 2)
        {
            light += 1;
            if (Hash(state + 1) & 1) break;
        }
        state = Work(state + found);
        if (Hash(state) & 1) light += Trace(Hash(state), 1) << 4;
        if (bounce > 2 && (Hash(state + 2) & 3) == 0) break;
    }
    return uint4(light, state, light, state);
}
