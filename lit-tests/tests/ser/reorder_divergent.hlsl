// Reordering in branches that some threads take, of what only they have.
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
    uint i = thread() % 3;
    Payload p = fresh();
    uint steps = 0;
    if (i == 0)
    {
        dx::HitObject h = trace(to(TRIANGLE), p);
        dx::MaybeReorderThread(h);
        dx::HitObject::Invoke(h, p);
        steps = 1;
    }
    else if (i == 1)
    {
        dx::MaybeReorderThread(thread(), 4);
        steps = 2;
    }
    IS(steps, i == 0 ? 1 : i == 1 ? 2 : 0); IS(p.tag, i == 0 ? 100 : 0);
    done(2);
}
