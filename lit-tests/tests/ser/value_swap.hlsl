// Two hit objects change places, in some threads.
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
    dx::HitObject a = trace(to(TURNED), p), b = dx::HitObject::MakeMiss(0, 3, to(NOTHING));
    if (thread() & 1)
    {
        dx::HitObject t = a;
        a = b;
        b = t;
    }
    IS(a.IsMiss(), thread() & 1); IS(b.IsHit(), thread() & 1);
    dx::HitObject::Invoke(a, p);
    IS(p.tag, thread() & 1 ? 203 : 101);
    dx::HitObject::Invoke(b, p);
    IS(p.tag, thread() & 1 ? 101 : 203);
    done(4);
}
