// Ray getters of a NOP: zeros.
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
    dx::HitObject h = dx::HitObject::MakeNop();
    IS(h.GetRayFlags(), 0); ISF(h.GetRayTMin(), 0); ISF(h.GetRayTCurrent(), 0);
    IS3(h.GetWorldRayOrigin(), float3(0, 0, 0)); IS3(h.GetWorldRayDirection(), float3(0, 0, 0));
    IS3(h.GetObjectRayOrigin(), float3(0, 0, 0)); IS3(h.GetObjectRayDirection(), float3(0, 0, 0));
    done(15);
}
