// Six hit objects at once, invoked in another order.
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
    dx::HitObject a = trace(to(0), p), b = trace(to(1), p), c = trace(to(NOTHING), p);
    dx::HitObject d = a, e = dx::HitObject::MakeMiss(0, 1, to(0)), f;
    d.SetShaderTableIndex(6);
    uint order = 0;
    dx::HitObject::Invoke(f, p); order = order * 4 + p.count;
    dx::HitObject::Invoke(e, p); IS(p.tag, 201);
    dx::HitObject::Invoke(d, p); IS(p.tag, 106);
    dx::HitObject::Invoke(c, p); IS(p.tag, 200);
    dx::HitObject::Invoke(b, p); IS(p.tag, 101);
    dx::HitObject::Invoke(a, p); IS(p.tag, 100);
    IS(order, 0); IS(p.count, 5);
    done(7);
}
