// Hit getters of a NOP: zeros, identities; it has no record.
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
    dx::HitObject h;
    IS(h.GetInstanceIndex(), 0); IS(h.GetInstanceID(), 0); IS(h.GetGeometryIndex(), 0); IS(h.GetPrimitiveIndex(), 0); IS(h.GetHitKind(), 0);
    IS(h.GetShaderTableIndex(), 0); IS(h.LoadLocalRootTableConstant(0), 0); IS(h.LoadLocalRootArgumentsConstant(12), 0);
    BuiltInTriangleIntersectionAttributes a = h.GetAttributes<BuiltInTriangleIntersectionAttributes>();
    ISF(a.barycentrics.x, 0); ISF(a.barycentrics.y, 0);
    IS34(h.GetObjectToWorld3x4(), float4(1, 0, 0, 0), float4(0, 1, 0, 0), float4(0, 0, 1, 0));
    IS43(h.GetWorldToObject4x3(), float4(1, 0, 0, 0), float4(0, 1, 0, 0), float4(0, 0, 1, 0));
    done(34);
}
