// Getters of a made miss: the ray that was given, and nothing of a hit.
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
    RayDesc ray = { float3(1, 2, 3), 0.25, float3(0, 0, -2), 70 };
    dx::HitObject h = dx::HitObject::MakeMiss(RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 2, ray);
    IS(h.IsMiss(), 1); IS(h.IsHit(), 0); IS(h.IsNop(), 0);
    IS(h.GetRayFlags(), 0x11); ISF(h.GetRayTMin(), 0.25); ISF(h.GetRayTCurrent(), 70); IS(h.GetShaderTableIndex(), 2);
    IS3(h.GetWorldRayOrigin(), float3(1, 2, 3)); IS3(h.GetWorldRayDirection(), float3(0, 0, -2));
    IS3(h.GetObjectRayOrigin(), float3(1, 2, 3)); IS3(h.GetObjectRayDirection(), float3(0, 0, -2));
    IS(h.GetInstanceIndex(), 0); IS(h.GetInstanceID(), 0); IS(h.GetGeometryIndex(), 0); IS(h.GetPrimitiveIndex(), 0); IS(h.GetHitKind(), 0);
    done(24);
}
