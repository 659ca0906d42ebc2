// The closest-hit shader of a procedural hit gets its attributes, also at another index.
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
    ray.TMin = 15;
    dx::HitObject h = trace(ray, p);
    dx::HitObject::Invoke(h, p);
    IS(p.who, CLOSEST_BOX); IS(p.tag, 105); IS3(p.attributes, float3(0.5, 0x70, 15)); IS(p.ids.z, 1); ISF(p.t, 18);
    h.SetShaderTableIndex(8);
    dx::HitObject::Invoke(h, p);
    IS(p.tag, 108); IS3(p.attributes, float3(0.5, 0x70, 15)); IS(p.count, 2); IS(h.GetHitKind(), 15);
    done(13);
}
