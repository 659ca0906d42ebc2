// The nearest of several hits, carried through a loop.
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
    Payload p = fresh();
    dx::HitObject nearest;
    float best = 1000;
    for (uint i = 0; i < 5; ++i)
    {
        dx::HitObject h = trace(to((i + thread()) % 9), p);
        if (h.IsMiss())
            continue;
        if (h.GetRayTCurrent() < best)
        {
            best = h.GetRayTCurrent();
            nearest = h;
        }
    }
    uint first = 0;
    float must = 1000;
    for (uint k = 0; k < 5; ++k)
    {
        uint n = (k + thread()) % 9;
        if (n != NOTHING && DISTANCE[n] < must)
        {
            must = DISTANCE[n];
            first = n;
        }
    }
    IS(nearest.IsHit(), 1); ISF(nearest.GetRayTCurrent(), must); IS(nearest.GetInstanceIndex(), first); IS(nearest.GetShaderTableIndex(), INDEX[first]);
    dx::HitObject::Invoke(nearest, p);
    IS(p.tag, TOLD[first]);
    done(5);
}
