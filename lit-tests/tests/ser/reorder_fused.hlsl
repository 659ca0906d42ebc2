// Tracing, reordering and invoking in a row do what TraceRay does.
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
    Payload p = fresh(IGNORE_FIRST), q = fresh(IGNORE_FIRST);
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 2, to(i), p);
    dx::MaybeReorderThread(h);
    dx::HitObject::Invoke(h, p);
    TraceRay(Scene, 0, 0xff, 0, 1, 2, to(i), q);
    IS(p.who, q.who); IS(p.tag, q.tag); IS(p.count, q.count); ISF(p.t, q.t); IS(p.ids.x, q.ids.x); IS(p.ids.y, q.ids.y); IS(p.ids.z, q.ids.z); IS3(p.attributes, q.attributes);
    IS(p.count, i == SOFT_ALONE ? 0 : 1); IS(p.tag, i == SOFT_ALONE ? 0 : i == NOTHING ? 202 : TAG[i]);
    done(12);
}
