// Hit objects that functions change, make and return.
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

void change(inout dx::HitObject h) { h.SetShaderTableIndex(h.GetShaderTableIndex() + 10); }
void make(out dx::HitObject h, bool miss)
{
    h = dx::HitObject::MakeNop();
    if (miss)
        h = dx::HitObject::MakeMiss(0, 1, to(NOTHING));
}
dx::HitObject choose(dx::HitObject a, dx::HitObject b, bool first)
{
    if (first)
        return a;
    return b;
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(TRIANGLE), p), made;
    change(h);
    IS(h.GetShaderTableIndex(), 10);
    make(made, thread() & 1);
    IS(made.IsMiss(), thread() & 1); IS(made.IsNop(), !(thread() & 1));
    dx::HitObject chosen = choose(h, made, thread() & 2);
    IS(chosen.IsHit(), (thread() & 2) != 0);
    dx::HitObject::Invoke(chosen, p);
    IS(p.tag, thread() & 2 ? 110 : thread() & 1 ? 201 : 0); IS(choose(h, made, true).GetInstanceID(), 7);
    done(6);
}
