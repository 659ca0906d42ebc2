// An invoked closest-hit shader traces a ray of the old kind.
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
    TraceRay(Scene, 0, 0xff, 0, 1, 0, to(TURNED), next);
    p.who = CLOSEST_A; p.tag = Rec.tag; p.count += 1 + next.count; p.t = next.t;
    p.ids = uint3(next.ids.x, next.tag, InstanceID());
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(TRIANGLE), p);
    dx::HitObject::Invoke(h, p);
    // This query is why it is no plain trace: after a trace within one, lavapipe gives the instance that the inner one met.
    IS(h.GetInstanceIndex(), TRIANGLE);
    IS(p.who, CLOSEST_A); IS(p.tag, 100); IS(p.ids.x, 70); IS(p.ids.y, 101); IS(p.ids.z, 7); IS(p.count, 2); ISF(p.t, 13);
    done(8);
}
