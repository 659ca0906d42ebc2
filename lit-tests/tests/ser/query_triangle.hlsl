// A committed triangle: a hit without a record.
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
    uint i = thread() & 1;
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, to(i));
    while (q.Proceed()) {}
    dx::HitObject h = dx::HitObject::FromRayQuery(q);
    IS(h.IsHit(), 1); IS(h.IsNop(), 0); IS(h.GetInstanceIndex(), i); IS(h.GetInstanceID(), ID[i]); IS(h.GetHitKind(), 254); ISF(h.GetRayTCurrent(), DISTANCE[i]);
    ISF(h.GetRayTMin(), 0.5); IS(h.GetRayFlags(), RAY_FLAG_CULL_BACK_FACING_TRIANGLES); IS3(h.GetWorldRayOrigin(), to(i).Origin);
    BuiltInTriangleIntersectionAttributes a = h.GetAttributes<BuiltInTriangleIntersectionAttributes>();
    ISF(a.barycentrics.x, i == TURNED ? 0.4375 : 0.375);
    IS(h.GetShaderTableIndex(), 0); IS(h.LoadLocalRootTableConstant(0), 0);
    Payload p = fresh();
    dx::HitObject::Invoke(h, p);
    IS(p.count, 0); IS(p.who, 0);
    done(16);
}
