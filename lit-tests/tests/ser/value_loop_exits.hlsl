// Loops that are left in several ways with different hit objects.
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
    dx::HitObject h = dx::HitObject::MakeMiss(0, 2, to(NOTHING));
    uint i = 0;
    [loop] while (true)
    {
        if (i == 3)
            break;
        dx::HitObject one = trace(to(i), p);
        if (thread() % 5 == i)
        {
            one.SetShaderTableIndex(9);
            h = one;
            break;
        }
        ++i;
    }
    uint k = thread() % 5;
    IS(h.IsHit(), k < 3); IS(h.IsMiss(), k >= 3); IS(h.GetShaderTableIndex(), k < 3 ? 9 : 2); IS(h.GetInstanceID(), k < 3 ? ID[k] : 0);
    dx::HitObject::Invoke(h, p);
    IS(p.tag, k < 3 ? 109 : 202);
    done(5);
}
