// An invoked miss shader traces a ray and invokes what it hit.
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
#define OWN_MISS_A
#include "Inputs/ser.hlsli"

[shader("miss")] void MissA(inout Payload p)
{
    Payload next = fresh();
    dx::HitObject h = trace(to(TURNED), next);
    dx::HitObject::Invoke(h, next);
    TELL(MISS_A);
    p.count += next.count;
    p.ids = uint3(next.ids.x, next.tag, 0);
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject::Invoke(dx::HitObject::MakeMiss(0, 0, to(NOTHING)), p);
    IS(p.who, MISS_A); IS(p.tag, 200); IS(p.ids.x, 70); IS(p.ids.y, 101); IS(p.count, 2); ISF(p.t, 100);
    done(6);
}
