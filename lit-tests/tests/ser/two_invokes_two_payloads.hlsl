// Two invokes of one hit object with payloads of different types, for shaders of two records.
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
#define OWN_CLOSEST_B
#include "Inputs/ser.hlsli"

struct [raypayload] Other
{
    uint values[3] EVERYWHERE;
    float t EVERYWHERE;
    bool2 flags EVERYWHERE;
};
[shader("closesthit")] void ClosestB(inout Other o, in BuiltInTriangleIntersectionAttributes a)
{
    o.values[0] = Rec.tag;
    o.values[1] += InstanceID();
    o.t = RayTCurrent();
    o.flags.y = !o.flags.x;
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(TRIANGLE), p);
    dx::HitObject::Invoke(h, p);
    Other o = (Other)0;
    o.values[1] = 5;
    h.SetShaderTableIndex(1);
    dx::HitObject::Invoke(h, o);
    IS(p.who, CLOSEST_A); IS(p.tag, 100); IS(p.count, 1); IS(o.values[0], 101); IS(o.values[1], 12); IS(o.values[2], 0); ISF(o.t, 10); IS(o.flags.y, 1);
    h.SetShaderTableIndex(0);
    dx::HitObject::Invoke(h, p);
    IS(p.count, 2); IS(o.values[1], 12);
    done(10);
}
