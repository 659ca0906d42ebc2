// `loop.hlsl` as one writes it by hand so that the wave stays together: as many iterations as any lane has, with mask 0 in lanes without work. IDLE_ROW: these
// lanes name a miss shader that does nothing; IDLE_RAY: they have a ray of their own.
// rtc -T lib_6_3
// scene: converge.toml
#include "converge.hlsli"

uint4 Kernel(uint state)
{
    uint found = 0;
    uint trips = 1 + (Hash(state) & 3);
    [loop] for (uint i = 0; WaveActiveAnyTrue(i < trips); ++i)
    {
        bool busy = i < trips;
#ifdef IDLE_ROW
        uint hit = TraceIf(state, busy ? 0 : 2, busy ? 0xff : 0);
#else
        uint hit = TraceIf(state, 0, busy ? 0xff : 0);
#endif
        if (busy)
        {
            found += hit;
            state = Hash(state);
        }
    }
    return Work(state + found);
}
