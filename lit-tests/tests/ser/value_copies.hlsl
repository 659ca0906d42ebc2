// A copy stays what it was when the original changes, and the other way round.
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
    dx::HitObject a = trace(to(TRIANGLE), p);
    dx::HitObject b = a;
    a.SetShaderTableIndex(9);
    dx::HitObject c = a;
    a = dx::HitObject::MakeMiss(0, 2, to(NOTHING));
    b.SetShaderTableIndex(10);
    IS(a.IsMiss(), 1); IS(a.GetShaderTableIndex(), 2); IS(b.GetShaderTableIndex(), 10); IS(c.GetShaderTableIndex(), 9); IS(b.GetInstanceID(), 7); IS(c.GetInstanceID(), 7);
    dx::HitObject::Invoke(c, p); IS(p.tag, 109);
    dx::HitObject::Invoke(b, p); IS(p.tag, 110);
    dx::HitObject::Invoke(a, p); IS(p.tag, 202); IS(p.count, 3);
    done(10);
}
