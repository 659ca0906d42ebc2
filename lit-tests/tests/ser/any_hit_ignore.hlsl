// Any-hit shaders that ignore all hits make a miss.
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
    uint i = thread() & 1 ? VEIL : SOFT_BOXES;
    Payload p = fresh(IGNORE_ALL);
    dx::HitObject h = trace(to(i), p);
    IS(h.IsMiss(), 1); IS(h.GetShaderTableIndex(), 0); ISF(h.GetRayTCurrent(), 100); IS(p.any, i == VEIL ? 3 : 0x300); IS(h.GetHitKind(), 0);
    dx::HitObject::Invoke(h, p);
    IS(p.who, MISS_A); IS(p.count, 1);
    done(7);
}
