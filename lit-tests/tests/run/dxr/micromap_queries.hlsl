// The same of queries: what is transparent is nothing, what is opaque is committed, what is unknown is a candidate. For the CPU device
// alone: lavapipe 25.0.7 has no opacity micromaps.
// rtc -T lib_6_9
// scene: Inputs/micromaps.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"
#include "Inputs/micromap_places.hlsli"

[shader("raygeneration")] void Main()
{
    static const uint FLAGS[5] = { 0, RAY_FLAG_FORCE_OPAQUE, RAY_FLAG_FORCE_NON_OPAQUE, RAY_FLAG_CULL_OPAQUE, RAY_FLAG_CULL_NON_OPAQUE };
    for (uint f = 0; f < 5; ++f)
        for (uint state = 0; state < 4; ++state)
        {
            uint place = thread() & 7, flags = FLAGS[f] | (thread() & 8 ? RAY_FLAG_FORCE_OMM_2_STATE : 0);
            RayQuery<RAY_FLAG_NONE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS> q;
            q.TraceRayInline(Scene, flags, 0xff, into(place, state));
            uint found = 0;
            while (q.Proceed())
                found = 2;
            IS(found + (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT), must(place, state, flags));
        }
    done(20);
}
