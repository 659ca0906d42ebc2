// The ray as the object sees it.
// rtc -T lib_6_9
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_9 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    uint i = thread() % 9;
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    float3 origin = i == TURNED ? float3(-0.125, -0.125, -3.25) : i == NOTHING ? float3(80.25, -0.25, -10) : float3(0.25, -0.25, -10);
    IS3(h.GetObjectRayOrigin(), origin); IS3(h.GetObjectRayDirection(), float3(0, 0, i == TURNED ? 0.25 : 1));
    done(6);
}
