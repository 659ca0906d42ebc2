// A path: trace, reorder, invoke in a loop that threads leave at different times.
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
    uint bounces = 0, tags = 0;
    for (uint b = 0; b < 4; ++b)
    {
        uint i = (thread() + b) % 9;
        dx::HitObject h = trace(to(i), p);
        dx::MaybeReorderThread(h, b, 2);
        dx::HitObject::Invoke(h, p);
        tags = tags * 3 + p.tag;
        ++bounces;
        if (h.IsMiss())
            break;
    }
    uint expected = 0, count = 0, last = 0;
    for (uint c = 0; c < 4; ++c)
    {
        uint i = (thread() + c) % 9;
        last = TOLD[i] == 0 ? last : TOLD[i];
        expected = expected * 3 + last;
        ++count;
        if (i == NOTHING)
            break;
    }
    IS(bounces, count); IS(tags, expected);
    done(2);
}
