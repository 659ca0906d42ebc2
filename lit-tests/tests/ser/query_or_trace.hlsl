// Hits of rays, of queries, made misses and NOPs, joined.
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
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    dx::HitObject h;
    Payload p = fresh();
    switch (thread() & 3)
    {
    case 0:
        h = trace(to(TURNED), p);
        break;
    case 1:
        {
            RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
            q.TraceRayInline(Scene, 0, 0xff, to(VEIL));
            q.Proceed();
            h = dx::HitObject::FromRayQuery(q);
            h.SetShaderTableIndex(10);
            break;
        }
    case 2:
        h = dx::HitObject::MakeMiss(0, 3, to(VEIL));
        break;
    }
    dx::MaybeReorderThread(h);
    dx::HitObject::Invoke(h, p);
    uint k = thread() & 3;
    IS(h.IsHit(), k < 2); IS(h.IsMiss(), k == 2); IS(h.IsNop(), k == 3); IS(p.count, k != 3);
    IS(p.who, k == 0 ? CLOSEST_B : k == 1 ? CLOSEST_B : k == 2 ? MISS_B : 0); IS(p.tag, k == 0 ? 101 : k == 1 ? 110 : k == 2 ? 203 : 0);
    IS(p.ids.x, k == 0 ? 70 : k == 1 ? 700 : 0); ISF(p.t, k == 0 ? 13 : k == 1 ? 10 : k == 2 ? 100 : 0);
    done(8);
}
