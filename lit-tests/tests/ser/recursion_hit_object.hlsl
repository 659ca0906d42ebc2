// An invoked closest-hit shader traces and invokes a hit object of its own.
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
#define DEPTH 2
#define OWN_CLOSEST_A
#include "Inputs/ser.hlsli"

[shader("closesthit")] void ClosestA(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    Payload next = fresh();
    dx::HitObject h = trace(to(TURNED), next);
    h.SetShaderTableIndex(h.GetShaderTableIndex() + 9);
    dx::HitObject::Invoke(h, next);
    p.who = CLOSEST_A; p.tag = Rec.tag; p.count += 1 + next.count; p.t = h.GetRayTCurrent();
    p.ids = uint3(next.ids.x, next.tag, InstanceID());
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(TRIANGLE), p);
    dx::HitObject::Invoke(h, p);
    IS(p.who, CLOSEST_A); IS(p.tag, 100); IS(p.ids.x, 70); IS(p.ids.y, 110); IS(p.ids.z, 7); IS(p.count, 2); ISF(p.t, 13); IS(h.GetInstanceID(), 7);
    done(8);
}
