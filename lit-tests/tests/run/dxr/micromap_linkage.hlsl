// Which triangle has which map: the triangles' numbers or their indices, after a base; geometries without maps between them. For the CPU device
// alone: lavapipe 25.0.7 has no opacity micromaps.
// rtc -T lib_6_9
// scene: Inputs/micromaps.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/micromap_rays.hlsli"

uint trace(uint which, uint flags) { return trace(ray(float3(90 + 2.5 * which, 0, -5), float3(0, 0, 1)), flags); }
[shader("raygeneration")] void Main()
{
    // The maps 1 and 2 of the first geometry are opaque, one of them of level 0; the third geometry has map 3, which is transparent.
    IS(trace(0, 0), 1); IS(trace(1, 0), 1); IS(trace(2, 0), 17); IS(trace(3, 0), 2);
    IS(trace(0, RAY_FLAG_FORCE_NON_OPAQUE), 17); IS(trace(3, RAY_FLAG_FORCE_OPAQUE), 2);
    done(6);
}
