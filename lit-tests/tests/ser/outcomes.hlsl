// Hit objects that are queried only for hit or miss, next to plain traces: no hit has to be recorded, and other traces stay plain.
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
// LOWER-NOT: rtc.record
// LOWER: OpEntryPoint MissKHR %{{[a-zA-Z0-9_]+}} "rtc.missed"
// LOWER-NOT: rtc.record
// RUN: %rtc -spirv -fspv-ser=lower -Od -T lib_6_9 -no-warnings %s | FileCheck --check-prefix=OD %s
// OD: rtc.record
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    uint i = thread() % 9;
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    IS(h.IsMiss(), i == NOTHING); IS(h.IsHit(), i != NOTHING); IS(h.IsNop(), 0); IS(h.GetRayFlags(), 0); IS3(h.GetWorldRayOrigin(), to(i).Origin);
    // Any-hit shaders run and have the payload; nothing else does.
    IS(p.count, 0); IS(p.any & 0x101, i == VEIL || i == SOFT_ALONE ? 1 : i == SOFT_BOXES ? 0x100 : 0);
    p = fresh(IGNORE_ALL);
    IS(trace(to(VEIL), p, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH).IsMiss(), 1); IS(p.any, 3);
    p = fresh(IGNORE_ALL);
    IS(trace(to(VEIL), p, RAY_FLAG_FORCE_OPAQUE).IsMiss(), 0); IS(p.any, 0);

    // Every row of the miss table, and closest-hit shaders with their records.
    for (uint row = 0; row < 4; ++row)
    {
        p = fresh();
        TraceRay(Scene, 0, 0xff, 0, 1, row | Words.Load(4) << 16, to(NOTHING), p);
        IS(p.tag, 200 + row); IS(p.who, row & 1 ? MISS_B : MISS_A);
    }
    p = fresh();
    TraceRay(Scene, 0, 0xff, 0, 1, 0, to(i), p);
    IS(p.who, WHO[i]); IS(p.tag, TOLD[i]);
    p = fresh();
    h = trace(to(i), p);
    dx::MaybeReorderThread(h);
    dx::HitObject::Invoke(h, p);
    IS(p.who, WHO[i]); IS(p.tag, TOLD[i]);
    done(25);
}
