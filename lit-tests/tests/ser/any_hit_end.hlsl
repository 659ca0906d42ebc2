// An any-hit shader ends the search: the hit it saw is the hit.
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
    Payload p = fresh(END_SEARCH);
    dx::HitObject h = trace(to(thread() & 1 ? VEIL : SOFT_BOXES), p);
    bool veil = thread() & 1;
    uint seen = veil ? p.any : p.any >> 8;
    IS(h.IsHit(), 1); IS(seen, 1u << h.GetPrimitiveIndex()); ISF(h.GetRayTCurrent(), (veil ? 10 : 9) + h.GetPrimitiveIndex() * (veil ? 2 : 5));
    dx::HitObject::Invoke(h, p);
    IS(p.count, 1); IS(p.ids.y, h.GetPrimitiveIndex());
    done(5);
}
