// A shader that is invoked by itself, three levels down, each with its own hit.
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
#define DEPTH 5
#define OWN_CLOSEST_A
#include "Inputs/ser.hlsli"

[shader("closesthit")] void ClosestA(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    uint own = InstanceID();
    p.count += 1;
    if (p.count < 4)
    {
        dx::HitObject h = trace(to(own == 7 ? COUNTERCLOCKWISE : TRIANGLE), p);
        dx::HitObject::Invoke(h, p);
        if (h.GetInstanceID() == own)
            p.who = 99;
    }
    p.ids.x = p.ids.x * 8 + own;
    p.tag = Rec.tag;
    p.t = RayTCurrent();
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(TRIANGLE), p);
    dx::HitObject::Invoke(h, p);
    IS(p.count, 4); IS(p.tag, 100); IS(p.ids.x, 7 + 8 * 5 + 64 * 7 + 512 * 5); IS(h.GetInstanceID(), 7); ISF(p.t, 10);
    done(5);
}
