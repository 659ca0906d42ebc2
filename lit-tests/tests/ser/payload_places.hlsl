// The payload is an element of an array, a member, a parameter.
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

void invoke_twice(dx::HitObject h, inout Payload p)
{
    dx::HitObject::Invoke(h, p);
    dx::HitObject::Invoke(h, p);
}

[shader("raygeneration")] void Main()
{
    struct { uint before; Payload p; uint after; } s;
    s.before = 1; s.after = 2; s.p = fresh();
    Payload list[3];
    for (uint n = 0; n < 3; ++n) list[n] = fresh();
    dx::HitObject h = trace(to(TURNED), s.p);
    dx::HitObject::Invoke(h, s.p);
    uint at = thread() % 3;
    dx::HitObject::Invoke(h, list[at]);
    invoke_twice(h, list[(at + 1) % 3]);
    IS(s.p.tag, 101); IS(s.before, 1); IS(s.after, 2); IS(s.p.count, 1);
    IS(list[at].count, 1); IS(list[(at + 1) % 3].count, 2); IS(list[(at + 2) % 3].count, 0); IS(list[(at + 1) % 3].tag, 101);
    done(8);
}
