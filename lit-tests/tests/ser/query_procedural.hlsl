// A committed box with a hit kind and attributes of its own.
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
    q.TraceRayInline(Scene, 0, 0xff, to(BOXES));
    while (q.Proceed())
        if (q.CandidatePrimitiveIndex() == 1)
            q.CommitProceduralPrimitiveHit(14.25);
    BoxAttributes a = { float2(2.5, thread()), 0x55 };
    dx::HitObject h = dx::HitObject::FromRayQuery(q, 33 + thread(), a);
    IS(h.IsHit(), 1); IS(h.GetHitKind(), 33 + thread()); ISF(h.GetRayTCurrent(), 14.25); IS(h.GetPrimitiveIndex(), 1); IS(h.GetInstanceIndex(), 3);
    BoxAttributes b = h.GetAttributes<BoxAttributes>();
    ISF(b.where.x, 2.5); ISF(b.where.y, thread()); IS(b.marker, 0x55);
    h.SetShaderTableIndex(5);
    Payload p = fresh();
    dx::HitObject::Invoke(h, p);
    IS(p.who, CLOSEST_BOX); IS(p.tag, 105); IS3(p.attributes, float3(2.5, 0x55, 33 + thread())); ISF(p.t, 14.25); IS(p.ids.x, 7000); IS(p.ids.y, 1);
    done(16);
}
