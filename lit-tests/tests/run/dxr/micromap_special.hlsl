// Triangles with special indices need no micromap: transparent, opaque, unknown and rather transparent, unknown and rather opaque. For the CPU device
// alone: lavapipe 25.0.7 has no opacity micromaps.
// rtc -T lib_6_9
// scene: Inputs/micromaps.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/micromap_rays.hlsli"

uint trace(uint which, uint flags) { return trace(ray(float3(80 + 2.5 * which, 0, -5), float3(0, 0, 1)), flags); }
[shader("raygeneration")] void Main()
{
    IS(trace(0, 0), 2); IS(trace(1, 0), 1); IS(trace(2, 0), 17); IS(trace(3, 0), 17);
    uint two = RAY_FLAG_FORCE_OMM_2_STATE;
    IS(trace(0, two), 2); IS(trace(1, two), 1); IS(trace(2, two), 2); IS(trace(3, two), 1);
    done(8);
}
