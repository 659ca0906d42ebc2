// Transparent, opaque and unknown small triangles with every flag of ray, instance and geometry: the micromap says first. For the CPU device
// alone: lavapipe 25.0.7 has no opacity micromaps.
// rtc -T lib_6_9
// scene: Inputs/micromaps.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/micromap_rays.hlsli"
#include "Inputs/micromap_places.hlsli"

[shader("raygeneration")] void Main()
{
    static const uint FLAGS[5] = { 0, RAY_FLAG_FORCE_OPAQUE, RAY_FLAG_FORCE_NON_OPAQUE, RAY_FLAG_CULL_OPAQUE, RAY_FLAG_CULL_NON_OPAQUE };
    static const uint FOUND[3] = { 2, 1, 17 };
    for (uint f = 0; f < 5; ++f)
        for (uint state = 0; state < 4; ++state)
        {
            uint place = thread() & 7, flags = FLAGS[f] | (thread() & 8 ? RAY_FLAG_FORCE_OMM_2_STATE : 0);
            IS(trace(into(place, state), flags), FOUND[must(place, state, flags)]);
        }
    done(20);
}
