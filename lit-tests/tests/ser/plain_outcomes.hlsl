// Hit objects that are queried only for hit or miss, next to others that are invoked, and to plain traces with and without closest-hit shaders.
// With hit objects on the device, the former may become plain traces whose miss shader is generated; rows of miss shaders are those of the
// application all the same. Where hit objects are lowered and others need recorders, a plain trace that skips closest-hit shaders stays one trace.
// rtc -T lib_6_9
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -no-warnings %s | FileCheck --check-prefix=LOWER %s
// The first object, the second and its invocation, the plain trace and its invocation, the invocation of the made miss, and one trace that skips.
// LOWER-COUNT-7: OpTraceRayKHR
// LOWER-NOT: OpTraceRayKHR
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s | FileCheck --check-prefix=NV %s
// NV-COUNT-2: OpHitObjectTraceRayNV
// NV-NOT: OpHitObjectTraceRayNV
// RUN: %rtc -spirv -fspv-ser=nv -fspv-ser-plain-outcomes -T lib_6_9 -no-warnings %s -Fo %t.rtp
// RUN: %rtc dis %t.rtp | FileCheck --check-prefix=PLAIN %s
// PLAIN: OpEntryPoint MissKHR %{{.*}} "rtc.missed"
// PLAIN-COUNT-1: OpHitObjectTraceRayNV
// PLAIN-NOT: OpHitObjectTraceRayNV
// RUN: not %rtc -spirv -fspv-ser=nv -fspv-ser-plain-outcomes -T lib_6_9 -no-warnings %s -Fo %t.spv 2>&1 | FileCheck --check-prefix=SPV %s
// SPV: -fspv-ser-plain-outcomes works with packages
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    uint i = thread() % 9;
    bool missed = i == NOTHING;

    // No part of its hit is queried.
    Payload p = fresh();
    dx::HitObject shadow = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 0xff, 0, 1, 1, to(i), p);
    IS(shadow.IsMiss(), missed); IS(shadow.IsHit(), !missed); IS(shadow.IsNop(), 0);
    IS(shadow.GetRayFlags(), RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH); ISF(shadow.GetRayTMin(), 0.5);
    IS(p.count, 0);

    // One that needs a recorder.
    p = fresh();
    dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 2, to(i), p);
    const uint id = h.GetInstanceID();
    dx::MaybeReorderThread(h, id & 3, 2);
    dx::HitObject::Invoke(h, p);
    IS(id, missed ? 0 : ID[i]); IS(p.who, missed ? MISS_A : WHO[i]); IS(p.tag, missed ? 202 : TOLD[i]);

    p = fresh();
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 3, to(i), p);
    IS(p.who, missed ? MISS_B : WHO[i]); IS(p.tag, missed ? 203 : TOLD[i]);

    // It runs a miss shader or none.
    p = fresh();
    p.t = 5;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0xff, 0, 1, 1, to(i), p);
    IS(p.who, missed ? MISS_B : 0); IS(p.tag, missed ? 201 : 0); IS(p.count, missed ? 1 : 0); ISF(p.t, missed ? 100 : 5);

    p = fresh();
    h = dx::HitObject::MakeMiss(RAY_FLAG_NONE, 2, to(i));
    dx::HitObject::Invoke(h, p);
    IS(p.who, MISS_A); IS(p.tag, 202);
    done(17);
}
