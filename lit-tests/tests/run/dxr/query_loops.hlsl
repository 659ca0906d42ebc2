// Queries in loops that are left early and begun again, under conditions that differ between threads.
// rtc -T lib_6_5
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    uint total = 0, must = 0;
    RayQuery<RAY_FLAG_NONE> q;
    for (uint i = 0; i < 8; ++i)
    {
        if ((thread() + i) % 3 == 0)
            continue;
        q.TraceRayInline(Scene, i & 1 ? RAY_FLAG_FORCE_OPAQUE : RAY_FLAG_NONE, 0xff, ray(float3(0.25, -0.25, i - 0.5), float3(0, 0, 1)));
        uint steps = 0;
        while (q.Proceed())
        {
            ++steps;
            if (steps > thread() % 4 + 1)
                break;
        }
        total += steps * 100 + q.CommittedStatus();
        must += i & 1 ? COMMITTED_TRIANGLE_HIT : min(8 - i, thread() % 4 + 2) * 100;
    }
    IS(total, must);
    done(1);
}
