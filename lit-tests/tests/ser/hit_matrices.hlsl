// Both matrices of a turned, scaled and moved instance, in both shapes.
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
    Payload p = fresh();
    dx::HitObject h = trace(to(TURNED), p);
    IS34(h.GetObjectToWorld3x4(), float4(0, -2, 0, 10), float4(2, 0, 0, 1), float4(0, 0, 4, 3));
    IS43(h.GetObjectToWorld4x3(), float4(0, -2, 0, 10), float4(2, 0, 0, 1), float4(0, 0, 4, 3));
    IS34(h.GetWorldToObject3x4(), float4(0, 0.5, 0, -0.5), float4(-0.5, 0, 0, 5), float4(0, 0, 0.25, -0.75));
    IS43(h.GetWorldToObject4x3(), float4(0, 0.5, 0, -0.5), float4(-0.5, 0, 0, 5), float4(0, 0, 0.25, -0.75));
    done(48);
}
