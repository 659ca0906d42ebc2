// Attributes of an intersection shader.
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
    Payload p = fresh();
    RayDesc ray = to(BOXES);
    ray.TMin = thread() % 3 == 0 ? 0.5 : thread() % 3 == 1 ? 10 : 15;
    dx::HitObject h = trace(ray, p);
    BoxAttributes a = h.GetAttributes<BoxAttributes>(), b;
    h.GetAttributes(b);
    bool second = thread() % 3 == 1, behind = thread() % 3 == 2;
    ISF(a.where.x, second ? 1.5 : 0.5); ISF(a.where.y, behind ? 1.25 : 0.25); IS(b.marker, second ? 0x71 : 0x70);
    IS(h.GetHitKind(), second ? 11 : behind ? 15 : 10); IS(h.GetGeometryIndex(), behind); IS(h.GetShaderTableIndex(), behind ? 5 : 4);
    ISF(h.GetRayTCurrent(), second ? 14 : behind ? 18 : 9);
    done(7);
}
