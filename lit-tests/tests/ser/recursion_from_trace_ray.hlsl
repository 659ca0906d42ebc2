// A closest-hit shader that TraceRay started invokes a hit object.
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
    p.count += 1;
    if (InstanceID() == 7)
    {
        Payload next = p;
        dx::HitObject h = trace(to(COUNTERCLOCKWISE), next);
        dx::HitObject::Invoke(h, next);
        p.count = next.count;
        p.ids = uint3(h.GetInstanceID(), next.tag, 0);
    }
    p.who = CLOSEST_A; p.tag = Rec.tag;
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    TraceRay(Scene, 0, 0xff, 0, 1, 0, to(TRIANGLE), p);
    IS(p.who, CLOSEST_A); IS(p.tag, 100); IS(p.ids.x, 5); IS(p.ids.y, 109); IS(p.count, 2);
    done(5);
}
