// A hit of a query that is given a record runs its shader, with the system values of the hit.
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
    q.TraceRayInline(Scene, 0, 0xff, to(i));
    q.Proceed();
    dx::HitObject h = dx::HitObject::FromRayQuery(q);
    h.SetShaderTableIndex(9 + i);
    IS(h.GetShaderTableIndex(), 9 + i); IS(h.LoadLocalRootTableConstant(0), 109 + i);
    Payload p = fresh();
    dx::HitObject::Invoke(h, p);
    IS(p.who, i == 0 ? CLOSEST_A : CLOSEST_B); IS(p.tag, 109 + i); IS(p.ids.x, ID[i]); ISF(p.t, DISTANCE[i]); IS(p.count, 1);
    IS3(p.attributes, i == 0 ? float3(0.375, 0.4375, 254) : float3(0.4375, 0.21875, 254));
    done(10);
}
