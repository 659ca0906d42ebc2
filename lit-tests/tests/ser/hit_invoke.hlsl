// Invoking a hit runs the closest-hit shader of its record.
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
    uint i = thread() % 9;
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    dx::HitObject::Invoke(h, p);
    bool runs = i != SOFT_ALONE;
    IS(p.who, WHO[i]); IS(p.tag, TOLD[i]); IS(p.count, runs); ISF(p.t, runs ? DISTANCE[i] : 0);
    IS(p.ids.x, runs ? ID[i] : 0); IS(p.ids.y, runs ? PRIMITIVE[i] : 0); IS(p.ids.z, runs ? GEOMETRY[i] : 0); IS(p.attributes.z, runs ? KIND[i] : 0);
    done(8);
}
