// Every getter of what is a NOP in some threads only.
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
    dx::HitObject h;
    bool traced = thread() & 1;
    if (traced)
        h = trace(to(TURNED), p);
    IS(h.IsNop(), !traced); IS(h.IsHit(), traced); IS(h.GetInstanceID(), traced ? 70 : 0); IS(h.GetHitKind(), traced ? 254 : 0);
    ISF(h.GetRayTCurrent(), traced ? 13 : 0); ISF(h.GetRayTMin(), traced ? 0.5 : 0); IS(h.GetShaderTableIndex(), traced);
    IS3(h.GetWorldRayOrigin(), traced ? float3(10.25, 0.75, -10) : 0); IS3(h.GetObjectRayDirection(), traced ? float3(0, 0, 0.25) : 0);
    ISF(h.GetObjectToWorld3x4()[0].x, traced ? 0 : 1); ISF(h.GetWorldToObject4x3()[2].z, traced ? 0.25 : 1);
    IS(h.LoadLocalRootTableConstant(0), traced ? 101 : 0);
    BuiltInTriangleIntersectionAttributes a = h.GetAttributes<BuiltInTriangleIntersectionAttributes>();
    ISF(a.barycentrics.x, traced ? 0.4375 : 0);
    done(17);
}
