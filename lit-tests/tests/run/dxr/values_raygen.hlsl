// DispatchRaysIndex and DispatchRaysDimensions in the ray generation shader.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    uint3 at = DispatchRaysIndex(), of = DispatchRaysDimensions();
    IS(at.x < 16, 1); IS(at.y, 0); IS(at.z, 0); IS(of.x, 16); IS(of.y, 1); IS(of.z, 1);
    done(6);
}
