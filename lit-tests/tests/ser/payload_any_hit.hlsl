// What any-hit shaders write while a ray is traced is there before anything is invoked.
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
    uint i = thread() & 1 ? SOFT_BOXES : VEIL;
    Payload p = fresh(IGNORE_FIRST);
    p.tag = 55;
    dx::HitObject h = trace(to(i), p);
    IS(p.any & (i == VEIL ? 2 : 0x200), i == VEIL ? 2 : 0x200); IS(p.count, 0); IS(p.who, 0); IS(p.tag, 55); IS(p.mode, IGNORE_FIRST);
    uint any = p.any;
    dx::HitObject::Invoke(h, p);
    IS(p.any, any); IS(p.count, 1); IS(p.tag, TAG[i]); ISF(p.t, i == VEIL ? 12 : 14);
    done(9);
}
