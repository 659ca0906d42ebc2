// A hit object keeps what the query had, whatever the query does afterwards.
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
    RayQuery<RAY_FLAG_NONE> q;
    dx::HitObject hits[3];
    for (uint i = 0; i < 3; ++i)
    {
        q.TraceRayInline(Scene, 0, 0xff, to(i == 2 ? NOTHING : i));
        q.Proceed();
        hits[i] = dx::HitObject::FromRayQuery(q);
    }
    IS(hits[0].GetInstanceID(), 7); IS(hits[1].GetInstanceID(), 70); IS(hits[2].IsNop(), 1);
    ISF(hits[0].GetRayTCurrent(), 10); ISF(hits[1].GetRayTCurrent(), 13); ISF(hits[0].GetWorldRayOrigin().x, 0.25);
    hits[0].SetShaderTableIndex(0);
    Payload p = fresh();
    dx::HitObject::Invoke(hits[0], p);
    IS(p.ids.x, 7); IS(p.tag, 100);
    done(8);
}
