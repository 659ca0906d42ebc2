// Another index of a hit: another shader and its record; what was hit stays.
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
    uint i = thread() & 1;
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    h.SetShaderTableIndex(i == 0 ? 10 : 6);
    IS(h.GetShaderTableIndex(), i == 0 ? 10 : 6); IS(h.LoadLocalRootTableConstant(0), i == 0 ? 110 : 106); IS(h.IsHit(), 1);
    IS(h.GetInstanceID(), ID[i]); ISF(h.GetRayTCurrent(), DISTANCE[i]);
    dx::HitObject::Invoke(h, p);
    IS(p.who, i == 0 ? CLOSEST_B : CLOSEST_A); IS(p.tag, i == 0 ? 110 : 106); IS(p.ids.x, ID[i]); ISF(p.t, DISTANCE[i]); IS(p.count, 1);
    done(10);
}
