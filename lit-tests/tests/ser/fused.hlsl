// Traversals and invocations that are one plain trace: next to each other, in a loop, through a function, with a reorder point whose hint
// asks the hit object, with questions that the ray answers. No hit object is left where reordering does nothing, and the tables are plain.
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
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -O1
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -no-warnings %s | FileCheck --check-prefix=LOWER %s
// LOWER-NOT: rtc.
// LOWER-COUNT-6: OpTraceRayKHR
// LOWER-NOT: OpTraceRayKHR
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s | FileCheck --check-prefix=NV %s
// NV-COUNT-1: OpHitObjectExecuteShaderNV
// NV-NOT: OpHitObjectExecuteShaderNV
// RUN: %rtc -spirv -fspv-ser=lower -Od -T lib_6_9 -no-warnings %s | FileCheck --check-prefix=OD %s
// OD: rtc.record
#include "Inputs/ser.hlsli"

// A function that gives a hit object, and one that invokes it.
dx::HitObject found(uint i, inout Payload p) { return trace(to(i), p); }
void shade(dx::HitObject h, inout Payload p) { dx::HitObject::Invoke(h, p); }

void same(Payload p, Payload q)
{
    IS(p.who, q.who); IS(p.tag, q.tag); IS(p.count, q.count); IS(p.any, q.any); ISF(p.t, q.t); IS(p.ids.x, q.ids.x); IS3(p.attributes, q.attributes);
}

[shader("raygeneration")] void Main()
{
    uint i = thread() % 9;
    Payload q = fresh(IGNORE_FIRST);
    TraceRay(Scene, 0, 0xff, 0, 1, 0, to(i), q);

    Payload p = fresh(IGNORE_FIRST);
    dx::HitObject h = trace(to(i), p);
    dx::HitObject::Invoke(h, p);
    same(p, q);
    // What the ray itself says.
    IS(h.GetRayFlags(), 0); ISF(h.GetRayTMin(), 0.5); IS3(h.GetWorldRayOrigin(), to(i).Origin); IS3(h.GetWorldRayDirection(), float3(0, 0, 1)); IS(h.IsNop(), 0);

    // Two objects that take turns in one variable.
    p = fresh(IGNORE_FIRST);
    h = trace(to(i), p);
    dx::HitObject::Invoke(h, p);
    same(p, q);

    p = fresh(IGNORE_FIRST);
    shade(found(i, p), p);
    same(p, q);

    uint count = 0;
    for (uint n = 0; n < 3 + (thread() & 1); ++n)
    {
        p = fresh(IGNORE_FIRST);
        dx::HitObject::Invoke(found(i, p), p);
        count += p.count;
    }
    same(p, q);
    IS(count, q.count * (3 + (thread() & 1)));

    // The last of them reorders, by what only the hit knows.
    p = fresh(IGNORE_FIRST);
    h = trace(to(i), p);
    dx::MaybeReorderThread(h, h.IsHit() ? h.GetInstanceID() & 3 : 0, 2);
    dx::HitObject::Invoke(h, p);
    same(p, q);
    done(55);
}
